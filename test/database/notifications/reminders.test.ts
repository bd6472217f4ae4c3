import { beforeEach, describe, expect, test } from '@jest/globals';
import { publishDueReminders } from '../../../src/notices/automation/notice.automation.js';
import { createAutomatedPage } from '../../support/automated-notices.js';
import { useOwnService } from '../../support/service.js';

const minute = 60_000;
const hour = 60 * minute;

const service = useOwnService();
let automated: Awaited<ReturnType<typeof createAutomatedPage>>;
let page: string;
beforeEach(async () => {
  await service.database.query('delete from notice');
  automated = await createAutomatedPage(service);
  page = automated.path.split('/').at(-1)!;
});

const mutate = async (query: string, values: object) =>
  expect((await service.graphql(query, { page, ...values })).json.errors).toBeUndefined();
const setPageReminder = (reminder: string | null) =>
  mutate(
    `mutation ($page: ID!, $reminder: Reminder) {
       updatePage(id: $page, input: { reminder: $reminder }) { page { reminder } }
     }`,
    { reminder },
  );
const setNoticeReminder = (id: number, reminder: string | null) =>
  mutate(
    `mutation ($page: ID!, $id: ID!, $reminder: Reminder) {
       updateNotice(pageId: $page, id: $id, input: { reminder: $reminder, shouldPublish: false }) {
         notice { ... on PlannedNotice { reminder } }
       }
     }`,
    { id, reminder },
  );
/** A maintenance that was published 30 days ago and begins in `begins` milliseconds. */
const createUpcoming = async (begins: number, values: object = {}) => {
  const id = await automated.create({ should_publish: true, ...values });
  await service.database.query(
    `update publication set created_at = created_at - interval '30 days' where notice_id = $1`,
    [id],
  );
  await automated.moveWindow(id, begins, begins + hour);
  return id;
};
const run = () => publishDueReminders(service.database);
const loadReminders = async () =>
  service.database.query<{ notice: number; by: string; text: string }>(
    `select notice_id as notice, made_by as by, message_snapshot ->> 'text' as text from publication
     where page_id = $1 and event = 'reminder' order by id`,
    [page],
  );

describe('a reminder of a maintenance is published', () => {
  test.each([
    ['ONE_HOUR', hour],
    ['ONE_DAY', 24 * hour],
    ['THREE_DAYS', 72 * hour],
  ])('%s before its window, once, and not earlier', async (reminder, lead) => {
    await setPageReminder(reminder);
    const early = await createUpcoming(lead + minute);
    const id = await createUpcoming(lead - minute);
    expect([await run(), await run()]).toEqual([1, 0]);
    const { begins_at } = await automated.read(id);
    expect(await loadReminders()).toEqual([
      { notice: id, by: 'reminder', text: expect.stringContaining(`${new Date(begins_at).getUTCFullYear()}`) },
    ]);
    await automated.moveWindow(early, lead - minute, lead);
    expect(await run()).toBe(1);
  });

  test('once, however many processes run at the same time', async () => {
    await setPageReminder('ONE_DAY');
    await createUpcoming(hour);
    const counts = await Promise.all(Array.from({ length: 5 }, run));
    expect(counts.reduce((sum, one) => sum + one)).toBe(1);
  });

  test('by the setting of the notice, or else of the page', async () => {
    await setPageReminder('ONE_DAY');
    const without = await createUpcoming(2 * hour);
    const sooner = await createUpcoming(2 * hour);
    const plain = await createUpcoming(2 * hour);
    await setNoticeReminder(without, 'NONE');
    await setNoticeReminder(sooner, 'ONE_HOUR');
    await run();
    expect((await loadReminders()).map(({ notice }) => notice)).toEqual([plain]);
    await setNoticeReminder(sooner, null);
    await run();
    expect((await loadReminders()).map(({ notice }) => notice)).toEqual([plain, sooner]);
  });

  test('after a silent change over GraphQL, which does not silence what follows', async () => {
    await setPageReminder('ONE_HOUR');
    const id = await createUpcoming(30 * minute);
    await mutate(
      `mutation ($page: ID!, $id: ID!) {
         updateNotice(pageId: $page, id: $id, input: { subject: "New discs", shouldPublish: false }) { notice { id } }
         createNoticeUpdate(pageId: $page, noticeId: $id, input: { content: "Hm", shouldPublish: false }) { update: noticeUpdate { id } }
       }`,
      { id },
    );
    expect(await run()).toBe(1);
  });

  test('again after its window was moved away and is near again', async () => {
    await setPageReminder('ONE_HOUR');
    const id = await createUpcoming(30 * minute);
    await run();
    await service.database.query(
      `update publication set created_at = created_at - interval '1 day' where notice_id = $1`,
      [id],
    );
    await automated.moveWindow(id, 5 * hour, 6 * hour);
    expect(await run()).toBe(0);
    await automated.moveWindow(id, 50 * minute, hour);
    expect(await run()).toBe(1);
    expect(await loadReminders()).toHaveLength(2);
  });
});

describe('no reminder is published', () => {
  test.each([
    ['by default', undefined, {}, 30 * minute],
    ['when the last value of should_publish was false', 'ONE_HOUR', { should_publish: false }, 30 * minute],
    ['when the window has begun', 'ONE_HOUR', {}, -minute],
    ['for a cancelled notice', 'ONE_HOUR', { state: 'cancelled' }, 30 * minute],
  ] as const)('%s', async (_, reminder, values, begins) => {
    if (reminder) await setPageReminder(reminder);
    await createUpcoming(begins, values);
    expect(await run()).toBe(0);
  });

  test('when the maintenance was published within that time', async () => {
    await setPageReminder('ONE_DAY');
    const id = await automated.create({ should_publish: true });
    await automated.moveWindow(id, 2 * hour, 3 * hour);
    expect(await run()).toBe(0);
  });
});

test('reminders of pages are published in turns', async () => {
  for (let count = 0; count < 12; count++) await createUpcoming(10 * minute);
  const other = await createAutomatedPage(service);
  const last = await other.create({ should_publish: true });
  await service.database.query(
    `update publication set created_at = created_at - interval '30 days' where notice_id = $1`,
    [last],
  );
  await other.moveWindow(last, 20 * minute, hour);
  await service.database.query(`update page set reminder = 'one_hour'`);
  expect(await run()).toBe(11);
  expect(await loadReminders()).toHaveLength(10);
  expect(await run()).toBe(2);
});
