import type { Database } from '../../src/db/database.js';
import { listTokens, scopes } from '../../src/auth/token.service.js';
import {
  createComponent,
  createNotice,
  createPage,
  createRecord,
  createSubscriber,
  createTemplate,
  createUpdate,
} from './factories.js';
import type { TestRequest, TestService } from './service.js';
import { writeZip } from './zip-writer.js';
import { createToken, revokeToken } from './tokens.js';

/** A time that a draft can be published at. */
export const nextWeek = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();

/** The ids of a page with a record of each kind, as routes name them; `sibling_id` is an update of another notice. */
export type AccessRecords = Record<
  | 'page_id'
  | 'component_id'
  | 'notice_id'
  | 'update_id'
  | 'template_id'
  | 'subscriber_id'
  | 'sibling_id'
  | 'corrected_id'
  | 'misnamed_id'
  | 'timezone_id'
  | 'publication_id'
  | 'delivery_id'
  | 'draft_id'
  | 'alert_source_id'
  | 'alert_group_id'
  | 'alert_payload_id'
  | 'audit_entry_id'
  | 'metric_id'
  | 'recurrence_id'
  | 'upstream_url'
  | 'preview_hash'
  | 'token_id'
  | 'person_id'
  | 'membership_id'
  | 'webhook_id',
  string
>;

/** `hasTheme` is false where a test needs no theme, since the upload of a theme starts a process to check it. */
export async function createAccessRecords(service: TestService, hasTheme = true): Promise<AccessRecords> {
  const page = await createPage(service);
  const { path } = page;
  const component = await createComponent(service, path);
  const about = { component_ids: [component.id] };
  const notice = await createNotice(service, path, about);
  const update = await createUpdate(service, notice.path);
  const sibling = await createUpdate(service, (await createNotice(service, path)).path);
  const corrected = await createUpdate(service, notice.path, { should_publish: true });
  await service.patch(corrected.path, { content: 'We have looked into it.' });
  const misnamed = await createNotice(service, path, { component_ids: [component.id], should_publish: true });
  await service.patch(misnamed.path, { component_ids: [] });
  const template = await createTemplate(service, path, { component_id: component.id });
  const subscriber = await createSubscriber(service, path, about);
  await createRecord(service, `${path}/custom_domain`, { domain: `status-${page.id}.example.com` });
  if (hasTheme) await service.call('PATCH', `${path}/theme`, themeUpload());
  await service.patch(`${path}/brand`, { color_header_text: '#000' });
  // The channel is never called: its test is refused before.
  const channel = { channel: 'SLACK', url: 'https://hooks.example.invalid/services/secret' };
  await service.graphql(
    'mutation($pageId: ID!, $input: ConfigureChannelInput!) { configureChannel(pageId: $pageId, input: $input) { page { id } } }',
    {
      pageId: page.id,
      input: channel,
    },
  );
  await service.database.query(
    `insert into recipient_refusals (page_id, channel, address, count, response, suspended_at)
     select page_id, channel, 'Slack', 3, '404', clock_timestamp() from channel_target where page_id = $1`,
    [page.id],
  );
  const webhook_id = await createSuspendedWebhook(service, page.id);
  const { publication_id, delivery_id } = await createDeadDelivery(service.database, page.id);
  return {
    page_id: page.id,
    component_id: String(component.id),
    notice_id: String(notice.id),
    update_id: String(update.id),
    template_id: template.id,
    subscriber_id: String(subscriber.id),
    webhook_id,
    sibling_id: String(sibling.id),
    corrected_id: String(corrected.id),
    misnamed_id: String(misnamed.id),
    timezone_id: 'UTC',
    publication_id,
    delivery_id,
    ...(await createScheduledDraft(service, page.id, String(notice.id))),
    ...(await createAlertSource(service, page.id)),
    audit_entry_id: await findId(service.database, 'audit_entry', page.id),
    metric_id: await createMetric(service, page.id),
    recurrence_id: await createRecurrence(service.database, page.id),
    upstream_url: `${service.url}/status/${page.id}`,
    token_id: await createPageToken(service.database, page.id),
    ...(await createMember(service.database, page.id)),
  };
}

/** Operations that other operations cannot follow, since they delete or use up what those need. */
const usesUpRecords =
  /^delete|draft$|^(endRecurrence|resendDelivery|resumeWebhook|testChannel|unsubscribeSubscribers|updateMembership)$/i;
const changedRecords = new WeakMap<TestService, Promise<AccessRecords>>();

/** Returns the records that an operation may change: the same for all, but for those that use them up. */
export function recordsToChange(service: TestService, operation: string): Promise<AccessRecords> {
  if (usesUpRecords.test(operation)) return createAccessRecords(service, /theme/i.test(operation));
  const records = changedRecords.get(service) ?? createAccessRecords(service, false);
  changedRecords.set(service, records);
  return records;
}

async function createScheduledDraft(
  service: TestService,
  pageId: string,
  noticeId: string,
): Promise<Pick<AccessRecords, 'draft_id' | 'preview_hash'>> {
  const saved = await service.graphql(
    `mutation($pageId: ID!, $noticeId: ID, $input: NoticeChangeInput!) {
       saveDraft(pageId: $pageId, noticeId: $noticeId, input: $input) { draft { id } } }`,
    { pageId, noticeId, input: { advanceNotice: { state: 'RESOLVED', shouldPublish: true } } },
  );
  const { id } = saved.json.data.saveDraft.draft;
  const preview = await service.graphql(
    'query($pageId: ID!, $id: ID!) { previewDraft(pageId: $pageId, id: $id) { hash } }',
    { pageId, id },
  );
  const { hash } = preview.json.data.previewDraft;
  await service.graphql(
    `mutation($id: ID!, $hash: String!) {
       scheduleDraft(id: $id, input: { publishAt: "${nextWeek}" }, previewHash: $hash) { draft { id } } }`,
    { id, hash },
  );
  return { draft_id: id, preview_hash: hash };
}

/** Creates a source of alerts that has received one. */
async function createAlertSource(
  service: TestService,
  pageId: string,
): Promise<Pick<AccessRecords, 'alert_source_id' | 'alert_group_id' | 'alert_payload_id'>> {
  const { json } = await service.graphql(
    `mutation($pageId: ID!) {
       createAlertSource(pageId: $pageId, input: { name: "Monitor" }) { hookUrl alertSource { id } } }`,
    { pageId },
  );
  const { hookUrl, alertSource } = json.data.createAlertSource;
  await service.post(new URL(hookUrl).pathname, { alerts: [{ title: 'Disk full', status: 'firing' }] });
  return {
    alert_source_id: alertSource.id,
    alert_group_id: await findId(service.database, 'alert_group', pageId),
    alert_payload_id: await findId(service.database, 'alert_payload', pageId),
  };
}

/** Finds the first record of a page in a table. */
async function findId(database: Database, table: string, pageId: string): Promise<string> {
  const sql = `select id::text from ${table} where page_id = $1 order by id limit 1`;
  const [row] = await database.query<{ id: string }>(sql, [pageId]);
  return row!.id;
}

async function createMetric(service: TestService, pageId: string): Promise<string> {
  const { json } = await service.graphql(
    'mutation($pageId: ID!) { createMetric(pageId: $pageId, input: { name: "Latency" }) { metric { id } } }',
    { pageId },
  );
  return json.data.createMetric.metric.id;
}

/** Creates a maintenance that repeats every month, without a notice. */
async function createRecurrence(database: Database, pageId: string): Promise<string> {
  const [recurrence] = await database.query<{ id: number }>(
    `insert into recurrence (created_at, updated_at, page_id, rule, timezone, begins_at, ends_at, subject, next_at, due_at)
     select now(), now(), $1, 'FREQ=MONTHLY', 'UTC', begins_at, begins_at + interval '1 hour', 'Patches', begins_at,
       begins_at - interval '30 days'
     from (values (timestamptz '2100-01-01T00:00:00Z')) starts (begins_at)
     returning id`,
    [pageId],
  );
  return String(recurrence!.id);
}

/** It is never called: its test is refused before. */
async function createSuspendedWebhook(service: TestService, pageId: string): Promise<string> {
  const { json } = await service.graphql(
    `mutation($pageId: ID!) {
       createWebhook(pageId: $pageId, input: { url: "https://hooks.example.invalid/secret" }) { webhook { id } } }`,
    { pageId },
  );
  const { id } = json.data.createWebhook.webhook;
  await service.database.query(
    `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
     values ($1, 'webhook', $2::integer, '127.0.0.1', 1, '410', clock_timestamp())`,
    [pageId, id],
  );
  return id;
}

async function createPageToken(database: Database, pageId: string): Promise<string> {
  await createToken(database, `of ${pageId}`, { role: 'owner', pageIds: [pageId] });
  const [token] = await database.query<{ id: number }>('select id from token where page_ids = $1', [[pageId]]);
  return String(token!.id);
}

/** Creates a person with a role on the page alone. */
async function createMember(
  database: Database,
  pageId: string,
): Promise<Pick<AccessRecords, 'person_id' | 'membership_id'>> {
  const [member] = await database.query<{ person_id: string; membership_id: string }>(
    `with made as (
       insert into person (email, created_at) values ($1::text || '@example.com', clock_timestamp()) returning id
     )
     insert into membership (person_id, page_id, role) select id, $1::text, 'viewer' from made
     returning person_id::text, id::text as membership_id`,
    [pageId],
  );
  return member!;
}

/** Creates an e-mail delivery that failed for good. */
async function createDeadDelivery(
  database: Database,
  pageId: string,
): Promise<Pick<AccessRecords, 'publication_id' | 'delivery_id'>> {
  const [publication] = await database.query<{ id: number; notice: number }>(
    'select id, notice_id as notice from publication where page_id = $1 order by id limit 1',
    [pageId],
  );
  const [delivery] = await database.query<{ id: number }>(
    `insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, address, message_id, state, created_at, queued_at, due_at)
     select $1, $2::integer, $3::integer, 'email', '0', 'nobody@example.com', '<a@b>', 'dead', at, at, at from clock_timestamp() at returning id`,
    [pageId, publication!.id, publication!.notice],
  );
  return { publication_id: String(publication!.id), delivery_id: String(delivery!.id) };
}

/** Well-formed ids of records that do not exist. */
export const missingIds: AccessRecords = {
  page_id: '00000000',
  component_id: '2147483647',
  notice_id: '2147483647',
  update_id: '2147483647',
  template_id: 'zzzzzz',
  subscriber_id: '2147483647',
  sibling_id: '2147483647',
  corrected_id: '2147483647',
  misnamed_id: '2147483647',
  timezone_id: 'Nowhere',
  publication_id: '2147483647',
  delivery_id: '2147483647',
  draft_id: '2147483647',
  alert_source_id: '2147483647',
  alert_group_id: '2147483647',
  alert_payload_id: '2147483647',
  audit_entry_id: '2147483647',
  metric_id: '2147483647',
  recurrence_id: '2147483647',
  upstream_url: 'https://status.example.com',
  preview_hash: '*-*-*-*',
  token_id: '2147483647',
  person_id: '2147483647',
  membership_id: '2147483647',
  webhook_id: '2147483647',
};

export const themeArchive = () => writeZip([{ name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' }]);

export function themeUpload(): TestRequest {
  const body = new FormData();
  body.append('zip', new Blob([new Uint8Array(themeArchive())], { type: 'application/zip' }), 'theme.zip');
  return { body };
}

/** Creates a token and revokes it. */
export async function createRevokedToken(service: TestService): Promise<string> {
  const { database } = service;
  const token = await createToken(database, 'revoked', scopes.write);
  const { id } = (await listTokens(database)).find(({ label }) => label === 'revoked')!;
  await revokeToken(service, id);
  return token;
}

/** Hashes the rows of each table, one line per table. */
export async function hashTables(database: Database): Promise<string> {
  const hashes = tableHashes.get(database) ?? {
    statement: await createHashStatement(database),
    snapshot: '',
    text: '',
  };
  tableHashes.set(database, hashes);
  // Until a transaction writes, the snapshot stays the same, and what it sees.
  const [{ snapshot }] = (await database.query(snapshotStatement)) as [{ snapshot: string }];
  if (snapshot !== hashes.snapshot) {
    const tables = await database.query<{ name: string; rows: string }>(hashes.statement);
    hashes.text = tables.map(({ name, rows }) => `${name}: ${rows}`).join('\n');
    hashes.snapshot = snapshot;
  }
  return hashes.text;
}

const snapshotStatement = 'select pg_current_snapshot()::text as snapshot';
const tableHashes = new WeakMap<Database, { statement: string; snapshot: string; text: string }>();

async function createHashStatement(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const statements = tables.map(
    ({ name }) =>
      `(select '${name}' as name, coalesce(md5(string_agg(r, ' ' order by r)), '') as rows from (select ${name === 'token' ? "(to_jsonb(t) - 'last_used_at')" : 't'}::text as r from "${name}" t) rows)`,
  );
  // A parallel plan returns the rows of a union in any order.
  return `${statements.join(' union all ')} order by name`;
}
