import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ImportTurns } from '../../../src/server/transfer/import-turns.js';

const megabyte = 1024 * 1024;
const stays = new AbortController().signal;

/** How many of three imports run at once. */
async function countAtOnce(turns: ImportTurns): Promise<number> {
  let [running, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++running);
    await setImmediate();
    running--;
  };
  await Promise.all([1, 2, 3].map(() => turns.run(stays, work)));
  return most;
}

test('imports together read in half as much memory as V8 has', async () => {
  for (const [heap, megabytes, atOnce] of [
    [262, 131, 1],
    [524, 262, 1],
    [1_100, 512, 1],
    [4_144, 512, 2],
  ] as const) {
    const turns = new ImportTurns(heap * megabyte);
    expect([heap, turns.megabytes, await countAtOnce(turns)]).toEqual([heap, megabytes, atOnce]);
  }
});

test('an import whose client has left while it waited does not run', async () => {
  const turns = new ImportTurns(524 * megabyte);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns.run(stays, () => promise);
  const client = new AbortController();
  const second = turns.run(client.signal, async () => 'run');
  client.abort();
  await expect(second).rejects.toThrow('aborted');
  resolve();
  await first;
});
