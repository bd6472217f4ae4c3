import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Authenticator } from '../../../src/auth/authenticator.js';
import type { Database } from '../../../src/db/database.js';

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

test.each<[string, (authenticator: Authenticator) => Promise<unknown>]>([
  ['a token', authenticator => authenticator.authenticate('Bearer secret')],
  ['a session', authenticator => authenticator.authenticateSession('secret')],
])('%s is looked up again a second after the look-up began, however long that took', async (_, find) => {
  const { query, database } = createSlowDatabase();
  const authenticator = new Authenticator(database, { anonymousReads: 'public', bootstrapToken: '' });
  await find(authenticator);
  nowMs += 299;
  await find(authenticator);
  expect(query).toHaveBeenCalledTimes(1);
  nowMs += 1;
  await find(authenticator);
  expect(query).toHaveBeenCalledTimes(2);
});

test('remembers 10,000 sessions, so that those that end unseen are forgotten', async () => {
  const { database } = createSlowDatabase();
  const authenticator = new Authenticator(database, { anonymousReads: 'public', bootstrapToken: '' });
  for (let number = 0; number <= 10_000; number += 1) await authenticator.authenticateSession(`secret ${number}`);
  expect(['secret 0', 'secret 1', 'secret 10000'].map(secret => authenticator.isKnownSession(secret))).toEqual([
    false,
    true,
    true,
  ]);
});
