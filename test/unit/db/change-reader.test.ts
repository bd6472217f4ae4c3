import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ChangeReader } from '../../../src/db/change-reader.js';

const overlapSeconds = 60;

/** Seconds. `startsAt`: when the change gets its time. Null: its notification is lost. */
interface Transaction {
  startsAt: number;
  duration: number;
  notifiedAfter: number | null;
}

const time = fc.double({ min: 0, max: 600, noNaN: true });
const transaction: fc.Arbitrary<Transaction> = fc.record({
  startsAt: time,
  duration: fc.oneof(
    fc.double({ min: 0, max: 0.1, noNaN: true }),
    fc.double({ min: 0, max: overlapSeconds, maxExcluded: true, noNaN: true }),
  ),
  notifiedAfter: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
});

/** Runs transactions, notifications and reads in the order of their times, and compares with all that is committed. */
const createProperty = (overlap: number) =>
  fc.asyncProperty(
    fc.array(transaction, { minLength: 1, maxLength: 20 }),
    fc.array(time, { minLength: 1, maxLength: 60 }),
    async (transactions, readTimes) => {
      const changes = transactions.map(({ startsAt, duration, notifiedAfter }, index) => ({
        key: String(index),
        createdAt: startsAt,
        committedAt: startsAt + duration,
        notifiedAt: notifiedAfter === null ? null : startsAt + duration + notifiedAfter,
      }));
      // Before the first change: what is committed before the first read has no reader.
      let now = -1;
      const query = async (_: string, [readAt, seconds]: unknown[] = []) => {
        const after = Number(readAt ?? now) - Number(seconds);
        const visible = changes.filter(({ createdAt, committedAt }) => committedAt <= now && createdAt > after);
        return [{ readAt: String(now), keys: visible.map(({ key }) => key) }];
      };
      const reader = new ChangeReader(query as never, overlap);
      await reader.read();
      const emitted: string[] = [];
      const steps = [
        ...changes.flatMap(({ key, notifiedAt }) =>
          notifiedAt === null ? [] : [{ at: notifiedAt, keys: async () => (reader.add(key) ? [key] : []) }],
        ),
        ...readTimes.map(at => ({ at, keys: () => reader.read() })),
      ];
      for (const step of steps.toSorted((a, b) => a.at - b.at)) {
        now = step.at;
        emitted.push(...(await step.keys()));
      }
      now = 1_000;
      emitted.push(...(await reader.read()));
      expect(new Set(emitted)).toEqual(new Set(changes.map(({ key }) => key)));
    },
  );

test('reads every change, whatever the order of the commits and whichever notifications are lost', async () => {
  await fc.assert(createProperty(overlapSeconds), { numRuns: 1_000 });
});

test('misses changes without an overlap', async () => {
  await expect(fc.assert(createProperty(0), { numRuns: 1_000 })).rejects.toThrow('Property failed');
});
