import { beforeEach, expect, test } from '@jest/globals';
import { planDueOccurrences } from '../../../src/notices/recurrence/recurrence.automation.js';
import { renderMail } from '../../../src/notifications/messages/mail.js';
import type { MessageSnapshot } from '../../../src/notifications/messages/message-snapshot.js';
import { createComponent, createPage } from '../../support/factories.js';
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
const scheduling = `mutation ($page: ID!, $input: ScheduleMaintenanceInput!) {
  scheduleMaintenance(pageId: $page, input: $input) {
    notice { ... on PlannedNotice { recurrenceId } } userErrors { path message } } }`;
const schedule = (recurrence: object, values: object = {}) => ({
  input: {
    subject: 'Patches',
    content: 'We restart the servers.',
    shouldPublish: true,
    beginsAt: at(0),
    endsAt: new Date(start + 3_600_000).toISOString(),
    recurrence,
    ...values,
  },
});
const start7 = async (values: object = {}): Promise<string> =>
  (await call(scheduling, schedule({ rule: 'FREQ=DAILY;INTERVAL=7' }, values))).scheduleMaintenance.notice.recurrenceId;
const listNotices = async () =>
  (await service.get(`/v1/pages/${page}/notices`)).json.response.map(
    ({ subject, state, begins_at }: Record<string, string>) => `${subject} ${state} ${begins_at}`,
  );
const plan = async () => {
  let total = 0;
  for (let count = 1; count > 0; total += count) count = await planDueOccurrences(service.database);
  return total;
};
const countPublications = async () =>
  (await service.database.query('select 1 from publication where page_id = $1', [page])).length;
const readSnapshot = async () => {
  const [row] = await service.database.query<{ snapshot: MessageSnapshot }>(
    'select message_snapshot as snapshot from publication where page_id = $1 order by id desc limit 1',
    [page],
  );
  return row!.snapshot;
};
/** As if the next occurrence was not due yet when the series was announced. */
const announceEarlier = () =>
  service.database.query("update recurrence set announced_until = next_at - interval '1 second' where page_id = $1", [
    page,
  ]);
const readRecurrence = async () =>
  (
    await call(`query ($page: ID!) { page(id: $page) { recurrences { nodes {
      rule timezone subject nextOccurrenceAt plannedNoticeIds } } } }`)
  ).page.recurrences.nodes[0];

test('two occurrences are planned, and one message announces both, also by several processes', async () => {
  await start7();
  await Promise.all([plan(), plan(), plan()]);
  expect(await listNotices()).toEqual([`Patches scheduled ${at(7)}`, `Patches scheduled ${at(0)}`]);
  expect(await countPublications()).toBe(1);
  const { notice } = await readSnapshot();
  expect(notice.furtherWindows!.map(({ beginsAt }) => beginsAt)).toEqual([at(7), at(14), at(21)]);
  expect(await readRecurrence()).toMatchObject({
    nextOccurrenceAt: at(14),
    timezone: 'Etc/UTC',
    plannedNoticeIds: { length: 2 },
  });
  expect(await plan()).toBe(0);
});

test('a later occurrence has a message of its own, and the notice of one that was announced those of its states', async () => {
  await start7();
  await plan();
  const isReminded = await service.database.query(
    'select bool_and(last_should_publish) as all from notice where page_id = $1',
    [page],
  );
  expect(isReminded).toEqual([{ all: true }]);
  await service.patch(`/v1/pages/${page}/notices/${(await readRecurrence()).plannedNoticeIds[0]}`, {
    state: 'underway',
  });
  await service.database.query('update recurrence set due_at = now() - make_interval(secs => 1) where page_id = $1', [
    page,
  ]);
  await announceEarlier();
  expect(await plan()).toBe(1);
  expect(await countPublications()).toBe(2);
});

test('one whose components were deleted does not go to the subscribers of all components', async () => {
  const { id } = await createComponent(service, `/v1/pages/${page}`);
  await call(scheduling, schedule({ rule: 'FREQ=DAILY' }, { componentIds: [id] }));
  await service.delete(`/v1/pages/${page}/components/${id}`);
  await announceEarlier();
  expect(await plan()).toBe(1);
  const scopes = await service.database.query('select scope from publication where page_id = $1 order by id', [page]);
  expect(scopes).toEqual([{ scope: [id] }, { scope: [] }]);
});

test('one that is further than 30 days away is planned later', async () => {
  await call(scheduling, schedule({ rule: 'FREQ=DAILY;INTERVAL=60' }));
  expect(await plan()).toBe(0);
  await service.database.query('update recurrence set due_at = now() - make_interval(secs => 1) where page_id = $1', [
    page,
  ]);
  expect(await plan()).toBe(1);
});

test('later occurrences are silent where the recurrence says so', async () => {
  await call(scheduling, schedule({ rule: 'FREQ=DAILY', shouldPublish: false }));
  await announceEarlier();
  expect(await plan()).toBe(1);
  expect(await countPublications()).toBe(1);
});

test.each([
  [{ rule: 'FREQ=HOURLY' }, 'rule', 'RRULE'],
  [{ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'rule', '8 years'],
  [{ rule: 'FREQ=DAILY', timezone: 'Europe/Berln' }, 'timezone', 'timezones'],
  [{ rule: 'FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=1,12;UNTIL=20991231' }, 'rule', 'first occurrence would be'],
])('%j is refused, and nothing is stored', async (recurrence, field, message) => {
  const { scheduleMaintenance } = await call(scheduling, schedule(recurrence));
  expect(scheduleMaintenance.userErrors[0].path).toEqual(['input', 'recurrence', field]);
  expect(scheduleMaintenance.userErrors[0].message).toContain(message);
  expect(await listNotices()).toEqual([]);
});

test('the next three occurrences of a rule are computed', async () => {
  const query = `query ($page: ID!, $at: Timestamp!) {
    nextOccurrences(pageId: $page, input: { rule: "FREQ=DAILY;INTERVAL=7" }, beginsAt: $at) { beginsAt } }`;
  expect((await call(query, { at: at(0) })).nextOccurrences.beginsAt).toEqual([at(0), at(7), at(14)]);
});

const skipping = `mutation ($id: ID!, $at: Timestamp!) {
  skipOccurrence(id: $id, input: { occursAt: $at, shouldPublish: false }) {
    recurrence { nextOccurrenceAt } notice { state } publication { id } userErrors { path } } }`;

test('an occurrence is skipped: its notice is cancelled, or never made', async () => {
  const id = await start7();
  await plan();
  expect((await call(skipping, { id, at: at(14) })).skipOccurrence.recurrence.nextOccurrenceAt).toBe(at(21));
  await call(skipping, { id, at: at(7) });
  await plan();
  expect(await listNotices()).toEqual([
    `Patches scheduled ${at(21)}`,
    `Patches cancelled ${at(7)}`,
    `Patches scheduled ${at(0)}`,
  ]);
  expect((await call(skipping, { id, at: at(1) })).skipOccurrence.userErrors).toEqual([
    { path: ['input', 'occursAt'] },
  ]);
});

test.each([
  ['skipOccurrence', '$at: Timestamp!', 'input: { occursAt: $at, shouldPublish: false }'],
  ['moveOccurrence', '$input: MoveOccurrenceInput!', 'input: $input'],
])('%s is refused at another version', async (verb, variable, argument) => {
  const id = await start7();
  const input = { occursAt: at(7), beginsAt: at(8), endsAt: at(9), shouldPublish: false };
  const query = `mutation ($id: ID!, $version: Int, ${variable}) {
    ${verb}(id: $id, ifVersion: $version, ${argument}) { recurrence { version } userErrors { path } } }`;
  const write = async (version: number) => (await service.graphql(query, { id, version, at: at(14), input })).json;
  const { currentVersion, code } = (await write(99)).errors[0].extensions;
  expect(code).toBe('PRECONDITION_FAILED');
  expect((await write(currentVersion)).data[verb]).toMatchObject({ userErrors: [] });
  await plan();
});

test('after its end no more occurrences are planned', async () => {
  const id = await start7();
  await call('mutation ($id: ID!) { endRecurrence(id: $id) { recurrence { nextOccurrenceAt } } }', { id });
  expect(await plan()).toBe(0);
  expect((await readRecurrence()).nextOccurrenceAt).toBeNull();
  expect(await listNotices()).toEqual([`Patches scheduled ${at(0)}`]);
});

const updating = `mutation ($id: ID!, $input: UpdateRecurrenceInput!) {
  updateRecurrence(id: $id, input: $input) { recurrence { nextOccurrenceAt } userErrors { path message } } }`;

test('this and all later are changed; what has begun stays', async () => {
  const id = await start7();
  await plan();
  await service.patch(`/v1/pages/${page}/notices/${(await readRecurrence()).plannedNoticeIds[0]}`, {
    state: 'underway',
  });
  const input = {
    rule: 'FREQ=DAILY;INTERVAL=3',
    beginsAt: at(8),
    endsAt: at(9),
    subject: 'Moved',
    shouldPublish: false,
  };
  expect((await call(updating, { id, input })).updateRecurrence.userErrors).toEqual([]);
  await plan();
  expect(await listNotices()).toEqual([
    `Moved scheduled ${at(11)}`,
    `Moved scheduled ${at(8)}`,
    `Patches underway ${at(0)}`,
  ]);
});

const changing = `mutation ($id: ID!, $input: UpdateRecurrenceInput!, $hash: String) {
    updateRecurrence(id: $id, input: $input, previewHash: $hash) {
      notice { subject } publication { id } recurrence { shouldPublish } userErrors { path } } }`;
const previewSeries = async (id: string, input: object) =>
  (
    await call(
      `query ($page: ID!, $id: ID!, $input: UpdateRecurrenceInput!) {
        previewRecurrence(pageId: $page, id: $id, input: $input) {
          hash messages { mail { text } } userErrors { path } } }`,
      { id, input },
    )
  ).previewRecurrence;

test('a change of a series is one publication, with its preview, that names the further dates', async () => {
  const id = await start7();
  await plan();
  const before = await countPublications();
  const noticeId = (await readRecurrence()).plannedNoticeIds[0];
  const input = {
    subject: 'Updates',
    beginsAt: at(1),
    endsAt: at(2),
    rule: 'FREQ=DAILY;INTERVAL=3',
    shouldPublish: true,
  };
  const ofNotice = await call(
    `query ($page: ID!, $id: ID!, $input: NoticeChangeInput!) {
      previewPublication(pageId: $page, noticeId: $id, input: $input) { hash } }`,
    {
      id: noticeId,
      input: { updateNotice: { subject: 'Updates', beginsAt: at(1), endsAt: at(2), shouldPublish: true } },
    },
  );
  const preview = await previewSeries(id, { ...input, shouldPublish: false });
  expect(preview.userErrors).toEqual([]);
  const other = await service.graphql(changing, { page, id, input, hash: ofNotice.previewPublication.hash });
  expect(other.json.errors[0].extensions).toMatchObject({ code: 'PRECONDITION_FAILED', changedParts: ['TEXT'] });
  const { updateRecurrence } = await call(changing, { id, input, hash: preview.hash });
  expect(updateRecurrence).toEqual({
    notice: { subject: 'Updates' },
    publication: { id: expect.any(String) },
    recurrence: { shouldPublish: true },
    userErrors: [],
  });
  await plan();
  expect(await countPublications()).toBe(before + 1);
  const sent = await readSnapshot();
  expect(sent.notice).toMatchObject({
    subject: 'Updates',
    furtherWindows: [{ beginsAt: at(4), endsAt: at(5) }, { beginsAt: at(7) }, { beginsAt: at(10) }],
  });
  const links = {
    preferences: `${sent.page.address}/preferences/preview`,
    unsubscribe: `${sent.page.address}/unsubscribe/preview`,
  };
  expect(preview.messages.mail.text).toContain('Further dates');
  expect(preview.messages.mail.text).toBe(renderMail(sent, links).text);
  const silent = { shouldPublish: false, shouldPublishLater: false, content: 'More.' };
  const later = (await call(changing, { id, input: silent })).updateRecurrence;
  expect(later).toMatchObject({ publication: null, recurrence: { shouldPublish: false } });
  expect(await countPublications()).toBe(before + 1);
});

test('notices beyond the end of a new rule are cancelled', async () => {
  const id = await start7();
  await plan();
  const input = { rule: 'FREQ=DAILY;COUNT=1', beginsAt: at(2), endsAt: at(3), shouldPublish: false };
  await call(updating, { id, input });
  expect(await listNotices()).toEqual([`Patches cancelled ${at(7)}`, `Patches scheduled ${at(2)}`]);
  expect(await plan()).toBe(0);
});

test('a change that leaves the first notice as it is announces the next one that it moves', async () => {
  const id = await start7();
  await plan();
  const input = { rule: 'FREQ=DAILY;INTERVAL=14', shouldPublish: true };
  const { hash } = await previewSeries(id, input);
  expect((await call(changing, { id, input, hash })).updateRecurrence.userErrors).toEqual([]);
  expect(await listNotices()).toEqual([`Patches scheduled ${at(14)}`, `Patches scheduled ${at(0)}`]);
  expect(await countPublications()).toBe(2);
});

test('a message about a series names neither the dates that are skipped nor the former ones of those moved', async () => {
  const id = await start7();
  await plan();
  await call(skipping, { id, at: at(14) });
  const moving = `mutation ($id: ID!, $input: MoveOccurrenceInput!) {
    moveOccurrence(id: $id, input: $input) { userErrors { path } } }`;
  const moved = { occursAt: at(7), beginsAt: at(8), endsAt: at(9), shouldPublish: false };
  await call(moving, { id, input: moved });
  await call(updating, { id, input: { subject: 'Other patches', shouldPublish: true } });
  const { notice } = await readSnapshot();
  expect(notice.furtherWindows!.map(({ beginsAt }) => beginsAt)).toEqual([at(8), at(21), at(28)]);
});

test('dates that no message has named are announced, where the recurrence says so', async () => {
  await start7({ shouldPublish: false, recurrence: { rule: 'FREQ=DAILY;INTERVAL=7', shouldPublish: true } });
  await plan();
  expect(await countPublications()).toBe(1);
});
