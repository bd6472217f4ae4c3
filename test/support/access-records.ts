import type { Database } from '../../src/db/connection.js';
import { createToken, listTokens, revokeToken } from '../../src/auth/token.service.js';
import type { TestRequest, TestService } from './service.js';
import { writeZip } from './zip-writer.js';

/** The ids of a page with a record of each kind, as routes name them; `sibling_id` is an update of another notice. */
export type AccessRecords = Record<
  | 'page_id'
  | 'component_id'
  | 'notice_id'
  | 'update_id'
  | 'template_id'
  | 'subscriber_id'
  | 'sibling_id'
  | 'timezone_id'
  | 'publication_id'
  | 'delivery_id',
  string
>;

/** `hasTheme` is false where a test needs no theme, since the upload of a theme starts a process to check it. */
export async function createAccessRecords(service: TestService, hasTheme = true): Promise<AccessRecords> {
  const create = async (resource: string, values: object): Promise<string> => {
    const response = await service.post(resource, values);
    if (response.status !== 201) throw new Error(`${resource}: ${response.text}`);
    return String(response.json.response.id);
  };
  const page_id = await create('/v1/pages', { name: 'A page' });
  const path = `/v1/pages/${page_id}`;
  const component_id = await create(`${path}/components`, { name: 'A component' });
  const notice_id = await create(`${path}/notices`, { subject: 'A notice', component_ids: [component_id] });
  const other = await create(`${path}/notices`, { subject: 'Another notice' });
  const update_id = await create(`${path}/notices/${notice_id}/updates`, { content: 'An update' });
  const sibling_id = await create(`${path}/notices/${other}/updates`, { content: 'Another update' });
  const template_id = await create(`${path}/notice_templates`, { name: 'A template', component_id });
  const subscriber_id = await create(`${path}/subscribers`, {
    email: 'somebody@example.com',
    component_ids: [component_id],
  });
  await create(`${path}/custom_domain`, { domain: `status-${page_id}.example.com` });
  if (hasTheme) await service.call('PATCH', `${path}/theme`, themeUpload());
  await service.patch(`${path}/brand`, { color_header_text: '#000' });
  // The channel is never called: its test is refused before.
  const channel = { channel: 'CHAT_A', url: 'https://127.0.0.1/services/secret' };
  await service.graphql(
    'mutation($pageId: ID!, $input: ConfigureChannel!) { configureChannel(pageId: $pageId, input: $input) { page { id } } }',
    {
      pageId: page_id,
      input: channel,
    },
  );
  const { publication_id, delivery_id } = await createDeadDelivery(service.database, page_id);
  return {
    page_id,
    component_id,
    notice_id,
    update_id,
    template_id,
    subscriber_id,
    sibling_id,
    timezone_id: 'UTC',
    publication_id,
    delivery_id,
  };
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
  ...{
    page_id: '00000000',
    component_id: '2147483647',
    notice_id: '2147483647',
    update_id: '2147483647',
    template_id: 'zzzzzz',
  },
  ...{
    subscriber_id: '2147483647',
    sibling_id: '2147483647',
    timezone_id: 'Nowhere',
    publication_id: '2147483647',
    delivery_id: '2147483647',
  },
};

export const themeArchive = () => writeZip([{ name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' }]);

export function themeUpload(): TestRequest {
  const body = new FormData();
  body.append('zip', new Blob([new Uint8Array(themeArchive())], { type: 'application/zip' }), 'theme.zip');
  return { body };
}

/** Creates a token and revokes it. */
export async function createRevokedToken(database: Database): Promise<string> {
  const token = await createToken(database, 'revoked', 'write');
  const { id } = (await listTokens(database)).find(({ label }) => label === 'revoked')!;
  await revokeToken(database, id);
  return token;
}

/** Hashes the rows of each table, one line per table. */
export async function hashTables(database: Database): Promise<string> {
  const statement = statements.get(database) ?? (await createHashStatement(database));
  statements.set(database, statement);
  return (await database.query<{ name: string; rows: string }>(statement))
    .map(({ name, rows }) => `${name}: ${rows}`)
    .join('\n');
}

const statements = new WeakMap<Database, string>();

async function createHashStatement(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  return tables
    .map(
      ({ name }) =>
        `(select '${name}' as name, coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as rows from "${name}" t)`,
    )
    .join(' union all ');
}
