import { CommandError } from '../../core/errors.js';
import { RefusedOperation, type SendOperation } from './graphql-client.js';
import type { PageFile, PageState, StoredComponent, StoredListed, StoredRecord, Value, Values } from './page-file.js';
import type { FileFields, PageFileFields } from './page-file.fields.js';
import { listNames, mapLists, recordLists } from './record-lists.js';

type ApiRecord = Record<string, Value> & { id: string; version: number };

interface Connection {
  nodes: (ApiRecord & { parentId: string | null; position: number; componentIds?: string[] })[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

type ApiPage = ApiRecord & {
  brand: ApiRecord;
  channels: { channel: string; isConfigured: boolean; host: string | null }[];
};

/** The id of the page of a file: that in it, or of the one page with its name. Null: there is none yet. */
export async function findPageId(send: SendOperation, { page }: PageFile): Promise<string | null> {
  if (page.id !== null) return page.id;
  const { name } = page.values;
  const { nodes } = await send<{ nodes: { id: string }[] }>(
    'query PageOfFile($name: String) { result: pages(filter: { name: { eq: $name } }, first: 2) { nodes { id } } }',
    { name },
  );
  const [first, second] = nodes;
  if (second) throw new CommandError(`Several pages are named ${name}, such as ${first!.id}. Write the id of one.\n`);
  return first?.id ?? null;
}

/** A page that does not exist yet. */
export const newPage: PageState = { page: null, brand: null, components: [], channels: [], ...mapLists(() => []) };

/** Reads what a page file is about. */
export async function loadPage(send: SendOperation, id: string, fields: PageFileFields): Promise<PageState> {
  const select = (names: FileFields) => Object.keys(names).join(' ');
  const page = await send<ApiPage | null>(
    `query PageToApply($id: ID!) { result: page(id: $id) {
      id version ${select(fields.page)}
      brand { id version ${select(fields.brand)} }
      channels { channel isConfigured host }
    } }`,
    { id },
  );
  if (!page) throw new CommandError(`There is no page ${id}.\n`);
  const list = (field: string, selection: string) => loadAll(send, id, field, `id version ${selection}`);
  const components = await list('components', `parentId position ${select(fields.component)}`);
  const lists = mapLists((): StoredListed[] => []);
  for (const name of listNames) {
    const { query, hasComponents } = recordLists[name];
    const nodes = await list(query, `${hasComponents ? 'componentIds' : ''} ${select(fields.lists[name])}`);
    lists[name] = nodes.map(node => ({ ...toStored(node, fields.lists[name]), componentIds: node.componentIds ?? [] }));
  }
  return {
    page: toStored(page, fields.page),
    brand: toStored(page.brand, fields.brand),
    components: components.map((node): StoredComponent => {
      const { parentId, position } = node;
      return { ...toStored(node, fields.component), parentId, position };
    }),
    ...lists,
    channels: page.channels
      // Webhooks are records of their own, which the file does not have.
      .filter(({ channel }) => channel in fields.channels)
      .map(({ channel, isConfigured, host }) => ({ channel, isConfigured, host })),
  };
}

async function loadAll(send: SendOperation, pageId: string, field: string, selection: string) {
  const document = `query ListToApply($pageId: ID!, $after: String) {
    result: ${field}(pageId: $pageId, first: 100, after: $after) {
      nodes { ${selection} } pageInfo { hasNextPage endCursor }
    }
  }`;
  const nodes: Connection['nodes'] = [];
  let after: string | null = null;
  do {
    const connection: Connection = await send<Connection>(document, { pageId, after });
    nodes.push(...connection.nodes);
    after = connection.pageInfo.hasNextPage ? connection.pageInfo.endCursor : null;
  } while (after !== null);
  return nodes;
}

/** A text without a value is null or '', by its field. */
const toStored = (node: ApiRecord, fields: FileFields): StoredRecord => ({
  id: node.id,
  version: node.version,
  values: Object.fromEntries(
    Object.keys(fields).map((name): [string, Value] => [name, node[name] === '' ? null : (node[name] ?? null)]),
  ) as Values,
});

/** The file with the identifier of its time zone in place of a name, as the API returns it. */
export async function resolveTimeZone(send: SendOperation, file: PageFile, { page }: PageState): Promise<PageFile> {
  const { timezone } = file.page.values;
  if (timezone === undefined || timezone === page?.values.timezone) return file;
  try {
    const zone = await send<{ id: string }>('query TimeZoneOfFile($id: ID!) { result: timezone(id: $id) { id } }', {
      id: timezone,
    });
    return { ...file, page: { ...file.page, values: { ...file.page.values, timezone: zone.id } } };
  } catch (error) {
    // The write of the page refuses it, with the nearest names.
    if (error instanceof RefusedOperation && error.code === 'NOT_FOUND') return file;
    throw error;
  }
}
