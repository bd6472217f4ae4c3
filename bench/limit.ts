import { createServer } from 'node:http';
import pg from 'pg';
import { pool as poolSettings } from './settings.ts';

/**
 * The upper limit for a service on this database: node:http and one handwritten prepared statement, whose JSON is sent
 * unchanged. It checks no token, knows one page and validates nothing. Other statements were not faster (one select a
 * type, lateral joins, concatenated text) or slower (json_build_object, the binary format of the driver).
 */
const formatTimestamp = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const base = new URL(process.env.PUBLIC_URL!);

const customDomain = `select 'https://' || d.domain from custom_domain d
  where d.page_id = n.page_id and d.verified_at is not null`;

const link = `coalesce((${customDomain}), '${base.protocol}//' || n.page_id || '.${base.host}') || '/notices/' || n.path`;

const inner = `
  select n.type as kind, n.id, n.type, n.subject, n.synopsis, n.state,
    case
      when n.state = 'scheduled' then 'future'
      when n.state in ('investigating', 'identified', 'recovering', 'underway') then 'present'
      when n.ended_at < statement_timestamp() - interval '168 hours' then 'past_distant'
      else 'past_recent'
    end as timeline_state,
    ${formatTimestamp('n.begins_at')} as begins_at, ${formatTimestamp('n.ends_at')} as ends_at,
    ${formatTimestamp('n.began_at')} as began_at, ${formatTimestamp('n.ended_at')} as ended_at,
    n.should_automate_schedule,
    ${formatTimestamp('n.created_at')} as created_at, ${formatTimestamp('n.updated_at')} as updated_at,
    ${link} as link, n.tag_list,
    (select coalesce(json_agg(u), '[]') from (
      select u.id as "id", u.content as "content", u.should_publish as "should_publish",
        ${formatTimestamp('u.created_at')} as "created_at", ${formatTimestamp('u.updated_at')} as "updated_at",
        ${link} || '#update-' || u.id as "link"
      from notice_update u where u.notice_id = n.id order by u.posted_at, u.id
    ) u) as updates,
    (select coalesce(json_agg(c), '[]') from (
      select c.id as "id", c.state as "state", c.name as "name", c.description as "description",
        c.position as "position", c.parent_id as "parent_id",
        ${formatTimestamp('c.created_at')} as "created_at", ${formatTimestamp('c.updated_at')} as "updated_at"
      from notice_component named join component c on c.id = named.component_id
      where named.notice_id = n.id order by c.position, c.id
    ) c) as components
  from notice n where n.page_id = $1 order by n.id desc limit 500`;

const before = 'id, type, subject, synopsis';
const after = 'created_at, updated_at, link, tag_list, updates, components';
const keys = {
  general: `${before}, timeline_state, began_at, ended_at, ${after}`,
  unplanned: `${before}, state, timeline_state, began_at, ended_at, ${after}`,
  planned: `${before}, state, timeline_state, begins_at, ends_at, began_at, ended_at, should_automate_schedule, ${after}`,
};
const selectKind = (kind: keyof typeof keys) => {
  const columns = keys[kind].split(', ').map(key => `k.${key} as "${key}"`);
  return `when '${kind}' then (select row_to_json(r) from (select ${columns.join(', ')}) r)`;
};
const kinds = `${selectKind('unplanned')} ${selectKind('planned')} ${selectKind('general')}`;
const text = `select row_to_json(a)::text as body
  from (
    select coalesce(json_agg(l.notice), '[]') as "response", count(*) as "count"
    from (select case k.kind ${kinds} end as notice from (${inner}) k) l
  ) a`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, ...poolSettings });

const server = createServer(async (_, response) => {
  const { rows } = await pool.query({ name: 'list', text, values: ['00000001'] });
  const { body } = rows[0] as { body: string };
  response.writeHead(200, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
  ]);
  response.end(body);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
