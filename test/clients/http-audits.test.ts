import { expect, test } from '@jest/globals';
import { auditServer } from 'graphql-http';
import { useService } from '../support/service.js';

/** The audits of the GraphQL over HTTP specification, required and optional ones. */
const service = useService();

test.each([true, false])('every audit is ok (with a token: %s)', async hasToken => {
  const fetchFn = (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (hasToken) headers.set('Authorization', `Bearer ${service.tokens.read}`);
    return fetch(url, { ...init, headers });
  };
  const results = await auditServer({ url: `${service.url}/graphql`, fetchFn });
  expect(results.flatMap(result => (result.status === 'ok' ? [] : [[result.name, result.reason]]))).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(61);
});
