import { expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import type { Database } from '../../../src/db/database.js';
import { MessageSnapshots } from '../../../src/notifications/delivery/message-snapshots.js';
import { createSnapshot } from '../../support/message-snapshots.js';

const megabyte = 1024 * 1024;
const snapshot = createSnapshot();

/** Loads snapshots that have a size each. `loaded` has the ids of each statement. */
function createSnapshots(bytes: number) {
  const loaded: number[][] = [];
  const query = async (_text: string, [ids]: unknown[] = []) => {
    loaded.push(ids as number[]);
    return (ids as number[]).map(id => ({ id, snapshot, bytes }));
  };
  const database = { query: query as Database['query'], log: createLogger('silent') };
  return { loaded, snapshots: new MessageSnapshots(database) };
}

test('keeps the snapshots of publications, up to 16 MB of them', async () => {
  const { loaded, snapshots } = createSnapshots(megabyte);
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  expect([...(await snapshots.find(ids)).keys()]).toEqual(ids);
  await snapshots.find([20]);
  expect(loaded).toEqual([ids]);
  await snapshots.find([1]);
  expect(loaded).toEqual([ids, [1]]);
});

test('finds one that is larger than what is kept', async () => {
  const { loaded, snapshots } = createSnapshots(20 * megabyte);
  expect((await snapshots.find([1])).get(1)).toBe(snapshot);
  expect((await snapshots.find([1])).get(1)).toBe(snapshot);
  expect(loaded).toEqual([[1], [1]]);
});
