import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { remindOfDueNotices } from '../../../src/notices/notice.automation.js';
import { newPageOfMaintenances } from '../../support/automated-notices.js';
import { startTestService, type TestService } from '../../support/service.js';

const minute = 60_000;
const hour = 60 * minute;

let service: TestService;
let on: Awaited<ReturnType<typeof newPageOfMaintenances>>;
let page: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.database.query('delete from notice');
  on = await newPageOfMaintenances(service);
  page = on.path.split('/').at(-1)!;
});

const ok = async (query: string, values: object) =>
  expect((await service.graphql(query, { page, ...values })).json.errors).toBeUndefined();
const remindPage = (reminder: string | null) =>
  ok(
    'mutation ($page: ID!, $reminder: Reminder) { updatePage(id: $page, input: { reminder: $reminder }) { page { reminder } } }',
    { reminder },
  );
const remindNotice = (id: number, reminder: string | null) =>
  ok(
    'mutation ($page: ID!, $id: ID!, $reminder: Reminder) { updateNotice(pageId: $page, id: $id, input: { reminder: $reminder }) { notice { ... on PlannedNotice { reminder } } } }',
    { id, reminder },
  );
/** Announced long ago, and begins in so many milliseconds. */
const near = async (begins: number, values: object = {}) => {
  const id = await on.create({ should_publish: true, ...values });
  await service.database.query(
    `update publication set created_at = created_at - interval '30 days' where notice_id = $1`,
    [id],
  );
  await on.shift(id, begins, begins + hour);
  return id;
};
const look = () => remindOfDueNotices(service.database);
const reminded = async () =>
  service.database.query<{ notice: number; by: string; text: string }>(
    `select notice_id as notice, made_by as by, picture ->> 'text' as text from publication where page_id = $1 and event = 'reminder' order by id`,
    [page],
  );

describe('Of a maintenance people are reminded', () => {
  test.each([
    ['ONE_HOUR', hour],
    ['ONE_DAY', 24 * hour],
    ['THREE_DAYS', 72 * hour],
  ])('%s before its window, once, and not sooner', async (reminder, lead) => {
    await remindPage(reminder);
    const early = await near(lead + minute);
    const id = await near(lead - minute);
    expect([await look(), await look()]).toEqual([1, 0]);
    const { begins_at } = await on.read(id);
    expect(await reminded()).toEqual([
      { notice: id, by: 'reminder', text: expect.stringContaining(`${new Date(begins_at).getUTCFullYear()}`) },
    ]);
    await on.shift(early, lead - minute, lead);
    expect(await look()).toBe(1);
  });

  test('once, however many look at the same time', async () => {
    await remindPage('ONE_DAY');
    await near(hour);
    const looks = await Promise.all(Array.from({ length: 5 }, look));
    expect(looks.reduce((sum, one) => sum + one)).toBe(1);
  });

  test('as the notice says where it says something, and else as the page does', async () => {
    await remindPage('ONE_DAY');
    const [without, sooner, plain] = [await near(2 * hour), await near(2 * hour), await near(2 * hour)];
    await remindNotice(without, 'NONE');
    await remindNotice(sooner, 'ONE_HOUR');
    await look();
    expect((await reminded()).map(({ notice }) => notice)).toEqual([plain]);
    await remindNotice(sooner, null);
    await look();
    expect((await reminded()).map(({ notice }) => notice)).toEqual([plain, sooner]);
  });

  test('again when its window moves away and comes near again', async () => {
    await remindPage('ONE_HOUR');
    const id = await near(30 * minute);
    await look();
    await service.database.query(
      `update publication set created_at = created_at - interval '1 day' where notice_id = $1`,
      [id],
    );
    await on.shift(id, 5 * hour, 6 * hour);
    expect(await look()).toBe(0);
    await on.shift(id, 50 * minute, hour);
    expect(await look()).toBe(1);
    expect(await reminded()).toHaveLength(2);
  });
});

describe('Nobody is reminded', () => {
  test.each([
    ['by default', undefined, {}, 30 * minute],
    ['when the last request that said so wanted nobody told', 'ONE_HOUR', { should_publish: false }, 30 * minute],
    ['when the window has begun', 'ONE_HOUR', {}, -minute],
    ['of what is cancelled', 'ONE_HOUR', { state: 'cancelled' }, 30 * minute],
  ] as const)('%s', async (_, reminder, values, begins) => {
    if (reminder) await remindPage(reminder);
    await near(begins, values);
    expect(await look()).toBe(0);
  });

  test('who was told of it within that time', async () => {
    await remindPage('ONE_DAY');
    const id = await on.create({ should_publish: true });
    await on.shift(id, 2 * hour, 3 * hour);
    expect(await look()).toBe(0);
  });
});
