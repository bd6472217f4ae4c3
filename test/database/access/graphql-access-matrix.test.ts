import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { settings } from '../../../src/core/config.js';
import { schema } from '../../../src/schema.js';
import { archive, type Cast, contents, makeCast, missing, revokedToken } from '../../support/access-records.js';
import { startTestService, type TestService } from '../../support/service.js';

/** Who may ask what of the graph: every field at the root, and every field that leads on from what is open. A new one is closed to the anonymous unless it is named here. */
const openRoots = {
  none: [] as string[],
  page: ['page', 'component'],
  public: ['page', 'component', 'components', 'brand', 'notice', 'notices', 'noticeUpdate', 'noticeUpdates'],
};

/** From which setting on a field is open below what is open itself: by page what `include` may name there, and nothing below a component. */
const openBelow: Record<string, 'page' | 'public' | 'never'> = {
  'Page.brand': 'page',
  'Page.components': 'page',
  'Page.notices': 'page',
  'Page.customDomain': 'never',
  'Page.theme': 'never',
  'Page.noticeTemplates': 'never',
  'Page.channels': 'never',
  'Page.subscribers': 'never',
  'Notice.updates': 'page',
  'Notice.components': 'page',
  'Component.parent': 'public',
  'Component.children': 'public',
  'Component.notices': 'public',
};
const modes = ['none', 'page', 'public'] as const;
const isOpenBelow = (field: string, mode: (typeof modes)[number]) =>
  (mode === 'public' && openBelow[field] !== 'never') || (mode === 'page' && openBelow[field] === 'page');

const inputs: Record<string, (cast: Cast) => object> = {
  previewPublication: ({ component_id }) => ({ subject: 'New', componentIds: [component_id], comment: 'Hm' }),
  createPage: () => ({ name: 'New' }),
  updatePage: () => ({ name: 'Changed' }),
  updateBrand: () => ({ colorBodyText: '#123456' }),
  setCustomDomain: ({ page_id }) => ({ domain: `new-${page_id}.example.com` }),
  setTheme: () => ({ zip: archive().toString('base64') }),
  configureChannel: () => ({ channel: 'SOCIAL', url: 'https://mastodon.example', token: 'secret' }),
  removeChannel: () => ({ channel: 'CHAT_A' }),
  sendTest: () => ({ channel: 'CHAT_A' }),
  createComponent: () => ({ name: 'New' }),
  updateComponent: () => ({ name: 'Changed' }),
  createNotice: ({ component_id }) => ({ subject: 'New', componentIds: [component_id], initialComment: 'Hm' }),
  updateNotice: () => ({ subject: 'Changed', state: 'RESOLVED' }),
  openIncident: ({ component_id }) => ({ subject: 'New', componentIds: [component_id] }),
  scheduleMaintenance: () => ({ subject: 'New', beginsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T01:00:00Z' }),
  announce: () => ({ subject: 'New' }),
  advanceNotice: () => ({ state: 'RESOLVED' }),
  createNoticeUpdate: () => ({ content: 'New' }),
  updateNoticeUpdate: () => ({ content: 'Changed' }),
  createNoticeTemplate: () => ({ name: 'New' }),
  updateNoticeTemplate: () => ({ name: 'Changed' }),
  importSubscribers: () => ({ consentSource: 'a list', csv: 'email\nlisted@example.com\n', dryRun: false }),
  createSubscriber: () => ({ email: 'new@example.com' }),
  updateSubscriber: () => ({ firstName: 'Changed' }),
};

let service: TestService;
let revoked: string;
let own: Cast;
let foreign: Cast;
beforeAll(async () => {
  // Nobody listens there: a check of a domain is over at once, and does not leave the machine.
  settings.dnsServers = ['127.0.0.1:1'];
  service = await startTestService();
  revoked = await revokedToken(service.database);
  own = await makeCast(service);
  foreign = await makeCast(service);
}, 60_000);
afterAll(async () => {
  settings.dnsServers = [];
  await service.stop();
});
afterEach(() => {
  settings.anonymousReads = 'page';
});

type Field = GraphQLField<unknown, unknown>;
const queries = Object.values(schema.getQueryType()!.getFields());
const mutations = Object.values(schema.getMutationType()!.getFields());
const isMutation = (field: Field) => mutations.includes(field);

/** The id of the cast that an argument stands for. */
function idNamed(field: Field, argument: string): keyof Cast {
  if (argument === 'pageId') return 'page_id';
  if (argument === 'noticeId') return 'notice_id';
  const record = field.name
    .replace(/^(create|update|delete|resend|advance)/, '')
    .replace(/^./, letter => letter.toLowerCase());
  const ids: Record<string, keyof Cast> = {
    page: 'page_id',
    component: 'component_id',
    notice: 'notice_id',
    noticeUpdate: 'update_id',
    noticeTemplate: 'template_id',
    publication: 'publication_id',
    delivery: 'delivery_id',
  };
  const id = { ...ids, subscriber: 'subscriber_id' as const, timezone: 'timezone_id' as const }[record];
  if (argument !== 'id' || !id) throw new Error(`Nothing is known of the argument ${argument} of ${field.name}`);
  return id;
}

const required = (field: Field): GraphQLArgument[] => field.args.filter(isRequiredArgument);
/** From the outermost: the schema has them in no order. */
const idArguments = (field: Field) =>
  ['pageId', 'noticeId', 'id'].flatMap(name => required(field).filter(argument => argument.name === name));
const fieldsOf = (type: GraphQLNamedType): Field[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
const leaves = (type: GraphQLNamedType) =>
  [
    '__typename',
    ...fieldsOf(type)
      .filter(({ type: one }) => isLeafType(getNamedType(one)))
      .map(({ name }) => name),
  ].join(' ');
const selectionOf = (field: Field) =>
  isCompositeType(getNamedType(field.type)) ? `{ ${leaves(getNamedType(field.type))} }` : '';

/** Values as variables: where an error stands in the text must not depend on them. */
function operationOf(field: Field, cast: Cast, selection = selectionOf(field)) {
  const given = required(field);
  const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const query = `${isMutation(field) ? 'mutation' : 'query'}${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`;
  const values = given.map(({ name }) => [
    name,
    name === 'input' ? inputs[field.name]!(cast) : cast[idNamed(field, name)],
  ]);
  return { query, variables: Object.fromEntries(values) };
}

const ask = async (field: Field, cast: Cast, token: string | null, selection?: string) => {
  const { query, variables } = operationOf(field, cast, selection);
  const { status, json } = await service.graphql(query, variables, { token });
  return {
    status,
    errors: json.errors as { message: string; extensions: { code: string } }[] | undefined,
    data: json.data,
    json,
  };
};
const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map(({ extensions }) => extensions.code);

test('What is open is there', () => {
  expect(openRoots.public.filter(name => !queries.some(field => field.name === name))).toEqual([]);
  expect(
    mutations
      .filter(field => required(field).some(({ name }) => name === 'input') && !inputs[field.name])
      .map(({ name }) => name),
  ).toEqual([]);
});

describe.each([...queries, ...mutations].map(field => ({ name: field.name, field })))('$name', ({ name, field }) => {
  test.each(modes)(
    'without a token is open or refused as ANONYMOUS_READS=%s says, and nothing is written',
    async mode => {
      settings.anonymousReads = mode;
      const before = await contents(service.database);
      const { errors, data } = await ask(field, own, null);
      if (openRoots[mode].includes(name)) {
        expect(errors).toBeUndefined();
        expect(data).toEqual((await ask(field, own, service.tokens.read)).data);
      } else {
        for (const cast of [own, missing]) {
          const refused = await ask(field, cast, null);
          expect([codes(refused.errors), refused.data?.[name] ?? null]).toEqual([['UNAUTHENTICATED'], null]);
        }
      }
      expect(await contents(service.database)).toBe(before);
    },
  );

  test('with a token that is none, or is no longer one, is refused as a whole', async () => {
    settings.anonymousReads = 'public';
    const before = await contents(service.database);
    for (const token of ['wrong', revoked]) {
      const { status, errors, json } = await ask(field, own, token);
      expect([status, codes(errors), 'data' in json]).toEqual([401, ['UNAUTHENTICATED'], false]);
    }
    expect(await contents(service.database)).toBe(before);
  });

  test('with a read token reads, and writes nothing', async () => {
    const before = await contents(service.database);
    expect(codes((await ask(field, own, service.tokens.read)).errors)).toEqual(
      isMutation(field) ? ['FORBIDDEN'] : undefined,
    );
    if (isMutation(field))
      expect(codes((await ask(field, missing, service.tokens.read)).errors)).toEqual(['FORBIDDEN']);
    expect(await contents(service.database)).toBe(before);
  });

  test('with a write token reads and writes', async () => {
    const cast = isMutation(field) ? await makeCast(service, /Theme/.test(name)) : own;
    const before = await contents(service.database);
    expect((await ask(field, cast, service.tokens.write)).errors).toBeUndefined();
    expect((await contents(service.database)) === before).toBe(!isMutation(field));
  });

  test('does not tell an id of another place from one of nothing, and leaves it as it is', async () => {
    settings.anonymousReads = 'public';
    const before = await contents(service.database);
    const ids = idArguments(field).map(argument => idNamed(field, argument.name));
    const callers = [
      service.tokens.write,
      ...(isMutation(field) ? [] : [service.tokens.read]),
      ...(openRoots.public.includes(name) ? [null] : []),
    ];
    for (const [place, id] of ids.entries()) {
      const mixed = (take: (at: number) => Cast): Cast => ({
        ...own,
        ...Object.fromEntries(ids.map((one, at) => [one, take(at)[one]])),
      });
      const wrong =
        place === 0 ? [] : [mixed(at => (at < place ? own : foreign)), mixed(at => (at < place ? foreign : own))];
      if (id === 'update_id') wrong.push({ ...own, update_id: own.sibling_id });
      for (const token of callers) {
        const nothing = await ask(field, { ...own, [id]: missing[id] }, token);
        expect(codes(nothing.errors)).toEqual(['NOT_FOUND']);
        for (const cast of wrong) {
          const there = await ask(field, cast, token);
          expect([there.status, there.json]).toEqual([nothing.status, nothing.json]);
        }
      }
    }
    expect(await contents(service.database)).toBe(before);
  });
});

/** Every field that leads from a record to records, of the types that something open leads to. */
const leadingOn = (type: string): Field[] =>
  fieldsOf(schema.getType(type)!).filter(field => isCompositeType(getNamedType(field.type)));
const reachable = [
  'Page',
  'Component',
  'Notice',
  'UnplannedNotice',
  'PlannedNotice',
  'GeneralNotice',
  'NoticeUpdate',
  'Brand',
];
const nested = reachable.flatMap(type =>
  leadingOn(type).map(field => ({
    type,
    field,
    name: `${type}.${field.name}`,
    rule: `${type.replace(/\w+Notice$/, 'Notice')}.${field.name}`,
  })),
);

/** Ways to a record of a type that are open by themselves. */
const ways: Record<string, [root: string, selection: (asked: string) => string, from: 'page' | 'public'][]> = {
  Page: [['page', asked => `{ id ${asked} }`, 'page']],
  Component: [
    ['component', asked => `{ id ${asked} }`, 'page'],
    ['page', asked => `{ components(first: 5) { id ${asked} } }`, 'page'],
    ['page', asked => `{ notices(first: 5) { components(first: 5) { id ${asked} } } }`, 'page'],
    ['components', asked => `{ nodes { id ${asked} } }`, 'public'],
    ['components', asked => `{ edges { node { id ${asked} } } }`, 'public'],
  ],
  Notice: [
    ['page', asked => `{ notices(first: 5) { id ${asked} } }`, 'page'],
    ['notice', asked => `{ id ${asked} }`, 'public'],
    ['notices', asked => `{ nodes { id ${asked} } }`, 'public'],
    ['notices', asked => `{ edges { node { id ${asked} } } }`, 'public'],
  ],
};

test('It is known of every field that leads on whether it is open', () => {
  expect([...new Set(nested.map(({ rule }) => rule))].toSorted()).toEqual(Object.keys(openBelow).toSorted());
});

describe.each(nested)('$name', ({ type, field, rule }) => {
  const isKind = type !== 'Notice' && type.endsWith('Notice');
  test.each(modes)(
    'is open or refused without a token as ANONYMOUS_READS=%s says, by whatever way it is reached',
    async mode => {
      settings.anonymousReads = mode;
      const asked = `${field.name} { ${leaves(getNamedType(field.type))} }`;
      const below = isKind ? `... on ${type} { ${asked} }` : asked;
      for (const [root, selection, from] of ways[isKind ? 'Notice' : type]!) {
        const { errors, data } = await ask(schema.getQueryType()!.getFields()[root]!, own, null, selection(below));
        const isOpen = isOpenBelow(rule, mode) && (mode === 'public' || from === 'page');
        expect([selection(below), codes(errors), data === null || data === undefined]).toEqual([
          selection(below),
          isOpen ? undefined : ['UNAUTHENTICATED'],
          !isOpen,
        ]);
      }
    },
  );
});
