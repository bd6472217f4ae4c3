import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  beginOrder,
  compareBy,
  creationOrder,
  endOrder,
  orderSql,
  presentOrder,
  scheduledOrder,
} from '../../../src/notices/notice.order.js';
import { noticeTypes } from '../../../src/notices/notice.states.js';
import { openTestDatabase } from '../../support/database.js';

const orders = { beginOrder, creationOrder, endOrder, presentOrder, scheduledOrder };

/** Few values, so that many are equal. */
const time = fc.option(
  fc.integer({ min: 0, max: 3 }).map(hour => new Date(Date.UTC(2026, 10, 20, hour))),
  { freq: 4 },
);
const notices = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 2_000_000 }),
    type: fc.constantFrom(...noticeTypes),
    beginsAt: time,
    beganAt: time,
    endedAt: time,
  }),
  { selector: ({ id }) => id, maxLength: 30 },
);

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test.each(Object.entries(orders))('%s sorts in memory as it does in SQL', async (_, order) => {
  await fc.assert(
    fc.asyncProperty(notices, async list => {
      const rows = await database.query<{ id: number }>(
        `select n.id from (
          select id, type, "beginsAt" as begins_at, "beganAt" as began_at, "endedAt" as ended_at
          from jsonb_to_recordset($1::text::jsonb) as r(
            id integer, type text, "beginsAt" timestamptz, "beganAt" timestamptz, "endedAt" timestamptz)) n
        order by ${orderSql(order)}`,
        [JSON.stringify(list)],
      );
      expect(list.toSorted(compareBy(order)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    }),
    { numRuns: 50 },
  );
});
