-- The columns of OpenStatus that matter here, with two pages.
create table page (id integer primary key, title text, description text, slug text, custom_domain text, published int,
  password text, homepage_url text, contact_url text);
create table page_component_groups (id integer primary key, page_id int, name text);
create table page_component (id integer primary key, page_id int, type text, monitor_id int, name text, description text,
  "order" int, group_id int, group_order int, created_at int);
create table status_report (id integer primary key, status text, title text, page_id int, created_at int);
create table status_report_update (id integer primary key, status text, date int, message text, status_report_id int);
create table status_report_to_page_component (status_report_id int, page_component_id int);
create table maintenance (id integer primary key, title text, message text, "from" int, "to" int, page_id int, created_at int);
create table maintenance_to_page_component (maintenance_id int, page_component_id int);
create table page_subscriber (id integer primary key, email text, page_id int, accepted_at int, unsubscribed_at int);
create table page_subscriber_to_page_component (page_subscriber_id int, page_component_id int);
insert into page values (1, 'Meridian', 'How we are', 'meridian', '', 1, null, 'https://example.com', 'mailto:help@example.com'),
  (2, 'Inside', '', 'inside', '', 1, 'secret', null, null);
insert into page_component_groups values (3, 1, 'Core');
insert into page_component values (7, 1, 'monitor', 70, 'API', 'All of it', 1, 3, 0, 1767225600),
  (8, 1, 'static', null, 'Web', null, 2, null, 0, 1767225600), (9, 2, 'static', null, 'Inside', null, 1, null, 0, 1767225600);
insert into status_report values (1, 'resolved', 'Down', 1, 1772359200), (2, 'monitoring', 'Slow', 1, 1772445600),
  (3, 'limbo', 'Odd', 1, 1772445600), (4, 'resolved', 'Inside', 2, 1772445600);
insert into status_report_update values (1, 'investigating', 1772359200, 'We are **looking**', 1),
  (2, 'resolved', 1772362800, 'Fixed', 1), (3, 'monitoring', 1772445600, 'Better', 2);
insert into status_report_to_page_component values (1, 7), (2, 8);
insert into maintenance values (1, 'Move', 'We move', 1782892800, 1782900000, 1, 1772445600);
insert into maintenance_to_page_component values (1, 7);
insert into page_subscriber values (1, 'ada@example.com', 1, 1769932800, null), (2, 'bo@example.com', 1, null, null),
  (3, 'cy@example.com', 1, 1769932800, 1769932900), (4, 'di@example.com', 1, 1769932800, null);
insert into page_subscriber_to_page_component values (4, 8);
