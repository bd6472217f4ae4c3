import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { saveAnswers } from './saved-answers.js';

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

/** Creates the database of Uptime Kuma, with two pages. Returns its path. */
export function createUptimeKuma(more = ''): string {
  const path = join(saveAnswers({}), 'kuma.db');
  const database = new DatabaseSync(path);
  database.exec(schema + more);
  database.close();
  return path;
}
