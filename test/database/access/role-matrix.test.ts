import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isCompositeType, isRequiredArgument } from 'graphql';
import { accessLevels, findAccess, type Access } from '../../../src/auth/access.js';
import { type Role, roles } from '../../../src/auth/roles.js';
import { routes } from '../../../src/rest/routes.js';
import { schema } from '../../../src/schema.js';
import {
  type AccessRecords,
  createAccessRecords,
  hashTables,
  missingIds,
  recordsToChange,
} from '../../support/access-records.js';
import {
  callField,
  type Field,
  isMutation,
  leaves,
  mutations,
  operationOf,
  queries,
} from '../../support/root-operations.js';
import { useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

/** The access matrix of roles: each root field with each role, on the page of the token and on another. */
const service = useOwnService({ dnsServers: ['127.0.0.1:1'], anonymousReads: 'none', allowPrivateTargets: true });
let own: AccessRecords;
let foreign: AccessRecords;
/** Tokens with a role on the page of `own`, and tokens with it on all pages. */
const onPage = {} as Record<Role, string>;
const onAllPages = {} as Record<Role, string>;

beforeAll(async () => {
  own = await createAccessRecords(service);
  foreign = await createAccessRecords(service);
  for (const role of roles) {
    onPage[role] = await createToken(service.database, role, { role, pageIds: [own.page_id] });
    onAllPages[role] = await createToken(service.database, role, { role });
  }
}, 60_000);

const ask = async (field: Field, records: AccessRecords, token: string, selection?: string) => {
  const { query, variables } = operationOf(field, records, selection);
  return (await service.graphql(query, variables, { token })).json;
};
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;

const rank = (role: Role) => roles.indexOf(role);
const requirement = (field: Field) => {
  const level: { role: Role | null; isForAllPages?: boolean } = accessLevels[findAccess(field) as Access];
  return { lowest: level.role ?? 'viewer', isForAllPages: level.isForAllPages ?? false };
};
const namesPage = (field: Field) =>
  field.args.some(argument => argument.name === 'pageId' && isRequiredArgument(argument)) || /page$/i.test(field.name);

describe.each([...queries, ...mutations].map(field => ({ name: field.name, field })))('$name', ({ name, field }) => {
  const { lowest, isForAllPages } = requirement(field);
  const tooLow = roles.filter(role => rank(role) < rank(lowest));

  test('is refused as FORBIDDEN with a lower role, and writes nothing', async () => {
    const before = await hashTables(service.database);
    for (const role of tooLow) {
      expect([role, codeOf(await ask(field, own, onPage[role]))]).toEqual([role, 'FORBIDDEN']);
      expect([role, codeOf(await ask(field, missingIds, onAllPages[role]))]).toEqual([role, 'FORBIDDEN']);
    }
    if (isForAllPages) expect(codeOf(await ask(field, own, onPage.owner))).toBe('FORBIDDEN');
    expect(await hashTables(service.database)).toBe(before);
  });

  test('is allowed with the role that it declares', async () => {
    if (!isMutation(field)) return expect((await ask(field, own, onPage[lowest])).errors).toBeUndefined();
    const records = await recordsToChange(service, name);
    const rights = { role: lowest, pageIds: isForAllPages ? null : [records.page_id] };
    const token = await createToken(service.database, name, rights);
    const before = await hashTables(service.database);
    expect((await ask(field, records, token)).errors).toBeUndefined();
    expect(await hashTables(service.database)).not.toBe(before);
  });

  test('answers on another page like on a page that does not exist, with any role', async () => {
    if (!namesPage(field) || name === 'createPage') return;
    const before = await hashTables(service.database);
    for (const role of roles) {
      const nothing = await ask(field, missingIds, onPage[role]);
      // A role that is too low everywhere is refused before it is known which page is meant.
      expect([role, ['NOT_FOUND', 'FORBIDDEN'].includes(codeOf(nothing)!)]).toEqual([role, true]);
      if (!tooLow.includes(role)) expect([role, codeOf(nothing)]).toEqual([role, 'NOT_FOUND']);
      expect([role, await ask(field, foreign, onPage[role])]).toEqual([role, nothing]);
    }
    expect(await hashTables(service.database)).toBe(before);
  });
});

/** The fields below `page` and `publication` that require more than VIEWER. */
const restricted = (type: string) =>
  Object.values((schema.getType(type) as unknown as { getFields(): Record<string, Field> }).getFields())
    .filter(field => findAccess(field) !== undefined)
    .map(field => ({ name: `${type}.${field.name}`, field, lowest: requirement(field).lowest }))
    .filter(({ lowest }) => lowest !== 'viewer');

describe.each([
  ...restricted('Page').map(one => ({ ...one, root: 'page' })),
  ...restricted('Publication').map(one => ({ ...one, root: 'publication' })),
])('$name', ({ field, lowest, root }) => {
  test('requires the role that it declares, on the page', async () => {
    const parent = schema.getQueryType()!.getFields()[root]!;
    const below = isCompositeType(getNamedType(field.type)) ? `{ ${leaves(getNamedType(field.type))} }` : '';
    for (const role of roles) {
      const answer = await ask(parent, own, onPage[role], `{ id ${callField(field)} ${below} }`);
      expect([role, codeOf(answer)]).toEqual([role, rank(role) < rank(lowest) ? 'FORBIDDEN' : undefined]);
    }
  });
});

test('the addresses in a preview require PUBLISHER', async () => {
  const preview = schema.getQueryType()!.getFields().previewPublication!;
  // A suspended channel is nobody's address.
  await service.database.query('delete from recipient_refusals where page_id = $1', [own.page_id]);
  const codes = [];
  for (const role of roles)
    codes.push(codeOf(await ask(preview, own, onPage[role], '{ audience { channel count sample } }')));
  expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', undefined, undefined]);
});

describe('Callers with several pages', () => {
  let both: string;
  beforeAll(async () => {
    both = await createToken(service.database, 'both', {
      role: 'viewer',
      pageIds: [own.page_id, foreign.page_id],
    });
  });
  const listPages = async (token: string) => {
    const { json } = await service.graphql('{ pages { nodes { id } totalCount } }', {}, { token });
    return [json.data.pages.nodes.map(({ id }: { id: string }) => id), json.data.pages.totalCount];
  };

  test('list only those', async () => {
    expect(await listPages(both)).toEqual([[own.page_id, foreign.page_id], 2]);
    expect(await listPages(onPage.owner)).toEqual([[own.page_id], 1]);
    expect((await listPages(onAllPages.viewer))[1]).toBeGreaterThan(2);
    expect((await service.get('/v1/pages', { token: onPage.viewer })).json.count).toBe(1);
  });

  test('read a publication of them by its id, and no other', async () => {
    const progress = async (id: string, token: string) => {
      const query = `subscription { publicationProgress(id: "${id}") { cursor publication { id } } }`;
      const { text } = await service.call('GET', `/graphql/stream?query=${encodeURIComponent(query)}`, {
        token,
        headers: { accept: 'text/event-stream' },
      });
      // How long to wait before the next connection is random.
      return text.replace(/^retry: \d+$/m, '');
    };
    const refused = await progress(foreign.publication_id, onPage.owner);
    expect(refused).toContain('NOT_FOUND');
    expect(refused).toBe(await progress(missingIds.publication_id, onPage.owner));
  });
});

describe.each(routes.map(([method, path]) => ({ method, path })))('$method /v1$path', ({ method, path }) => {
  const fill = (records: AccessRecords) =>
    `/v1${path.replace(/:(\w+)/g, (_, name: keyof AccessRecords) => records[name])}`;

  test('answers on another page like on a page that does not exist', async () => {
    if (!path.includes(':page_id')) return;
    const before = await hashTables(service.database);
    const at = async (records: AccessRecords) => {
      const request = { token: onPage.owner, ...(method !== 'GET' && { json: {} }) };
      const { status, json } = await service.call(method, fill(records), request);
      return [status, json?.error];
    };
    expect(await at(foreign)).toEqual([404, 'not_found']);
    expect(await at(missingIds)).toEqual([404, 'not_found']);
    expect(await hashTables(service.database)).toBe(before);
  });

  test('refuses writes with the role VIEWER', async () => {
    if (method === 'GET') return;
    const { status } = await service.call(method, fill(own), { token: onAllPages.viewer, json: {} });
    expect(status).toBe(403);
  });
});
