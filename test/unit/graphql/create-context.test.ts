import { expect, test } from '@jest/globals';
import type { Caller } from '../../../src/auth/access.js';
import { grantEverywhere, toGrants } from '../../../src/auth/roles.js';
import type { ApiDependencies } from '../../../src/graphql/context.js';
import { createContext } from '../../../src/graphql/create-context.js';

const database = { read: () => {}, readOfPages: () => {}, readAnonymous: () => {} };
const api = { database } as unknown as ApiDependencies;
const token = (grants: ReturnType<typeof toGrants>): Caller => ({ kind: 'token', key: '1', grants });

test.each<[who: string, caller: Caller, reader: keyof typeof database]>([
  ['without a token', { kind: 'anonymous', reads: 'page' }, 'readAnonymous'],
  ['with a role on a page', token(toGrants([{ pageId: '2017f84a', role: 'owner' }])), 'readOfPages'],
  ['without any role', token(toGrants([])), 'readOfPages'],
  ['with a role on all pages', token(grantEverywhere('viewer')), 'read'],
])('a caller %s reads by the connections for such callers', (_, caller, reader) => {
  expect(createContext({ api, caller, outputMode: 'graphql' }).run).toBe(database[reader]);
});
