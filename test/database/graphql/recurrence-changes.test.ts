import { beforeEach, expect, test } from '@jest/globals';
import { advanceDueNotices, publishDueReminders } from '../../../src/notices/automation/notice.automation.js';
import { planDueOccurrences } from '../../../src/notices/recurrence/recurrence.automation.js';
import { createPage } from '../../support/factories.js';
import { requestPage } from '../../support/visitor.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
const day = 24 * 3_600_000;
let page: string;
let start: number;
beforeEach(async () => {
  page = (await createPage(service)).id;
  start = Math.ceil(Date.now() / day) * day + day;
});

const at = (days: number) => new Date(start + days * day).toISOString();
const call = async (query: string, values: object = {}) => {
  const { json } = await service.graphql(query, { page, ...values });
  expect(json.errors).toBeUndefined();
  return json.data;
};
const plan = async () => {
  let total = 0;
  for (let count = 1; count > 0; total += count) count = await planDueOccurrences(service.database);
  return total;
};
const toInput = (values: object = {}) => ({
  subject: 'Patches',
  beginsAt: at(0),
  endsAt: new Date(start + 3_600_000).toISOString(),
  shouldPublish: true,
  recurrence: { rule: 'FREQ=DAILY;INTERVAL=7' },
  ...values,
});
const scheduling = `mutation ($page: ID!, $input: ScheduleMaintenanceInput!) {
  scheduleMaintenance(pageId: $page, input: $input) {
    notice { ... on PlannedNotice { recurrenceId } } userErrors { path message } } }`;
const schedule = async (values: object = {}): Promise<string> => {
  const { scheduleMaintenance } = await call(scheduling, { input: toInput(values) });
  expect(scheduleMaintenance.userErrors).toEqual([]);
  await plan();
  return scheduleMaintenance.notice.recurrenceId;
};
const listNotices = async (pageId = page) =>
  (await service.get(`/v1/pages/${pageId}/notices`)).json.response.map(
    ({ subject, state, begins_at }: Record<string, string>) => `${subject} ${state} ${begins_at}`,
  );
const countRecurrences = async () => (await service.database.query('select 1 from recurrence')).length;
const readUpcoming = async (id: string) =>
  (
    await call(
      `query ($page: ID!, $id: ID!) { upcomingOccurrences(pageId: $page, id: $id) {
        description occurrences { occursAt beginsAt endsAt noticeId } } }`,
      { id },
    )
  ).upcomingOccurrences;
const change = async (name: string, type: string, id: string, input: object) =>
  (
    await call(
      `mutation ($id: ID!, $input: ${type}!) { result: ${name}(id: $id, input: $input) {
        userErrors { path code } } }`,
      { id, input: { shouldPublish: false, ...input } },
    )
  ).result.userErrors;
const move = (id: string, occursAt: string, beginsAt: string) => {
  const endsAt = new Date(Date.parse(beginsAt) + 7_200_000).toISOString();
  return change('moveOccurrence', 'MoveOccurrenceInput', id, { occursAt, beginsAt, endsAt });
};
const update = (id: string, input: object) => change('updateRecurrence', 'UpdateRecurrenceInput', id, input);
const skip = (id: string, occursAt: string) =>
  call(
    'mutation ($id: ID!, $at: Timestamp!) { skipOccurrence(id: $id, input: { occursAt: $at, shouldPublish: false }) { pageId: page { id } } }',
    { id, at: occursAt },
  );

test('the next occurrences are planned ones, as they were moved, and computed ones without those skipped', async () => {
  const id = await schedule();
  await skip(id, at(14));
  expect(await move(id, at(7), at(8))).toEqual([]);
  const { description, occurrences } = await readUpcoming(id);
  expect(description).toBe('Every 7 days at 00:00, UTC time');
  expect(occurrences).toMatchObject([
    { occursAt: at(0), beginsAt: at(0) },
    { occursAt: at(7), beginsAt: at(8), endsAt: new Date(start + 8 * day + 7_200_000).toISOString() },
    { occursAt: at(21), beginsAt: at(21), noticeId: null },
  ]);
  expect(await listNotices()).toEqual([`Patches scheduled ${at(8)}`, `Patches scheduled ${at(0)}`]);
});

test('one that is no notice yet becomes one where it is moved to, and is not planned again', async () => {
  const id = await schedule();
  expect(await move(id, at(21), at(22))).toEqual([]);
  expect(await listNotices()).toContain(`Patches scheduled ${at(22)}`);
  await service.database.query('update recurrence set due_at = now() - make_interval(secs => 1) where id = $1', [id]);
  await plan();
  const { occurrences } = await readUpcoming(id);
  expect(occurrences.map(({ beginsAt }: { beginsAt: string }) => beginsAt)).toEqual([
    at(0),
    at(7),
    at(14),
    at(22),
    at(28),
  ]);
});

test('what is no occurrence, was skipped, or would begin in the past is not moved', async () => {
  const id = await schedule();
  await skip(id, at(14));
  const notFound = [{ path: ['input', 'occursAt'], code: 'NOT_FOUND' }];
  expect(await move(id, at(1), at(2))).toEqual(notFound);
  expect(await move(id, at(14), at(15))).toEqual(notFound);
  expect(await move(id, at(7), at(-9))).toEqual([{ path: ['input', 'beginsAt'], code: 'OUT_OF_RANGE' }]);
  expect(await listNotices()).toHaveLength(2);
});

test('a change from one occurrence on leaves the earlier notice as it is', async () => {
  const id = await schedule();
  expect(await update(id, { fromOccurrence: at(7), subject: 'Updates' })).toEqual([]);
  expect(await listNotices()).toEqual([`Updates scheduled ${at(7)}`, `Patches scheduled ${at(0)}`]);
  const moved = { beginsAt: at(9), endsAt: at(10), rule: 'FREQ=DAILY;INTERVAL=2' };
  expect(await update(id, { fromOccurrence: at(7), ...moved })).toEqual([]);
  expect(await listNotices()).toEqual([`Updates scheduled ${at(9)}`, `Patches scheduled ${at(0)}`]);
  const { occurrences } = await readUpcoming(id);
  expect(occurrences.map(({ occursAt }: { occursAt: string }) => occursAt)).toEqual([at(0), at(9), at(11)]);
});

test('a change from what is no occurrence, or to before one that stays, is refused', async () => {
  const id = await schedule();
  expect(await update(id, { fromOccurrence: at(1), subject: 'Updates' })).toEqual([
    { path: ['input', 'fromOccurrence'], code: 'NOT_FOUND' },
  ]);
  expect(await update(id, { fromOccurrence: at(7), rule: 'FREQ=DAILY' })).toEqual([
    { path: ['input', 'beginsAt'], code: 'BLANK' },
  ]);
  expect(await update(id, { fromOccurrence: at(7), beginsAt: at(0), endsAt: at(1) })).toEqual([
    { path: ['input', 'beginsAt'], code: 'OUT_OF_RANGE' },
  ]);
  expect(await listNotices()).toEqual([`Patches scheduled ${at(7)}`, `Patches scheduled ${at(0)}`]);
});

test('a preview stores no recurrence, and a draft stores it when it is published', async () => {
  const input = { scheduleMaintenance: toInput() };
  const before = await countRecurrences();
  const { previewPublication } = await call(
    `query ($page: ID!, $input: NoticeChangeInput!) {
      previewPublication(pageId: $page, input: $input) { hash noticeState userErrors { path } } }`,
    { input },
  );
  expect(previewPublication).toMatchObject({ noticeState: 'SCHEDULED', userErrors: [] });
  const { saveDraft } = await call(
    'mutation ($page: ID!, $input: NoticeChangeInput!) { saveDraft(pageId: $page, input: $input) { draft { id } } }',
    { input },
  );
  expect(await countRecurrences()).toBe(before);
  await call(
    'mutation ($page: ID!, $id: ID!, $hash: String!) { publishDraft(pageId: $page, id: $id, input: { shouldPublish: true }, previewHash: $hash) { notice { id } } }',
    { id: saveDraft.draft.id, hash: previewPublication.hash },
  );
  await plan();
  expect(await listNotices()).toEqual([`Patches scheduled ${at(7)}`, `Patches scheduled ${at(0)}`]);
});

test('on several pages it repeats on each, by the time zone of the page', async () => {
  const other = (await createPage(service, { timezone: 'Berlin' })).id;
  const pages = [page, other].map(pageId => ({ pageId, change: { scheduleMaintenance: toInput() } }));
  await call('mutation ($input: [PageChangeInput!]!) { publishOnPages(input: $input) { results { notice { id } } } }', {
    input: pages,
  });
  await plan();
  expect(await listNotices()).toHaveLength(2);
  expect(await listNotices(other)).toHaveLength(2);
  const zones = await service.database.query<{ timezone: string }>(
    'select timezone from recurrence where page_id = any($1) order by timezone',
    [[page, other]],
  );
  expect(zones.map(({ timezone }) => timezone)).toEqual(['Berlin', 'UTC']);
});

test('a later occurrence is reminded of, begun and completed by itself', async () => {
  const id = await schedule({ shouldAutomateSchedule: true, reminder: 'ONE_DAY' });
  const [begun] = await service.database.query<{ id: string }>(
    `update notice set begins_at = now() + interval '2 hours', ends_at = now() + interval '3 hours'
     where id = (select notice_id from occurrence where recurrence_id = $1 order by occurs_at desc limit 1)
     returning id::text`,
    [id],
  );
  await service.database.query("update publication set created_at = now() - interval '2 days'");
  expect(await publishDueReminders(service.database)).toBe(1);
  const shift = (begins: string, ends: string) =>
    service.database.query(
      `update notice set begins_at = now() + $2::interval, ends_at = now() + $3::interval where id = $1`,
      [Number(begun!.id), begins, ends],
    );
  const readState = async () => (await service.get(`/v1/pages/${page}/notices/${begun!.id}`)).json.response.state;
  await shift('-1 minute', '1 hour');
  await advanceDueNotices(service.database);
  expect(await readState()).toBe('underway');
  await shift('-1 hour', '-1 minute');
  await advanceDueNotices(service.database);
  expect(await readState()).toBe('complete');
});

test('the page, its calendar and /v1 show the next two', async () => {
  await schedule();
  const read = async (path: string) => (await requestPage(service.url, 'localhost', `/status/${page}/${path}`)).text;
  const [html, calendar] = await Promise.all([read(''), read('calendar.ics')]);
  const stamp = (days: number) => at(days).replace(/[-:]|\.\d{3}/g, '');
  for (const days of [0, 7]) {
    expect(html).toContain(at(days).slice(0, 16));
    expect(calendar).toContain(`DTSTART:${stamp(days)}`);
  }
  expect(await listNotices()).toHaveLength(2);
});

test('what the clock leaves out is named before, and an occurrence may begin later', async () => {
  const preview = async (onMissingHour: string | null) =>
    (
      await call(
        `query ($page: ID!, $how: MissingHour) { nextOccurrences(pageId: $page, beginsAt: "2099-03-22T02:30+01:00",
          endsAt: "2099-03-22T04:30+01:00", input: { rule: "rrule:freq=weekly;byday=su", onMissingHour: $how,
            timezone: "W. Europe Standard Time" }) { clockChanges { date effect description } beginsAt userErrors { message } } }`,
        { how: onMissingHour },
      )
    ).nextOccurrences;
  expect(await preview(null)).toMatchObject({
    clockChanges: expect.arrayContaining([
      {
        date: '2099-03-29',
        effect: 'LEFT_OUT',
        description: '29 March 2099: no window, since the clock goes forward and 02:30 does not exist',
      },
    ]),
    beginsAt: ['2099-03-22T01:30:00.000Z', '2099-04-05T00:30:00.000Z', '2099-04-12T00:30:00.000Z'],
  });
  expect(await preview('LATER')).toMatchObject({
    clockChanges: expect.arrayContaining([expect.objectContaining({ date: '2099-03-29', effect: 'LATER' })]),
    beginsAt: ['2099-03-22T01:30:00.000Z', '2099-03-29T01:30:00.000Z', '2099-04-05T00:30:00.000Z'],
  });
});

test('a recurrence keeps what becomes of a missing hour, and changes it', async () => {
  const id = await schedule({ recurrence: { rule: 'FREQ=DAILY', timezone: 'Europe/Berlin', onMissingHour: 'LATER' } });
  const read = async () =>
    (await call('query ($page: ID!, $id: ID!) { recurrence(pageId: $page, id: $id) { onMissingHour } }', { id }))
      .recurrence.onMissingHour;
  expect(await read()).toBe('LATER');
  await change('updateRecurrence', 'UpdateRecurrenceInput', id, { subject: 'Other' });
  expect(await read()).toBe('LATER');
  await change('updateRecurrence', 'UpdateRecurrenceInput', id, { onMissingHour: 'SKIP' });
  expect(await read()).toBe('SKIP');
});
