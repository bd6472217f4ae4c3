import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { describePage } from '../../support/imported-pages.js';
import { useService } from '../../support/service.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../support/saved-answers.js';

const service = useService();
const { run, report } = createImport(service);
removeSavedAnswers();

/** The columns of version 2 that matter here. */
const schema = `
  create table status_page (id integer primary key, slug text, title text, description text, icon text, theme text,
    published boolean, search_engine_index boolean, password text);
  create table "group" (id integer primary key, name text, public boolean, active boolean, weight int, status_page_id int);
  create table monitor (id integer primary key, name text);
  create table monitor_group (id integer primary key, monitor_id int, group_id int, weight int, send_url boolean);
  create table incident (id integer primary key, title text, content text, style text, created_date datetime,
    last_updated_date datetime, pin boolean, active boolean, status_page_id int);
  create table maintenance (id integer primary key, title text, description text, active boolean, strategy text,
    start_date datetime, end_date datetime, timezone text);
  create table maintenance_status_page (id integer primary key, maintenance_id int, status_page_id int);
  create table monitor_maintenance (id integer primary key, maintenance_id int, monitor_id int);
  insert into status_page values (1, 'main', 'Meridian', 'How we are', '', 'auto', 1, 1, null),
    (2, 'other', 'Other', '', '', 'auto', 1, 0, 'secret');
  insert into "group" values (1, 'Core', 1, 1, 1, 1), (2, 'Elsewhere', 1, 1, 1, 2);
  insert into monitor values (7, 'API'), (8, 'Web');
  insert into monitor_group values (1, 7, 1, 1, 0), (2, 8, 1, 2, 0), (3, 8, 2, 1, 0);
  insert into incident values
    (1, 'Down', '**Down** for all', 'danger', '2026-03-01 10:00:00', '2026-03-01 11:00:00', 0, 0, 1),
    (2, 'Hello', 'News', 'info', '2026-03-02 10:00:00', null, 1, 1, 1),
    (3, 'Not ours', 'x', 'info', '2026-03-02 10:00:00', null, 1, 1, 2);
  insert into maintenance values
    (1, 'Move', 'We move', 1, 'single', '2026-07-01 10:00:00', '2026-07-01 12:00:00', 'Europe/Berlin'),
    (2, 'Weekly', 'Each week', 1, 'recurring-weekday', null, null, 'UTC'),
    (3, 'Local', 'Here', 1, 'single', '2099-01-01 10:00:00', '2099-01-01 12:00:00', 'SAME_AS_SERVER'),
    (4, 'Far', 'There', 1, 'single', '2099-01-01 10:00:00', '2099-01-01 12:00:00', 'Mars/Olympus');
  insert into maintenance_status_page values (1, 1, 1), (2, 2, 1), (4, 4, 1);
  insert into monitor_maintenance values (1, 1, 7);`;

function createDatabase(more = ''): string {
  const path = join(saveAnswers({}), 'kuma.db');
  const database = new DatabaseSync(path);
  database.exec(schema + more);
  database.close();
  return path;
}

test('allclear import --from uptime-kuma moves a status page, twice without doubling it', async () => {
  const path = createDatabase();
  const options = ['--from', 'uptime-kuma', '--source-page', 'main', '--yes'];
  const first = await report(path, ...options);
  expect(first.leftOut.map(({ sourceId, reason }) => `${sourceId} ${reason}`)).toEqual([
    '2 has the strategy recurring-weekday, and no single window',
    '4 has the unknown time zone "Mars/Olympus"',
  ]);
  expect(await describePage(service, first.pageId!)).toEqual([
    ...['Meridian, UTC', 'Core', 'Core / API', 'Core / Web'],
    'Move: COMPLETE 2026-07-01T08:00 2026-07-01T10:00 [2026-07-01T08:00 2026-07-01T10:00] API DEGRADED',
    '  SCHEDULED 2026-07-01T08:00 We move',
    'Hello: null 2026-03-02T10:00 2026-03-02T10:00 ',
    '  null 2026-03-02T10:00 News',
    'Down: RESOLVED 2026-03-01T10:00 2026-03-01T11:00 ',
    '  INVESTIGATING 2026-03-01T10:00 **Down** for all',
  ]);
  expect(toCounts(await report(path, ...options, '--page', first.pageId!))).toEqual({
    ...{ component: [0, 0, 3, 0], notice: [0, 0, 3, 2], update: [0, 0, 3, 0], subscriber: [0, 0, 0, 0] },
  });
});

test('asks for what the database does not say', async () => {
  const path = createDatabase('insert into maintenance_status_page values (3, 3, 1);');
  expect((await run(path, '--from', 'uptime-kuma')).error).toBe('Choose a page by --source-page: main, other.\n');
  const options = ['--from', 'uptime-kuma', '--source-page', 'main'];
  expect((await run(path, ...options)).error).toContain('say their zone, such as --time-zone Europe/Berlin');
  expect((await run(path, ...options, '--time-zone', 'America/New_York')).code).toBe(0);
  expect((await run(saveAnswers({ 'x.db': 'no' }), ...options)).error).toContain('is no database of Uptime Kuma');
});
