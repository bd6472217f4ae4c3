import type { Database } from '../../src/db/connection.js';
import { createToken, listTokens, revokeToken } from '../../src/auth/token.service.js';
import type { Request, TestService } from './service.js';
import { writeZip } from './zip-writer.js';

/** A page with one of everything, by the names that routes have for their ids; `sibling_id` is an update of another notice of this page. */
export type Cast = Record<
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

/** A theme is drawn by a process of its own before it is taken: who does not need one saves that. */
export async function makeCast(service: TestService, isDressed = true): Promise<Cast> {
  const make = async (path: string, values: object): Promise<string> => {
    const answer = await service.post(path, values);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
    return String(answer.json.response.id);
  };
  const page_id = await make('/v1/pages', { name: 'A page' });
  const at = `/v1/pages/${page_id}`;
  const component_id = await make(`${at}/components`, { name: 'A component' });
  const notice_id = await make(`${at}/notices`, { subject: 'A notice', component_ids: [component_id] });
  const other = await make(`${at}/notices`, { subject: 'Another notice' });
  const update_id = await make(`${at}/notices/${notice_id}/updates`, { content: 'An update' });
  const sibling_id = await make(`${at}/notices/${other}/updates`, { content: 'Another update' });
  const template_id = await make(`${at}/notice_templates`, { name: 'A template', component_id });
  const subscriber_id = await make(`${at}/subscribers`, {
    email: 'somebody@example.com',
    component_ids: [component_id],
  });
  await make(`${at}/custom_domain`, { domain: `status-${page_id}.example.com` });
  if (isDressed) await service.call('PATCH', `${at}/theme`, upload());
  await service.patch(`${at}/brand`, { color_header_text: '#000' });
  // Nobody is called: a test of it is refused before.
  const channel = { channel: 'CHAT_A', url: 'https://127.0.0.1/services/secret' };
  await service.graphql(
    'mutation($pageId: ID!, $input: ConfigureChannel!) { configureChannel(pageId: $pageId, input: $input) { page { id } } }',
    {
      pageId: page_id,
      input: channel,
    },
  );
  const { publication_id, delivery_id } = await makeDead(service.database, page_id);
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

/** Mail to somebody that did not go. */
async function makeDead(database: Database, pageId: string): Promise<Pick<Cast, 'publication_id' | 'delivery_id'>> {
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

/** Ids of the same form, of nothing. */
export const missing: Cast = {
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

export const archive = () => writeZip([{ name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' }]);

export function upload(): Request {
  const body = new FormData();
  body.append('zip', new Blob([new Uint8Array(archive())], { type: 'application/zip' }), 'theme.zip');
  return { body };
}

/** A token that was good once. */
export async function revokedToken(database: Database): Promise<string> {
  const token = await createToken(database, 'revoked', 'write');
  const { id } = (await listTokens(database)).find(({ label }) => label === 'revoked')!;
  await revokeToken(database, id);
  return token;
}

/** All that the database holds, as a line a table: a fingerprint of its rows. */
export async function contents(database: Database): Promise<string> {
  const statement = statements.get(database) ?? (await statementOf(database));
  statements.set(database, statement);
  return (await database.query<{ name: string; rows: string }>(statement))
    .map(({ name, rows }) => `${name}: ${rows}`)
    .join('\n');
}

const statements = new WeakMap<Database, string>();

async function statementOf(database: Database): Promise<string> {
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
