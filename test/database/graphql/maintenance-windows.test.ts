import { beforeEach, expect, test } from '@jest/globals';
import { planDueOccurrences } from '../../../src/notices/recurrence/recurrence.automation.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
const hour = 3_600_000;
const day = 24 * hour;
let page: string;
let start: number;
beforeEach(async () => {
  page = (await createPage(service)).id;
  start = Math.ceil(Date.now() / day) * day + day;
});

const at = (days: number, hours = 0) => new Date(start + days * day + hours * hour).toISOString();
/** A window that takes some hours. */
const window = (days: number, hours: number) => ({ beginsAt: at(days), endsAt: at(days, hours) });
const call = async (query: string, values: object = {}) => {
  const { json } = await service.graphql(query, { page, ...values });
  expect(json.errors).toBeUndefined();
  return json.data;
};
const schedule = async (recurrence: object) =>
  (
    await call(
      `mutation ($page: ID!, $input: ScheduleMaintenanceInput!) { scheduleMaintenance(pageId: $page, input: $input) {
         notice { ... on PlannedNotice { recurrenceId } } userErrors { path message } } }`,
      { input: { subject: 'Patches', ...window(0, 2), reminder: 'ONE_HOUR', shouldPublish: true, recurrence } },
    )
  ).scheduleMaintenance;
const plan = async () => {
  let total = 0;
  for (let count = 1; count > 0; total += count) count = await planDueOccurrences(service.database);
  return total;
};
const listNotices = async () =>
  (await service.get(`/v1/pages/${page}/notices`)).json.response
    .map((notice: Record<string, string>) => `${notice.state} ${notice.begins_at} ${notice.ends_at}`)
    .reverse();
const scheduled = (days: number, hours: number) => `scheduled ${at(days)} ${at(days, hours)}`;
const upcoming = async (id: string) =>
  (
    await call(
      `query ($page: ID!, $id: ID!) { upcomingOccurrences(pageId: $page, id: $id) {
         description occurrences { beginsAt endsAt } } }`,
      { id },
    )
  ).upcomingOccurrences;
const update = (id: string, input: object) =>
  call(
    `mutation ($id: ID!, $input: UpdateRecurrenceInput!) { updateRecurrence(id: $id, input: $input) {
       recurrence { rule windows { beginsAt endsAt } nextOccurrenceAt } userErrors { path message } } }`,
    { id, input: { shouldPublish: false, ...input } },
  ).then(data => data.updateRecurrence);
/** As if the first occurrence were over, so that one more is planned. */
const passFirst = async (id: string) => {
  await service.database.query(
    `update notice set state = 'complete' where id =
       (select notice_id from occurrence where recurrence_id = $1 order by occurs_at limit 1)`,
    [Number(id)],
  );
  await service.database.query('update recurrence set due_at = now() - make_interval(secs => 1) where id = $1', [
    Number(id),
  ]);
};

test('windows without a rule become notices of their own lengths, two at a time, and end', async () => {
  const { notice } = await schedule({ windows: [window(4, 1), window(2, 3)] });
  const id = notice.recurrenceId;
  expect(await upcoming(id)).toEqual({
    description: 'Once, and in 2 further windows',
    occurrences: [window(0, 2), window(2, 3), window(4, 1)],
  });
  expect(await plan()).toBe(1);
  expect(await listNotices()).toEqual([scheduled(0, 2), scheduled(2, 3)]);
  await passFirst(id);
  expect(await plan()).toBe(1);
  expect((await listNotices()).slice(1)).toEqual([scheduled(2, 3), scheduled(4, 1)]);
  await service.database.query('update recurrence set due_at = now() - make_interval(secs => 1) where id = $1', [
    Number(id),
  ]);
  expect(await plan()).toBe(0);
  const reminders = await service.database.query('select distinct reminder from notice where page_id = $1', [page]);
  expect(reminders).toEqual([{ reminder: 'one_hour' }]);
  const { text } = await service.get(`/status/${page}/calendar.ics`);
  const compact = (time: string) => time.replaceAll(/[-:]|\.000/g, '');
  for (const { beginsAt, endsAt } of [window(2, 3), window(4, 1)])
    expect(text).toMatch(new RegExp(`DTSTART:${compact(beginsAt)}[^]*?DTEND:${compact(endsAt)}`));
});

test('windows beside a rule are occurrences, and one that begins with an occurrence replaces its end', async () => {
  const { notice } = await schedule({ rule: 'FREQ=DAILY;INTERVAL=7', windows: [window(2, 1), window(7, 5)] });
  expect(await upcoming(notice.recurrenceId)).toMatchObject({
    description: expect.stringMatching(/^Every 7 days.*, UTC time, and in 2 further windows$/),
    occurrences: [window(0, 2), window(2, 1), window(7, 5)],
  });
  await plan();
  expect(await listNotices()).toEqual([scheduled(0, 2), scheduled(2, 1)]);
});

test.each([
  [{}, '`rule` must not be blank without `windows`'],
  [{ windows: [] }, '`rule` must not be blank without `windows`'],
  [{ windows: () => [window(1, 1), window(0, 1)] }, '`windows.1.beginsAt` must be after the first window'],
  [{ windows: () => [window(1, 1), window(1, 2)] }, '`windows.1.beginsAt` must be after the first window, and another'],
  [{ windows: () => [window(2, 1), window(1, -1)] }, '`windows.1.endsAt` must be after `beginsAt`'],
  [{ windows: () => Array.from({ length: 101 }, (_, index) => window(index + 1, 1)) }, 'at most 100'],
  [
    { windows: [{ beginsAt: '2099-01-01T10:00', endsAt: '2099-01-01T11:00Z' }] },
    '`windows.0.beginsAt` must have an off',
  ],
])('%j is refused: it %s', async (recurrence: { windows?: unknown }, message) => {
  const { windows } = recurrence;
  const { userErrors } = await schedule({ windows: typeof windows === 'function' ? windows() : windows });
  expect(userErrors[0].message).toContain(message);
  const member = /^`windows\.(\d)\.(\w+)/.exec(userErrors[0].message)?.slice(1);
  const path = [
    'input',
    'recurrence',
    ...(member ? ['windows', ...member] : message.startsWith('`rule`') ? ['rule'] : ['windows']),
  ];
  expect(userErrors[0].path.slice(0, path.length)).toEqual(path);
  expect(await listNotices()).toEqual([]);
});

test('updateRecurrence replaces the windows, and moves the notices that are planned', async () => {
  const { notice } = await schedule({ windows: [window(2, 3)] });
  const id = notice.recurrenceId;
  await plan();
  expect((await update(id, { windows: [window(3, 4), window(5, 1)] })).recurrence).toMatchObject({
    rule: null,
    nextOccurrenceAt: at(5),
    windows: [window(3, 4), window(5, 1)],
  });
  expect(await listNotices()).toEqual([scheduled(0, 2), scheduled(3, 4)]);
  const { userErrors } = await update(id, { windows: [window(-1, 1)] });
  expect(userErrors).toMatchObject([{ path: ['input', 'windows', '0', 'beginsAt'] }]);
});

test('a new start moves the first one that is changed, also where that is a window, and keeps those after it', async () => {
  const { notice } = await schedule({ windows: [window(2, 3), window(4, 1)] });
  const id = notice.recurrenceId;
  await plan();
  const { recurrence } = await update(id, { fromOccurrence: at(2), beginsAt: at(3), endsAt: at(3, 1) });
  expect(recurrence.windows).toEqual([window(4, 1)]);
  expect(await listNotices()).toEqual([scheduled(0, 2), scheduled(3, 1)]);
});

test('one is skipped or moved as any other, and an end leaves out what is no notice yet', async () => {
  const { notice } = await schedule({
    rule: 'FREQ=DAILY;COUNT=2',
    windows: [window(3, 1), window(5, 1), window(9, 1)],
  });
  const id = notice.recurrenceId;
  await call(
    `mutation ($id: ID!, $at: Timestamp!) { skipOccurrence(id: $id, input: { occursAt: $at, shouldPublish: false }) {
    userErrors { message } } }`,
    { id, at: at(3) },
  );
  await call(
    `mutation ($id: ID!, $input: MoveOccurrenceInput!) { moveOccurrence(id: $id, input: $input) {
    userErrors { message } } }`,
    { id, input: { occursAt: at(5), ...window(6, 2), shouldPublish: false } },
  );
  const { endRecurrence } = await call(
    'mutation ($id: ID!) { endRecurrence(id: $id) { recurrence { rule nextOccurrenceAt windows { beginsAt endsAt } } } }',
    { id },
  );
  // The rule is over by its count, and must not go on until the window that is the last one.
  expect(endRecurrence.recurrence).toMatchObject({ rule: 'FREQ=DAILY;COUNT=2', windows: [window(3, 1), window(5, 1)] });
  expect(await listNotices()).toEqual([scheduled(0, 2), scheduled(6, 2)]);
});

test('the next starts are computed with the windows', async () => {
  const { nextOccurrences } = await call(
    `query ($page: ID!, $at: Timestamp!, $input: RecurrenceInput!) {
       nextOccurrences(pageId: $page, input: $input, beginsAt: $at) { description beginsAt } }`,
    { at: at(0), input: { windows: [window(2, 1)] } },
  );
  expect(nextOccurrences).toEqual({ description: 'Once, and in one further window', beginsAt: [at(0), at(2)] });
});
