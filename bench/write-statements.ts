/**
 * What creating an incident with a comment and two components writes and reads, one statement after the other, by hand:
 * the same rows as All Clear's, with its audit log and its change feed. The variables are numbers: `page` (of which the
 * id is made), two components of it, and what an earlier statement returned.
 */
const page = "lpad(to_hex(:page::integer), 8, '0')";
const comment = "'We are looking into elevated error rates for requests in this region.'";
const noticeFields = [
  'page',
  'type',
  'subject',
  'synopsis',
  'beganAt',
  'shouldAutomateSchedule',
  'beginArmed',
  'completeArmed',
  'lastShouldPublish',
  'path',
  'tagList',
  'namedComponents',
  'state',
  'components',
];
const updateFields = ['notice', 'content', 'kind', 'postedAt', 'state', 'published'];

export const statements: { text: string; returns?: string }[] = [
  { text: `select id, version, locale, timezone from page where id = ${page} for no key update` },
  {
    text: `select id, name, parent_id from component where page_id = ${page} and id in (:one::integer, :other::integer)`,
  },
  {
    text:
      'insert into notice (page_id, type, subject, synopsis, state, began_at, path, named_components, created_at, updated_at)' +
      ` values (${page}, 'unplanned', 'Elevated error rates', ${comment}, 'investigating', clock_timestamp(),` +
      ' md5(random()::text), true, clock_timestamp(), clock_timestamp()) returning id',
    returns: 'notice',
  },
  {
    text:
      'insert into notice_update (notice_id, content, should_publish, state, posted_at, created_at, updated_at) values' +
      ` (:notice::integer, ${comment}, false, 'investigating', clock_timestamp(), clock_timestamp(), clock_timestamp())` +
      ' returning id',
    returns: 'update',
  },
  {
    text:
      'insert into notice_component (notice_id, component_id)' +
      ' values (:notice::integer, :one::integer), (:notice::integer, :other::integer)',
  },
  {
    text: `select id, parent_id, state from component where page_id = ${page} and id in (:one::integer, :other::integer)`,
  },
  {
    text: "update component set state = 'degraded' where id in (:one::integer, :other::integer) and state <> 'degraded'",
  },
  {
    text:
      'with entry as (insert into audit_entry' +
      ' (page_id, at, actor_kind, actor, interface, operation, subject, subject_id, request_id)' +
      ` values (${page}, clock_timestamp(), 'token', 'bench', 'v1', 'createNotice', 'Notice', :notice::text, 'request')` +
      ' returning id), changes as (insert into audit_change (entry_id, record, record_id, field, before, after)' +
      ` select entry.id, 'Notice', :notice::text, field, null, 'value' from entry, unnest('{${noticeFields}}'::text[]) field` +
      ` union all select entry.id, 'NoticeUpdate', :update::text, field, null, 'value'` +
      ` from entry, unnest('{${updateFields}}'::text[]) field),` +
      ` counted as (update page set change_count = change_count + 1 where id = ${page} returning id, change_count)` +
      ' insert into page_change (page_id, change_count, created_at) select id, change_count, clock_timestamp() from counted',
  },
];

/** Runs after the commit. */
export const readBack =
  'select row_to_json(n)::text as body from (select n.*, (select json_agg(u) from notice_update u where u.notice_id = n.id)' +
  ' as updates, (select json_agg(c) from notice_component nc join component c on c.id = nc.component_id' +
  ' where nc.notice_id = n.id) as components from notice n where n.id = :notice::integer) n';

/** A random page and two of its components. */
const variables = ['\\set page random(1, 2000)', '\\set one :page * 10 - 9', '\\set other :page * 10 - 4'];

/** A script of pgbench. */
export const pgbenchScript = [
  ...variables,
  'begin;',
  ...statements.map(({ text, returns }) => (returns ? `${text} as ${returns} \\gset` : `${text};`)),
  'commit;',
  `${readBack};`,
  '',
].join('\n');
