-- The columns of version 4 of Kener that matter here, with two pages.
create table site_data (id integer primary key, key text, value text, data_type text);
create table pages (id integer primary key, page_path text, page_title text, page_header text, page_subheader text,
  page_logo text, page_settings_json text, page_is_internal integer default 0);
create table pages_monitor_groups (id integer primary key, page_id int, name text, position int);
create table pages_monitors (page_id int, monitor_tag text, monitor_settings_json text, position int,
  page_monitor_group_id int);
create table page_access_groups (page_id int, access_group_id text);
create table monitors (id integer primary key, tag text, name text, description text, status text, category_name text,
  is_hidden text default 'NO', created_at text default '2026-01-01 00:00:00');
create table incidents (id integer primary key, title text, start_date_time int, end_date_time int,
  status text default 'ACTIVE', state text, incident_type text default 'INCIDENT', is_global text default 'YES',
  created_at text default '2026-03-01 10:00:00');
create table incident_monitors (id integer primary key, monitor_tag text, monitor_impact text, incident_id int);
create table incident_comments (id integer primary key, comment text, incident_id int, commented_at int,
  status text default 'ACTIVE', state text);
create table maintenances (id integer primary key, title text, description text, start_date_time int, rrule text,
  duration_seconds int, status text, is_global text default 'YES', created_at text default '2026-03-03 09:00:00');
create table maintenance_monitors (id integer primary key, maintenance_id int, monitor_tag text, monitor_impact text);
create table maintenances_events (id integer primary key, maintenance_id int, start_date_time int, end_date_time int,
  status text);
create table subscriber_users (id integer primary key, email text, status text);
create table subscriber_methods (id integer primary key, subscriber_user_id int, method_type text, method_value text,
  status text, created_at text default '2026-02-01 08:00:00');
create table user_subscriptions_v2 (id integer primary key, subscriber_user_id int, subscriber_method_id int,
  event_type text, status text, monitor_tags text);
insert into pages (id, page_path, page_title, page_subheader) values (1, '/', 'Meridian', 'How we are'), (2, '/eu', 'EU', null);
insert into page_access_groups values (1, 'staff'), (1, 'public'), (2, 'staff');
insert into pages_monitor_groups values (5, 1, 'Core', 1);
insert into monitors (id, tag, name, description, status, is_hidden) values (1, 'api', 'API', 'All of it', 'ACTIVE', 'NO'),
  (2, 'web', 'Web', '', 'ACTIVE', 'NO'), (3, 'eu', 'EU API', '', 'ACTIVE', 'NO'), (4, 'secret', 'Secret', '', 'ACTIVE', 'YES');
insert into pages_monitors values (1, 'api', null, 1, 5), (1, 'web', null, 2, null), (2, 'eu', null, 1, null), (1, 'secret', null, 3, null);
insert into incidents (id, title, start_date_time, end_date_time, state, is_global) values
  (1, 'Down', 1772359200, 1772362800, 'RESOLVED', 'YES'), (2, 'EU is slow', 1772359200, null, 'IDENTIFIED', 'NO'),
  (3, 'Slow', 1772445600, null, 'MONITORING', 'YES'), (4, 'Odd', 1772445600, null, 'LIMBO', 'YES');
insert into incident_monitors values (1, 'api', 'DOWN', 1), (2, 'eu', 'DEGRADED', 2), (3, 'web', 'DEGRADED', 3);
insert into incident_comments values (1, 'We are **looking**', 1, 1772359200, 'ACTIVE', 'INVESTIGATING'),
  (2, 'Fixed', 1, 1772362800, 'ACTIVE', 'RESOLVED'), (3, 'Taken back', 1, 1772362000, 'INACTIVE', 'MONITORING');
insert into maintenances (id, title, description, start_date_time, rrule, duration_seconds, status, is_global) values
  (1, 'Move', 'We move', 1782892800, 'FREQ=MINUTELY;COUNT=1', 7200, 'ACTIVE', 'YES'),
  (2, 'Weekly', 'Each week', 1782892800, 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=30', 3600, 'ACTIVE', 'YES'),
  (4, 'Odd rule', '', 1782892800, 'FREQ=SECONDLY', 3600, 'ACTIVE', 'YES'),
  (3, 'EU moves', '', 1782892800, 'FREQ=MINUTELY;COUNT=1', 3600, 'ACTIVE', 'NO');
insert into maintenance_monitors values (1, 1, 'api', 'MAINTENANCE'), (2, 2, 'web', 'MAINTENANCE'), (3, 3, 'eu', 'MAINTENANCE');
insert into maintenances_events values (1, 1, 1782892800, 1782900000, 'COMPLETED'), (2, 2, 4102444800, 4102448400, 'SCHEDULED'),
  (3, 3, 4102444800, 4102448400, 'SCHEDULED');
insert into subscriber_users values (1, 'ada@example.com', 'ACTIVE'), (2, 'bo@example.com', 'PENDING'), (3, 'cy@example.com', 'ACTIVE');
insert into subscriber_methods (id, subscriber_user_id, method_type, method_value, status) values
  (1, 1, 'email', 'ada@example.com', 'ACTIVE'), (2, 2, 'email', 'bo@example.com', 'ACTIVE'),
  (3, 1, 'webhook', 'https://hooks.example.com', 'ACTIVE'), (4, 3, 'email', 'cy@example.com', 'ACTIVE');
insert into user_subscriptions_v2 values (1, 1, 1, 'incidents', 'ACTIVE', null), (2, 1, 1, 'maintenances', 'ACTIVE', null),
  (3, 3, 4, 'incidents', 'ACTIVE', '["web"]');
