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
import { noticeTypes, presentStates } from '../../../src/notices/notice.states.js';
import { tokenLength } from '../../../src/notices/notice-text.rules.js';
import { openTestDatabase } from '../../support/database.js';
import { propertyRuns } from '../../support/property-runs.js';

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

async function findIndex(subject: string): Promise<string> {
  const [index] = await database.query<{ definition: string }>(
    `select pg_get_indexdef('notice_${subject}_index'::regclass) as definition`,
  );
  return index!.definition;
}

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test.each([
  ['present', presentOrder],
  ['scheduled', scheduledOrder],
  ['general', endOrder],
  ['past', endOrder],
])('the index of the list of %s notices has its order', async (list, order) => {
  const columns = orderSql(order, name => name).replaceAll(' desc', ' DESC');
  expect(await findIndex(list)).toContain(`(page_id, ${columns})`);
});

test('the index of present notices has their states', async () => {
  const states = [...(await findIndex('present')).matchAll(/'(\w+)'::text/g)].map(([, state]) => state);
  expect(states.toSorted()).toEqual(presentStates.toSorted());
});

test('the index by token has the length of tokens', async () => {
  expect(await findIndex('token')).toContain(`"left"(path, ${tokenLength})`);
});

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
    propertyRuns(50),
  );
});
