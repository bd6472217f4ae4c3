import pg from 'pg';

/** Pages of the measurement, in pairs that differ by one number. */
export const pages = {
  manyNotices: '0000000a',
  fewNotices: '0000000b',
  manySubscribers: '0000000c',
  fewSubscribers: '0000000d',
};

export interface Sizes {
  large: number;
  small: number;
  pages: number;
}

/** A day of the page with many notices has as many as the whole other page: both have 50 that are open. */
const notices = `
  insert into notice (page_id, type, subject, synopsis, state, begins_at, ends_at, began_at, ended_at, path,
    named_components, created_at, updated_at)
  select $1, case when is_planned then 'planned' else 'unplanned' end,
    'Elevated error rates number ' || n || ' in ' || substr(md5(n::text), 1, 10),
    'The team has identified a likely cause ' || md5(n::text || 1) || E'\\n',
    case when is_planned then 'complete' when is_open then 'investigating' else 'resolved' end,
    case when is_planned then at end, case when is_planned then at + interval '1 hour' end,
    at, case when not is_open then at + interval '30 minutes' end,
    substr(md5($1 || n), 1, 16) || '-elevated', true, at, at
  from generate_series(1, $2::integer) n
  cross join lateral (
    select n > $2::integer - 50 as is_open, n % 10 = 0 and n <= $2::integer - 50 as is_planned,
      date_trunc('milliseconds', now() - interval '1000 days' * (1 - n::float / $2::integer) - interval '1 minute') as at
  ) numbered`;

const updates = `
  insert into notice_update (notice_id, content, should_publish, posted_at, created_at, updated_at)
  select id, 'The team has identified a likely cause ' || md5(id::text), true, created_at, created_at, created_at
  from notice where page_id = $1`;

const components = `
  insert into notice_component (notice_id, component_id)
  select notice.id, component.id from notice
  join component on component.page_id = notice.page_id and component.position = 1 + notice.id % 10
  where notice.page_id = $1`;

const drafts = `
  insert into draft (page_id, verb, change, author_key, created_at, updated_at)
  select $1, 'openIncident', '{"subject": "Payments fail"}', 'person 1', now(), now()
  from generate_series(1, $2::integer)`;

const auditEntries = `
  insert into audit_entry (page_id, at, actor_kind, actor, interface, operation, subject, subject_id)
  select $1, now() - interval '1 second' * ($2::integer - n), 'token', '1', 'graphql', 'openIncident', 'notice', n::text
  from generate_series(1, $2::integer) n`;

const subscribers = `
  insert into subscriber (page_id, email, first_name, last_name, company, consent_source, created_at, updated_at,
    confirmed_at)
  select $1, 'person.' || n || '@example.com', 'First ' || substr(md5(n::text), 1, 8), 'Last ' || n % 1000,
    'Company ' || n % 5000, 'a measurement', at, at, at
  from generate_series(1, $2::integer) n
  cross join lateral (select timestamptz '2026-01-01' + n * interval '1 second' as at) created`;

const deliveries = `
  with published as (
    insert into publication (page_id, notice_id, notice_type, event, made_by, message_snapshot, created_at, fanned_out_at)
    values ($1, 1, 'unplanned', 'opened', 'token 1', '{}', now(), now())
    returning id
  )
  insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, subscriber_id, address, state,
    tries, created_at, queued_at, due_at, message_id, sent_at)
  select page_id, published.id, 1, 'email', subscriber.id::text, subscriber.id, email, 'sent', 1, now(), now(), now(),
    subscriber.id || '@example.com', now()
  from published, subscriber where page_id = $1 and $2::integer > 0`;

/** Creates all pages, of which those above are filled. */
export async function fill(url: string, sizes: Sizes): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const insert = async (statement: string, page: string, size: number) =>
    client.query(statement, statement.includes('$2') ? [page, size] : [page]);
  await createPages(client, Object.values(pages));
  await addPages(client, sizes.pages - Object.keys(pages).length);
  for (const [page, size] of [
    [pages.manyNotices, sizes.large],
    [pages.fewNotices, sizes.small],
  ] as const)
    for (const statement of [notices, updates, components, drafts, auditEntries]) await insert(statement, page, size);
  for (const [page, size] of [
    [pages.manySubscribers, sizes.large],
    [pages.fewSubscribers, sizes.small],
  ] as const)
    for (const statement of [subscribers, deliveries]) await insert(statement, page, size);
  await client.query('vacuum analyze');
  await client.end();
}

/** Adds pages without notices. */
export async function addPages(client: pg.Client, count: number): Promise<void> {
  const { rows } = await client.query('select count(*)::integer as count from page');
  const ids = Array.from({ length: count }, (_, index) => (0x10000000 + rows[0].count + index).toString(16));
  await createPages(client, ids);
}

async function createPages(client: pg.Client, ids: readonly string[]): Promise<void> {
  const rows = 'unnest($1::text[]) with ordinality page (id, n)';
  await client.query(
    `insert into page (id, name, created_at, updated_at) select id, 'Page ' || id, now(), now() from ${rows}`,
    [ids],
  );
  await client.query(`insert into brand (page_id, created_at, updated_at) select id, now(), now() from ${rows}`, [ids]);
  await client.query(
    `insert into component (page_id, name, position, created_at, updated_at)
    select id, 'Part ' || position, position, now(), now() from ${rows}, generate_series(1, 10) position`,
    [ids],
  );
}
