import { beforeEach, expect, test } from '@jest/globals';
import { planDueOccurrences } from '../../../src/notices/recurrence/recurrence.automation.js';
import type { MessageSnapshot } from '../../../src/notifications/messages/message-snapshot.js';
import { createPage } from '../../support/factories.js';
import { moveTimesBack } from '../../support/move-times-back.js';
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
const schedule = async (rule = 'FREQ=DAILY;INTERVAL=7'): Promise<string> => {
  const { scheduleMaintenance } = await call(
    `mutation ($page: ID!, $input: ScheduleMaintenanceInput!) {
      scheduleMaintenance(pageId: $page, input: $input) {
        notice { ... on PlannedNotice { recurrenceId } } userErrors { path message } } }`,
    { input: { subject: 'Patches', beginsAt: at(0), endsAt: at(0, 1), shouldPublish: true, recurrence: { rule } } },
  );
  expect(scheduleMaintenance.userErrors).toEqual([]);
  await plan();
  return scheduleMaintenance.notice.recurrenceId;
};
const change = async (name: string, type: string, id: string, input: object) => {
  const { result } = await call(
    `mutation ($id: ID!, $input: ${type}!) { result: ${name}(id: $id, input: $input) { userErrors { path message } } }`,
    { id, input: { shouldPublish: false, ...input } },
  );
  expect(result.userErrors).toEqual([]);
};
const skip = (id: string, days: number) =>
  change('skipOccurrence', 'SkipOccurrenceInput', id, { occursAt: at(days), shouldPublish: true });
const update = async (id: string, input: object) => {
  await change('updateRecurrence', 'UpdateRecurrenceInput', id, input);
  await plan();
};
const listNotices = async () =>
  (
    await service.database.query<{ state: string; begins: Date }>(
      'select state, begins_at as begins from notice where page_id = $1 order by begins_at, id',
      [page],
    )
  ).map(({ state, begins }) => `${state} ${new Date(begins).toISOString()}`);
const listUpcoming = async (id: string) =>
  (
    await call(
      'query ($page: ID!, $id: ID!) { upcomingOccurrences(pageId: $page, id: $id) { occurrences { occursAt } } }',
      {
        id,
      },
    )
  ).upcomingOccurrences.occurrences.map(({ occursAt }: { occursAt: string }) => occursAt);

test('a date that was cancelled stays cancelled when the length of all changes', async () => {
  const id = await schedule();
  await skip(id, 7);
  await plan();
  const before = [`scheduled ${at(0)}`, `cancelled ${at(7)}`, `scheduled ${at(14)}`];
  expect(await listNotices()).toEqual(before);
  await update(id, { fromOccurrence: at(0), beginsAt: at(0), endsAt: at(0, 2), shouldPublish: true });
  expect(await listNotices()).toEqual(before);
  const [row] = await service.database.query<{ snapshot: MessageSnapshot }>(
    'select message_snapshot as snapshot from publication where page_id = $1 order by id desc limit 1',
    [page],
  );
  expect(row!.snapshot.notice.furtherWindows!.map(window => window.beginsAt)).toEqual([at(14), at(21), at(28)]);
});

test('a date that was skipped before it became a notice stays skipped where the new rule has it', async () => {
  const id = await schedule();
  await skip(id, 14);
  await update(id, { fromOccurrence: at(0), beginsAt: at(0), endsAt: at(0, 2) });
  expect(await listUpcoming(id)).toEqual([at(0), at(7), at(21)]);
});

test('a date that was skipped takes place where the series is to begin there', async () => {
  const id = await schedule();
  await skip(id, 14);
  await update(id, { beginsAt: at(14), endsAt: at(14, 1) });
  expect(await listUpcoming(id)).toEqual([at(14), at(21), at(28)]);
});

test('a notice that was moved past its own time has one occurrence after changes of the rule', async () => {
  const id = await schedule();
  const moved = { occursAt: at(0), beginsAt: at(3), endsAt: at(3, 2) };
  await change('moveOccurrence', 'MoveOccurrenceInput', id, moved);
  await moveTimesBack(service.database, `${Math.ceil((start - Date.now()) / 1000) + 3600} seconds`);
  await update(id, { rule: 'FREQ=DAILY;INTERVAL=5' });
  await update(id, { rule: 'FREQ=DAILY;INTERVAL=3' });
  const rows = await service.database.query<{ notice: number; isAtItsTime: boolean }>(
    `select o.notice_id as notice, o.occurs_at = n.begins_at as "isAtItsTime"
     from occurrence o join notice n on n.id = o.notice_id where o.recurrence_id = $1 order by o.occurs_at`,
    [Number(id)],
  );
  expect(rows).toEqual([
    expect.objectContaining({ isAtItsTime: true }),
    expect.objectContaining({ isAtItsTime: true }),
  ]);
  expect(new Set(rows.map(({ notice }) => notice)).size).toBe(2);
});

const countPublications = async () =>
  (await service.database.query('select 1 from publication where page_id = $1', [page])).length;
const planNext = async (id: string) => {
  await service.database.query('update recurrence set due_at = now() - make_interval(secs => 1) where id = $1', [id]);
  await plan();
};

test('a date that an earlier message named is announced with its new time when it becomes a notice', async () => {
  const id = await schedule();
  await update(id, { fromOccurrence: at(0), beginsAt: at(0, 5), endsAt: at(0, 6) });
  expect(await countPublications()).toBe(1);
  await planNext(id);
  expect((await listNotices()).at(-1)).toBe(`scheduled ${at(14, 5)}`);
  expect(await countPublications()).toBe(2);
});

test('a date that was changed while there was no notice is announced when it becomes one', async () => {
  const id = await schedule('FREQ=DAILY;INTERVAL=60');
  await service.database.query("update notice set state = 'complete' where page_id = $1", [page]);
  await update(id, { fromOccurrence: at(60), beginsAt: at(60, 5), endsAt: at(60, 6), shouldPublish: true });
  await planNext(id);
  expect((await listNotices()).at(-1)).toBe(`scheduled ${at(60, 5)}`);
  expect(await countPublications()).toBe(2);
});

test('a date that the message of a change named has none of its own', async () => {
  const id = await schedule();
  await update(id, { fromOccurrence: at(0), beginsAt: at(0, 5), endsAt: at(0, 6), shouldPublish: true });
  await planNext(id);
  expect((await listNotices()).at(-1)).toBe(`scheduled ${at(14, 5)}`);
  expect(await countPublications()).toBe(2);
});
