import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { authenticateSession } from '../../../src/auth/session.service.js';
import { findToken } from '../../../src/auth/token.service.js';
import type { Database } from '../../../src/db/connection.js';

let nowMs = 0;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A database that finds any credential, and needs 700 ms for it. */
function createSlowDatabase() {
  const query = jest.fn(async () => {
    nowMs += 700;
    return [{ id: 1, role: 'viewer', pageIds: null, isUsed: true, personId: 1, isStale: false, memberships: [] }];
  });
  return { query, database: { orm: {}, query } as unknown as Database };
}

test.each<[string, (database: Database) => Promise<unknown>]>([
  ['a token', database => findToken(database, 'secret')],
  ['a session', database => authenticateSession(database, 'secret')],
])('%s is looked up again a second after the look-up began, however long that took', async (_, find) => {
  const { query, database } = createSlowDatabase();
  await find(database);
  nowMs += 299;
  await find(database);
  expect(query).toHaveBeenCalledTimes(1);
  nowMs += 1;
  await find(database);
  expect(query).toHaveBeenCalledTimes(2);
});
