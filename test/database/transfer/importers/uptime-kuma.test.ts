import { expect, test } from '@jest/globals';
import { describePage } from '../../../support/imported-pages.js';
import { useService } from '../../../support/service.js';
import { createUptimeKuma } from '../../../support/uptime-kuma.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';

const service = useService();
const { run, report } = createImport(service);
removeSavedAnswers();

test('allclear import --from uptime-kuma moves a status page, twice without doubling it', async () => {
  const path = createUptimeKuma();
  const options = ['--from', 'uptime-kuma', '--source-page', 'main', '--yes'];
  const first = await report(path, ...options);
  expect(first.leftOut.map(({ sourceId, reason }) => `${sourceId} ${reason}`)).toEqual([
    '4 has the unknown time zone "Mars/Olympus"',
    '2 has the strategy recurring-weekday without a time',
  ]);
  expect(await describePage(service, first.pageId!)).toEqual([
    'Meridian, UTC',
    'Core',
    'Core / API',
    'Core / Web',
    'Move: COMPLETE 2026-07-01T08:00 2026-07-01T10:00 [2026-07-01T08:00 2026-07-01T10:00] API DEGRADED',
    '  SCHEDULED 2026-07-01T08:00 We move',
    'Hello: null 2026-03-02T10:00 2026-03-02T10:00 ',
    '  null 2026-03-02T10:00 News',
    'Down: RESOLVED 2026-03-01T10:00 2026-03-01T11:00 ',
    '  INVESTIGATING 2026-03-01T10:00 **Down** for all',
  ]);
  expect(toCounts(await report(path, ...options, '--page', first.pageId!))).toEqual({
    component: [0, 0, 3, 0],
    notice: [0, 0, 3, 1],
    recurrence: [0, 0, 0, 1],
    update: [0, 0, 3, 0],
    subscriber: [0, 0, 0, 0],
  });
});

const recurring = `
  alter table maintenance add start_time text; alter table maintenance add end_time text;
  alter table maintenance add weekdays text; alter table maintenance add cron text;
  alter table maintenance add duration int;
  update maintenance set start_time = '02:00', end_time = '04:00', weekdays = '[0]', timezone = 'Europe/Berlin' where id = 2;
  insert into maintenance (id, title, description, active, strategy, start_date, cron, duration, timezone)
    values (9, 'Restart', '', 1, 'cron', '2026-01-01 00:00:00', '0 22 * * 5', 3600, 'Europe/Berlin');
  insert into maintenance_status_page values (9, 9, 1);
  insert into monitor_maintenance values (9, 9, 7);`;
const readRecurrences = async (page: string) =>
  (
    await service.graphql(
      `query ($page: ID!) { page(id: $page) { recurrences { nodes {
        subject content rule timezone beginsAt endsAt componentIds shouldAutomateSchedule shouldPublish nextOccurrenceAt
      } } } }`,
      { page },
    )
  ).json.data.page.recurrences.nodes as { subject: string; nextOccurrenceAt: string; componentIds: string[] }[];

test('maintenance that repeats becomes recurrences, which a second import updates', async () => {
  const options = ['--from', 'uptime-kuma', '--source-page', 'main', '--yes'];
  const first = await report(createUptimeKuma(recurring), ...options);
  const page = first.pageId!;
  expect(toCounts(first).recurrence).toEqual([2, 0, 0, 0]);
  const [weekly, restart] = await readRecurrences(page);
  expect(weekly).toMatchObject({
    subject: 'Weekly',
    content: 'Each week',
    rule: 'FREQ=WEEKLY;BYDAY=SU',
    timezone: 'Europe/Berlin',
    componentIds: [],
    shouldAutomateSchedule: true,
    shouldPublish: false,
  });
  expect(restart).toMatchObject({
    subject: 'Restart',
    content: null,
    rule: 'FREQ=WEEKLY;BYDAY=FR',
    timezone: 'Europe/Berlin',
    beginsAt: '2026-01-02T21:00:00.000Z',
    endsAt: '2026-01-02T22:00:00.000Z',
  });
  expect(restart!.componentIds).toHaveLength(1);
  expect(new Date(restart!.nextOccurrenceAt).getTime()).toBeGreaterThan(Date.now());
  expect(toCounts(await report(createUptimeKuma(recurring), ...options, '--page', page)).recurrence).toEqual([
    0, 0, 2, 0,
  ]);
  const changed = `${recurring} update maintenance set title = 'Reboot', cron = '30 21 * * 5' where id = 9;`;
  expect(toCounts(await report(createUptimeKuma(changed), ...options, '--page', page)).recurrence).toEqual([
    0, 1, 1, 0,
  ]);
  const [, reboot] = await readRecurrences(page);
  expect(reboot).toMatchObject({ subject: 'Reboot', rule: 'FREQ=WEEKLY;BYDAY=FR' });
  expect(
    new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(
      new Date(reboot!.nextOccurrenceAt),
    ),
  ).toBe('21:30');
});

test('reads older databases, which lack tables', async () => {
  const old =
    'drop table maintenance; drop table maintenance_status_page; drop table monitor_maintenance; drop table incident;';
  const { pageId } = await report(createUptimeKuma(old), '--from', 'uptime-kuma', '--source-page', 'main', '--yes');
  expect(await describePage(service, pageId!)).toEqual(['Meridian, UTC', 'Core', 'Core / API', 'Core / Web']);
});

test('says how to read MariaDB, and reads its tables as JSON', async () => {
  const configuration = { 'db-config.json': { type: 'mariadb', hostname: 'db', database: 'kuma' } };
  const { error } = await run(saveAnswers(configuration), '--from', 'uptime-kuma');
  expect(error).toContain('has its data in MariaDB. Save these tables as JSON');
  const exported = {
    ...configuration,
    'status_page.json': [{ id: 1, slug: 'main', title: 'Main', description: null }],
    'group.json': [{ id: 1, name: 'Core', status_page_id: 1, public: 1, active: 1, weight: 1 }],
    'monitor.json': [{ id: 7, name: 'API' }],
    'monitor_group.json': [{ id: 1, monitor_id: 7, group_id: 1, weight: 1 }],
  };
  const { pageId } = await report(saveAnswers(exported), '--from', 'uptime-kuma', '--yes');
  expect(await describePage(service, pageId!)).toEqual(['Main, UTC', 'Core', 'Core / API']);
});

test('asks for what the database does not say', async () => {
  const path = createUptimeKuma('insert into maintenance_status_page values (3, 3, 1);');
  expect((await run(path, '--from', 'uptime-kuma')).error).toBe('Choose a page by --source-page: main, other.\n');
  const options = ['--from', 'uptime-kuma', '--source-page', 'main'];
  expect((await run(path, ...options)).error).toContain('say their zone, such as --time-zone Europe/Berlin');
  expect((await run(path, ...options, '--time-zone', 'America/New_York')).code).toBe(0);
  expect((await run(saveAnswers({ 'x.db': 'no' }), ...options)).error).toContain('is no database of Uptime Kuma');
});
