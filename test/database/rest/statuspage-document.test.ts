import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { statuspageRoutes } from '../../../src/rest/statuspage/routes.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

/** The table of routes in docs/statuspage-api.md. */
const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
});

const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const documented = readFileSync('docs/statuspage-api.md', 'utf8')
  .split('\n')
  .filter(line => /^\| `(GET|POST|PUT|PATCH|DELETE)`/.test(line))
  .flatMap(line => {
    const [, methods = '', paths = ''] = line.split('|');
    return codes(paths).flatMap(path => codes(methods).map(method => [method, path] as const));
  });

test('has all routes, and no others', () => {
  // PUT does what PATCH does.
  const inDocument = documented.map(([method, path]) => `${method.replace('PUT', 'PATCH')} ${path}`);
  const inCode = statuspageRoutes.map(({ method, path }) => `${method} ${path}`);
  expect(inDocument.toSorted()).toEqual(inCode.toSorted());
});

test.each(documented)('%s %s is a route', async (method, path) => {
  const url = path.replace(':page', page).replace(/:\w+/g, '999999999');
  const { status, json } = await service.call(method, `/api/v1/statuspage${url}`, {
    json: method === 'GET' || method === 'DELETE' ? undefined : {},
  });
  expect(status).toBeLessThan(500);
  expect(json?.error).not.toBe('The requested resource could not be found.');
});
