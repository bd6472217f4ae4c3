import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  execute,
  getNamedType,
  getVariableValues,
  type GraphQLNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { Database } from '../../../src/db/database.js';
import type { Caller } from '../../../src/auth/access.js';
import { grantEverywhere } from '../../../src/auth/roles.js';
import { executeOperation, canUseFastPath, toJsonObject, prepareOperation } from '../../../src/graphql/fast-path.js';
import { restSchema, schema } from '../../../src/schema.js';
import type { ApiDependencies } from '../../../src/graphql/context.js';
import { createContext } from '../../../src/graphql/create-context.js';
import { routes } from '../../../src/rest/routes.js';
import { useOwnService } from '../../support/service.js';
import { execute as send, type GraphqlRecords, createGraphqlRecords } from '../../support/graphql-records.js';

const service = useOwnService();
let records: GraphqlRecords;
let recurrenceId: string;
/** Ids of records by the query that reads them. */
let inserted: Record<string, string> | undefined;
beforeAll(async () => {
  records = await createGraphqlRecords(service);
  const { scheduleMaintenance } = await send(
    service,
    `mutation ($page: ID!) {
       scheduleMaintenance(pageId: $page, input: {
         subject: "Patches", content: "We restart the servers.", shouldPublish: false,
         beginsAt: "2032-01-01T10:00:00Z", endsAt: "2032-01-01T12:00:00Z", recurrence: { rule: "FREQ=MONTHLY" } }) {
         notice { ... on PlannedNotice { recurrenceId } } } }`,
    { page: records.page },
  );
  recurrenceId = scheduleMaintenance.notice.recurrenceId;
  [inserted] = await service.database.query<Record<string, string>>(
    `with grouped as (
       insert into alert_group (page_id, source_id, key, title, state, received_count, first_received_at, last_received_at)
       values ($1, $2, 'disk', 'Disk full', 'new', 1, now(), now()) returning id
     ), received as (
       insert into alert_payload (page_id, source_id, received_at, alert_count, body)
       values ($1, $2, now(), 1, '{}') returning id
     ), made as (
       insert into person (email, created_at) values ('fast@example.com', now()) returning id
     ), issued as (
       insert into token (label, hash, role, person_id, created_at)
       select 'Fast', 'none', 'viewer', id, now() from made returning id
     )
     select grouped.id::text as "alertGroup", received.id::text as "alertPayload", made.id::text as person,
       issued.id::text as token, (select max(id)::text from audit_entry) as "auditEntry"
     from grouped, received, made, issued`,
    [records.page, Number(records.alertSource)],
  );
});

type Variables = Record<string, unknown>;
const caller: Caller = { kind: 'token', key: 'test', grants: grantEverywhere('owner') };

/** The operations of /v1 have a schema of their own. */
const schemaOf = (text: string) => (routes.some(([, , document]) => document === text) ? restSchema : schema);

function prepared(text: string) {
  const document = parse(text);
  expect(validate(schemaOf(text), document)).toEqual([]);
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )!;
  return { document, operation: prepareOperation(schemaOf(text), document, operation) };
}

const apiWith = (database: Database) => ({ database, settings: service.settings }) as unknown as ApiDependencies;

/** Runs the fast path, and parses PostgreSQL's JSON. */
async function runFastPath(
  text: string,
  variables: Variables,
  database: Database = service.database,
): Promise<unknown> {
  const { operation } = prepared(text);
  const { coerced } = getVariableValues(schemaOf(text), operation.operation.variableDefinitions ?? [], variables);
  const { fields } = await executeOperation(
    operation,
    coerced!,
    createContext({ api: apiWith(database), caller, outputMode: 'graphql' }),
  );
  return JSON.parse(toJsonObject(fields));
}

/** Runs the standard execution of graphql-js over rows. */
async function runStandardExecution(
  text: string,
  variableValues: Variables,
  database: Database = service.database,
): Promise<unknown> {
  const { document } = prepared(text);
  const { data, errors } = await execute({
    schema: schemaOf(text),
    document,
    variableValues,
    contextValue: createContext({ api: apiWith(database), caller, outputMode: 'execution' }),
  });
  if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
  return JSON.parse(JSON.stringify(data));
}

/** The variables of a v1 route that includes everything. */
const routeVariables = (text: string): Variables => {
  const { operation } = prepared(text).operation;
  const given: Variables = {
    page_id: records.page,
    component_id: records.components.cards,
    notice_id: records.notices.incident,
    template_id: records.templates.component,
    subscriber_id: records.subscribers.ada,
    metric_id: records.metric,
    timezone_id: 'London',
    page: 1,
    per_page: 3,
  };
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  return Object.fromEntries(
    names.flatMap(name => (name.startsWith('include_') ? [[name, true]] : name in given ? [[name, given[name]]] : [])),
  );
};

const routesWithMethod = (method: string) =>
  routes
    .filter(([routeMethod, path]) => routeMethod === method && !/custom_domain|theme/.test(path))
    .map(([, path, text]) => [path, text] as const);
/** Makes the order of the keys count too: it must be that of the query. */
const inKeyOrder = (value: unknown) => JSON.stringify(value, null, 1);

async function expectSameResponse(text: string, variables: Variables): Promise<void> {
  const fast = await runFastPath(text, variables);
  const standard = await runStandardExecution(text, variables);
  expect(inKeyOrder(fast)).toBe(inKeyOrder(standard));
}

describe('the fast path and the standard execution return the same response', () => {
  test.each(routesWithMethod('GET').filter(([path]) => !path.includes(':update_id')))('GET /v1%s', async (_, text) => {
    const variables = routeVariables(text);
    await expectSameResponse(text, variables);
  });

  test('GET /v1/pages/:page_id/notices/:notice_id/updates/:update_id', async () => {
    const text = routes.find(([method, path]) => method === 'GET' && path.endsWith('/:update_id'))![2];
    const [{ id }] = (await service.database.query<{ id: number }>(
      'select id from notice_update where notice_id = $1 order by id',
      [Number(records.notices.incident)],
    )) as [{ id: number }];
    const variables = { ...routeVariables(text), update_id: String(id) };
    await expectSameResponse(text, variables);
  });

  test('for a page with a custom domain and a theme', async () => {
    await service.graphql(
      `mutation { setCustomDomain(pageId: "${records.page}", input: { domain: "both.example.org" }) { page { id } } }`,
    );
    for (const [, path, text] of routes.filter(
      ([method, path]) => method === 'GET' && /^\/pages\/:page_id(\/custom_domain)?$/.test(path),
    )) {
      const variables = routeVariables(text);
      const written = inKeyOrder(await runFastPath(text, variables));
      expect([path, written]).toEqual([path, inKeyOrder(await runStandardExecution(text, variables))]);
      expect(written).toContain('both.example.org');
    }
  });

  test.each(routesWithMethod('PATCH').filter(([path]) => !path.includes(':update_id')))(
    'PATCH /v1%s, of a change that changes nothing',
    async (_, text) => {
      const variables = { ...routeVariables(text), input: {} };
      await expectSameResponse(text, variables);
    },
  );

  /** Each of the two creates its own records, so ids, times and links differ. */
  const alike = (value: unknown) =>
    inKeyOrder(value)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'moment')
      .replace(/("(?:\w+_)?id"): "?\w+"?/g, '$1: id')
      .replace(/"(?:https?:\/\/)?[0-9a-f]{8}\.[^"]*"/g, '"address"');
  const inputs: Record<string, () => object[]> = {
    '/pages': () => Array(2).fill({ name: 'Made' }),
    '/pages/:page_id/components': () => Array(2).fill({ name: 'Made', position: 9 }),
    '/pages/:page_id/notices': () =>
      Array(2).fill({
        subject: 'Made',
        initialComment: 'x',
        state: 'RESOLVED',
        componentIds: [records.components.mail],
      }),
    '/pages/:page_id/notices/:notice_id/updates': () => Array(2).fill({ content: 'Made' }),
    '/pages/:page_id/notice_templates': () => Array(2).fill({ name: 'Made', componentId: records.components.mail }),
    '/pages/:page_id/metrics/:metric_id/data': () =>
      Array(2).fill({ value: 1, timestamp: new Date(Date.now() - 60_000).toISOString() }),
    '/pages/:page_id/subscribers': () => [{ email: 'one@example.org' }, { email: 'two@example.org' }],
  };

  test.each(routesWithMethod('POST'))('POST /v1%s', async (path, text) => {
    const [first, second] = inputs[path]!().map(input => ({ ...routeVariables(text), input }));
    const one = alike(await runFastPath(text, first!)).replace('one@', 'somebody@');
    const two = alike(await runStandardExecution(text, second!)).replace('two@', 'somebody@');
    expect(one).toBe(two);
  });

  const queries: [string, string, Variables?][] = [
    [
      'every field of a page',
      'query($p: ID!) { page(id: $p) { id name state timelineSortOrder timelineThresholdSeconds locale isVisibleToSearch createdAt version __typename brand { __typename version colorBodyText } customDomain { domain cnameTarget } theme { version } } }',
    ],
    [
      'a tree',
      'query($p: ID!) { page(id: $p) { components(filter: { parentId: { blank: true } }) { nodes { name state position parentId children { nodes { id name parent { id parentId name } children { nodes { name } } } } } } } }',
    ],
    [
      'all kinds of notices',
      'query($p: ID!) { notices(pageId: $p) { nodes { __typename id type subject synopsis timelineState beganAt endedAt link tagList version ... on UnplannedNotice { state } ... on PlannedNotice { state beginsAt endsAt shouldAutomateSchedule } components { nodes { id state } } updates { nodes { id content isPublished } } } } }',
    ],
    [
      'one field of different kinds',
      'query($p: ID!) { notices(pageId: $p) { nodes { ... on UnplannedNotice { x: subject } ... on PlannedNotice { x: subject components { nodes { id } } } ... on GeneralNotice { x: subject components { nodes { name } } } components { nodes { position } } } } }',
    ],
    [
      'fragments in fragments',
      'query($p: ID!) { page(id: $p) { ...A } } fragment A on Page { id ...B notices { nodes { ...C } } } fragment B on Page { name brand { ...D } } fragment C on Notice { ...E ... on Record { version } } fragment D on Record { createdAt } fragment E on PlannedNotice { beginsAt }',
    ],
    [
      'the edges of a list',
      'query($p: ID!) { notices(pageId: $p, first: 2, orderBy: [{ field: SUBJECT, direction: DESC }]) { totalCount edges { cursor node { id subject } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }',
    ],
    [
      'the end of a list',
      'query($p: ID!) { n: notices(pageId: $p, last: 3) { __typename nodes { id } pageInfo { __typename hasNextPage hasPreviousPage startCursor endCursor } totalCount } }',
    ],
    [
      'connections in connections',
      'query($p: ID!) { page(id: $p) { components(last: 2) { __typename totalCount edges { cursor node { name notices(first: 1) { totalCount pageInfo { hasNextPage endCursor } edges { node { subject } } } } } } } }',
    ],
    [
      'one relation twice',
      'query($p: ID!) { page(id: $p) { a: notices(first: 1) { nodes { id } } b: notices(filter: { state: { eq: SCHEDULED } }) { nodes { id subject components { nodes { name } } } } } }',
    ],
    [
      'names that are those of other fields',
      'query($p: ID!) { page(id: $p) { id: name name: id kind: __typename version: state } }',
    ],
    [
      'templates',
      'query($p: ID!) { noticeTemplates(pageId: $p) { nodes { id name __typename ... on ComponentTemplate { componentId component { id name notices { nodes { subject } } } } } } }',
    ],
    [
      'subscribers',
      'query($p: ID!) { subscribers(pageId: $p, filter: { tagList: { eq: "vip" } }) { nodes { id email phoneNumber tagList tagText components { nodes { id name } } } totalCount } }',
    ],
    [
      'an enum of pages and components',
      'query($p: ID!) { pages { nodes { state components { nodes { state } } } } component(pageId: $p, id: 1) { __typename state } }',
    ],
    [
      'time zones',
      '{ timezones(first: 3, filter: { name: { cont: "o" } }) { nodes { id name offset offsetMinutes __typename } totalCount } }',
    ],
    [
      'nothing of a record',
      'query($p: ID!) { page(id: $p) { id @skip(if: true) components { nodes { id @include(if: false) } } } notices(pageId: $p) { nodes { id @skip(if: true) } } }',
    ],
    [
      'variables of every sort',
      'query($p: ID!, $f: NoticeFilter, $o: [NoticeOrder!], $n: Int = 2, $yes: Boolean!) { notices(pageId: $p, filter: $f, orderBy: $o, first: $n) { nodes { id updates(first: $n) @include(if: $yes) { nodes { content } } } } }',
      {
        f: { subject: { in: ['Hello', 'New disks', 'Cards fail'] } },
        o: [{ field: 'CREATED_AT', direction: 'DESC' }],
        yes: true,
      },
    ],
  ];

  test.each(queries)('%s', async (_, text, given = {}) => {
    const variables = { p: records.page, ...given };
    expect(canUseFastPath(prepared(text).operation, variables)).toBe(true);
    await expectSameResponse(text, variables);
  });

  /** The root fields of reads, but those that need a record of their own. */
  const rootFields = Object.values(schema.getQueryType()!.getFields())
    .filter(
      ({ name, extensions }) =>
        extensions.read && !/^(customDomain|delivery|draft|node|nodes|noticeUpdate|publication|theme)$/.test(name),
    )
    .map(field => [field.name, field] as const);

  /** Every field of a type, and every leaf of the records that it refers to. */
  const selectAll = (type: GraphQLNamedType, depth = 1, except: object = {}): string => {
    if (!isObjectType(type) && !isInterfaceType(type)) return '';
    // A field with a resolver of its own takes the standard execution.
    const fields = Object.values(type.getFields()).filter(
      ({ name, extensions }) => !(name in except) && !extensions.resolvedFrom,
    );
    const own = fields.flatMap(field => {
      const below = getNamedType(field.type);
      const isList = /(Connection|Edge)$|^PageInfo$/.test(below.name);
      if (isLeafType(below)) return [field.name];
      return depth || isList ? [`${field.name} { ${selectAll(below, isList ? depth : depth - 1)} }`] : [];
    });
    const kinds = isInterfaceType(type)
      ? schema.getPossibleTypes(type).map(kind => `... on ${kind.name} { ${selectAll(kind, depth, type.getFields())} }`)
      : [];
    return [...own, ...kinds, '__typename'].join(' ');
  };

  test.each(rootFields)('every field of %s', async (name, { type, args }) => {
    const ids: Record<string, string> = {
      pageId: records.page,
      noticeId: records.notices.incident,
      id: {
        page: records.page,
        component: records.components.cards,
        notice: records.notices.maintenance,
        noticeTemplate: records.templates.component,
        subscriber: records.subscribers.ada,
        webhook: records.webhook,
        metric: records.metric,
        alertSource: records.alertSource,
        recurrence: recurrenceId,
        timezone: 'London',
        ...inserted,
      }[name]!,
    };
    const given = args.filter(one => one.name in ids).map(one => `${one.name}: "${ids[one.name]}"`);
    const text = `{ ${name}${given.length ? `(${given.join(', ')})` : ''} { ${selectAll(getNamedType(type))} } }`;
    await expectSameResponse(text, {});
  });

  test('over HTTP, where a field that is no read makes a query take the standard execution', async () => {
    const fields =
      'page(id: $p) { name notices { nodes { type subject components { nodes { state } } ... on PlannedNotice { beginsAt } } } }';
    const alone = await service.graphql(`query($p: ID!) { ${fields} }`, { p: records.page });
    const beside = await service.graphql(`query($p: ID!) { ${fields} hello __schema { queryType { name } } }`, {
      p: records.page,
    });
    expect(inKeyOrder(alone.json.data.page)).toBe(inKeyOrder(beside.json.data.page));
    expect(beside.json.data.hello).toMatch(/^Hello/);
  });
});

describe('one statement per root field', () => {
  let statements: string[];
  let counting: Database;
  beforeEach(() => {
    statements = [];
    counting = {
      ...service.database,
      read: (text, values) => {
        statements.push(text);
        return service.database.read(text, values);
      },
      query: (text, values) => {
        statements.push(text);
        return service.database.query(text, values);
      },
    };
  });

  const executions = { 'fast path': runFastPath, 'standard execution': runStandardExecution };
  const full =
    'components { nodes { id children { nodes { id } } parent { id } notices { nodes { id } } } } notices { nodes { id updates { nodes { id } } components { nodes { id } } ... on PlannedNotice { beginsAt } } } subscribers { nodes { id components { nodes { id } } } } noticeTemplates { nodes { id } } brand { version } customDomain { cnameTarget } theme { version }';
  const list = 'totalCount pageInfo { hasNextPage endCursor }';

  describe.each(['fast path', 'standard execution'] as const)('on the %s', execution => {
    test.each([
      ['a page with all its records', `query($p: ID!) { page(id: $p) { ${full} } }`],
      [
        'all pages with all their records',
        `query { pages { ${list} nodes { ${full} } edges { cursor node { id } } } }`,
      ],
      [
        'notices, filtered by associated records',
        `query($p: ID!) { notices(pageId: $p, filter: { components: { name: { notEq: "x" } }, updates: { content: { cont: "a" } } }) { ${list} nodes { id updates { nodes { id } } components { nodes { id } } } } }`,
      ],
      [
        'one update of one notice',
        `query($p: ID!, $n: ID!) { noticeUpdates(pageId: $p, noticeId: $n) { ${list} nodes { id } } }`,
      ],
      ['time zones', `query { timezones { ${list} nodes { name } } }`],
    ])('%s', async (_, text) => {
      await executions[execution](
        text,
        {
          ...(text.includes('$p') && { p: records.page }),
          ...(text.includes('$n') && { n: records.notices.incident }),
        },
        counting,
      );
      expect(statements).toHaveLength(1);
    });

    test('independent of the number of records', async () => {
      const text =
        'query($p: ID!) { page(id: $p) { notices { nodes { id updates { nodes { id } } components { nodes { id children { nodes { id } } } } } } } components(pageId: $p) { nodes { id notices { nodes { id } } } } }';
      for (const page of [records.empty, records.page]) {
        statements.length = 0;
        await executions[execution](text, { p: page }, counting);
        expect(statements).toHaveLength(2);
      }
    });
  });

  test('and per field of a payload', async () => {
    const text =
      'mutation($p: ID!) { updatePage(id: $p, input: {}) { a: page { id components { nodes { id } } } b: page { id notices { nodes { updates { nodes { id } } } } } } }';
    await runFastPath(text, { p: records.page }, counting);
    expect(statements.filter(statement => /row_to_json/.test(statement))).toHaveLength(2);
  });

  test('and a second one to find out which record is missing', async () => {
    await expect(
      runFastPath('query($p: ID!) { notice(pageId: $p, id: 999999) { id } }', { p: records.page }, counting),
    ).rejects.toThrow("couldn't find the notice");
    expect(statements).toHaveLength(2);
  });
});
