import { beforeEach, expect, test } from '@jest/globals';
import { planDueOccurrences } from '../../../src/notices/recurrence/recurrence.automation.js';
import type { MessageSnapshot } from '../../../src/notifications/messages/message-snapshot.js';
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
const skip = (id: string, days: number, shouldPublish: boolean) =>
  change('skipOccurrence', 'SkipOccurrenceInput', id, { occursAt: at(days), shouldPublish });

/** The last message, and the dates that it is about. */
const readLast = async () => {
  const rows = await service.database.query<{ event: string; snapshot: MessageSnapshot }>(
    'select event, message_snapshot as snapshot from publication where page_id = $1 order by id',
    [page],
  );
  const { event, snapshot } = rows.at(-1)!;
  return { count: rows.length, event, beginsAt: snapshot.notice.beginsAt, endsAt: snapshot.notice.endsAt };
};
const listNotices = () =>
  service.database.query<{ state: string }>('select state from notice where page_id = $1 order by begins_at', [page]);

test('who was notified of a date that is no notice yet is notified that it is cancelled', async () => {
  const id = await schedule();
  await skip(id, 21, true);
  expect(await readLast()).toEqual({ count: 2, event: 'cancelled', beginsAt: at(21), endsAt: at(21, 1) });
  expect((await listNotices()).map(({ state }) => state)).toEqual(['scheduled', 'scheduled', 'cancelled']);
  await skip(id, 21, true);
  expect((await readLast()).count).toBe(2);
});

test('nobody is notified that a date is skipped that no message named, or silently', async () => {
  const id = await schedule();
  await skip(id, 28, true);
  await skip(id, 14, false);
  expect((await readLast()).count).toBe(1);
  expect(await listNotices()).toHaveLength(2);
});
