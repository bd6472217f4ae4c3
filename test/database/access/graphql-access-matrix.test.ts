import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isCompositeType } from 'graphql';
import { schema } from '../../../src/schema.js';
import {
  type AccessRecords,
  hashTables,
  createAccessRecords,
  recordsToChange,
  missingIds,
  createRevokedToken,
} from '../../support/access-records.js';
import {
  callField,
  type Field,
  fieldsOf,
  idArguments,
  idNamed,
  inputs,
  isClosed,
  isMutation,
  leaves,
  mutations,
  operationOf,
  queries,
  required,
  requiresRole,
  scalarsOf,
} from '../../support/root-operations.js';
import { useOwnService } from '../../support/service.js';

/**
 * The access matrix of GraphQL: every root field, and every field that leads from an open record to other records.
 * A new field is closed to anonymous callers unless it is listed here.
 */
const openRoots = {
  none: ['viewer', 'signInMethods', 'channels'],
  page: ['viewer', 'signInMethods', 'channels', 'page', 'component', 'notice'],
  public: [
    'viewer',
    'signInMethods',
    'channels',
    'page',
    'component',
    'components',
    'brand',
    'notice',
    'notices',
    'noticeUpdate',
    'noticeUpdates',
  ],
};

/** The settings that open a field of an open record: `page` opens what `include` accepts, nothing below a component. */
const openBelow: Record<string, 'page' | 'public' | 'never'> = {
  'Page.banner': 'page',
  'Page.brand': 'page',
  'Page.components': 'page',
  'Page.notices': 'page',
  'Page.customDomain': 'never',
  'Page.theme': 'never',
  'Page.noticeTemplates': 'never',
  'Page.recurrences': 'never',
  'Page.channels': 'never',
  'Page.alertGroups': 'never',
  'Page.alertSources': 'never',
  'Page.deliveries': 'never',
  'Page.drafts': 'never',
  'Page.publications': 'never',
  'Page.subscribers': 'never',
  'Page.subscriberStatistics': 'never',
  'Page.webhooks': 'never',
  'Page.nextUpdateDeadlines': 'never',
  'Page.metrics': 'public',
  'Page.monthReports': 'never',
  'Notice.page': 'page',
  'Notice.recurrence': 'never',
  'Notice.updates': 'page',
  'Notice.components': 'page',
  'Notice.affectedComponents': 'page',
  'Notice.latestUpdate': 'page',
  'NoticeUpdate.notice': 'page',
  'NoticeUpdate.revisions': 'page',
  'Component.page': 'page',
  'Component.history': 'page',
  'Component.manualStatus': 'public',
  'Component.upstream': 'public',
  'Component.parent': 'public',
  'Component.children': 'public',
  'Component.ancestors': 'public',
  'Component.descendants': 'public',
  'Component.notices': 'public',
};

/** The scalars of open records that the public page does not show, and that no /v1 answer has had without a token. */
const closedScalars = [
  'Page.emailDomains',
  'Page.hasDemoData',
  'Page.holdSeconds',
  'Page.monthReportsCsv',
  'Page.reminder',
  'Page.shouldSendMonthlyReport',
  'Page.staleAfterMinutes',
  'Page.subscribersCsv',
  'Component.metadata',
  'Metric.metadata',
  'UnplannedNotice.metadata',
  'UnplannedNotice.owner',
  'UnplannedNotice.ownerId',
  'UnplannedNotice.staleAt',
  'PlannedNotice.metadata',
  'PlannedNotice.owner',
  'PlannedNotice.ownerId',
  'PlannedNotice.recurrenceId',
  'PlannedNotice.reminder',
  'PlannedNotice.staleAt',
  'GeneralNotice.metadata',
  'GeneralNotice.owner',
  'GeneralNotice.ownerId',
  'GeneralNotice.staleAt',
];

/**
 * All other scalars of the records that are open. A new one is listed here if the public page shows it, else it gets
 * `@RequiresAccess('viewer')`.
 */
const record = 'createdAt id nodeId updatedAt version';
const notice = `${record} beganAt componentIds endedAt link nextStates nextUpdateBy state subject synopsis tagList timelineState type worstImpact`;
const openScalars: Record<string, string> = {
  Page:
    `${record} endpoint locale metaDescription metaTitle name openNoticesCount shouldSendNotificationsBySlack shouldSendNotificationsByTeams shouldSendNotificationsByWebhook ` +
    'shouldSendNotificationsByDiscord shouldSendNotificationsByEmail shouldSendNotificationsBySms shouldSendNotificationsByMastodon shouldSendNotificationsByPush shouldShowUptime shouldShowResponseStatistics state supportEmail ' +
    'supportTelephone supportUrl timelineSortOrder timelineThresholdSeconds timezone timezoneName url googleAnalyticsId visibility isVisibleToSearch ' +
    'websiteUrl privacyUrl termsUrl',
  Component: `${record} description name parentId position state status uptime`,
  Metric: `${record} color decimalPlaces isShown latestValue latestValueAt name unit`,
  UnplannedNotice: notice,
  PlannedNotice: `${notice} beginsAt endsAt shouldAutomateSchedule`,
  GeneralNotice: notice,
  NoticeComponent: 'impact recoveredAt',
  NoticeUpdate: `${record} content contentHtml contentText editedAt kind link postedAt isPublished state`,
  NoticeUpdateRevision: 'content contentHtml contentText id replacedAt state',
  Brand:
    `${record} colorBodyBackground colorBodyLinks colorBodyText colorHeaderBackground colorHeaderLinks ` +
    'colorHeaderText colorNavbarBackground colorNavbarButtonBackground colorNavbarLinks colorStateOk ' +
    'colorStateWarning faviconUrl logoDarkUrl logoUrl',
};
const modes = ['none', 'page', 'public'] as const;
const isOpenBelow = (field: string, mode: (typeof modes)[number]) =>
  (mode === 'public' && openBelow[field] !== 'never') || (mode === 'page' && openBelow[field] === 'page');

/** Values that programs send all day. */
const unaudited = new Set(['recordMetric', 'recordMetricValues']);

/** The page of the entry in the audit log, where it is not that of the records. */
const auditedPage: Record<string, unknown> = {
  createPage: expect.any(String),
  disablePerson: null,
  enablePerson: null,
  erasePersonData: null,
  exportPersonData: null,
};

/** These have an entry for each record. */
const hasManyEntries = /DemoData$/;

// Nothing listens there, so a check of a domain fails at once, without leaving the machine.
const service = useOwnService({ dnsServers: ['127.0.0.1:1'], allowPrivateTargets: true });
let revoked: string;
let own: AccessRecords;
let foreign: AccessRecords;
beforeAll(async () => {
  revoked = await createRevokedToken(service);
  own = await createAccessRecords(service);
  foreign = await createAccessRecords(service);
}, 60_000);
afterEach(() => {
  service.settings.anonymousReads = 'public';
});

const ask = async (field: Field, records: AccessRecords, token: string | null, selection?: string) => {
  const { query, variables } = operationOf(field, records, selection);
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

test('every field in the lists of open fields exists', () => {
  expect(openRoots.public.filter(name => !queries.some(field => field.name === name))).toEqual([]);
  expect(
    mutations
      .filter(field => required(field).some(({ name }) => name === 'input') && !inputs[field.name])
      .map(({ name }) => name),
  ).toEqual([]);
});

describe.each([...queries, ...mutations].map(field => ({ name: field.name, field })))('$name', ({ name, field }) => {
  test.each(modes)('is open or refused without a token with ANONYMOUS_READS=%s, and writes nothing', async mode => {
    service.settings.anonymousReads = mode;
    const before = await hashTables(service.database);
    const { errors, data } = await ask(field, own, null);
    if (openRoots[mode].includes(name)) {
      expect(errors).toBeUndefined();
      if (name !== 'viewer') expect(data).toEqual((await ask(field, own, service.tokens.read)).data);
    } else {
      for (const records of [own, missingIds]) {
        const refused = await ask(field, records, null);
        expect([codes(refused.errors), refused.data]).toEqual([['UNAUTHENTICATED'], { [name]: null }]);
      }
    }
    expect(await hashTables(service.database)).toBe(before);
  });

  test('refuses the whole request with an unknown or revoked token', async () => {
    service.settings.anonymousReads = 'public';
    const before = await hashTables(service.database);
    for (const token of ['wrong', revoked]) {
      const { status, errors, json } = await ask(field, own, token);
      expect([status, codes(errors), 'data' in json]).toEqual([401, ['UNAUTHENTICATED'], false]);
    }
    expect(await hashTables(service.database)).toBe(before);
  });

  test('allows reads and refuses writes with a read token', async () => {
    const before = await hashTables(service.database);
    expect(codes((await ask(field, own, service.tokens.read)).errors)).toEqual(
      isMutation(field) || requiresRole(field) ? ['FORBIDDEN'] : undefined,
    );
    if (isMutation(field))
      expect(codes((await ask(field, missingIds, service.tokens.read)).errors)).toEqual(['FORBIDDEN']);
    expect(await hashTables(service.database)).toBe(before);
  });

  test('allows reads and writes with a write token, and writes leave an entry in the audit log', async () => {
    const records = isMutation(field) ? await recordsToChange(service, name) : own;
    const before = await hashTables(service.database);
    const [latest] = await service.database.query<{ id: number }>('select max(id) as id from audit_entry');
    expect((await ask(field, records, service.tokens.write)).errors).toBeUndefined();
    expect((await hashTables(service.database)) === before).toBe(!isMutation(field));
    const entry = {
      operation: name,
      actor_kind: 'token',
      actor: expect.stringMatching(/^write \(\d+\)$/),
      interface: 'graphql',
      page_id: auditedPage[name] === undefined ? records.page_id : auditedPage[name],
    };
    const entries = await service.database.query('select * from audit_entry where id > $1', [latest!.id]);
    const isAudited = isMutation(field) && !unaudited.has(name);
    const count = isAudited ? (hasManyEntries.test(name) ? entries.length : 1) : 0;
    expect(entries).toEqual(Array(count).fill(expect.objectContaining(entry)));
    expect(entries.length > 0).toBe(isAudited);
  });

  test('answers an id under another parent like an id that does not exist, and changes nothing', async () => {
    service.settings.anonymousReads = 'public';
    const before = await hashTables(service.database);
    const ids = idArguments(field).map(argument => idNamed(field, argument.name));
    const callers = [
      service.tokens.write,
      ...(isMutation(field) || requiresRole(field) ? [] : [service.tokens.read]),
      ...(openRoots.public.includes(name) ? [null] : []),
    ];
    for (const [place, id] of ids.entries()) {
      const mixed = (take: (at: number) => AccessRecords): AccessRecords => ({
        ...own,
        ...Object.fromEntries(ids.map((one, at) => [one, take(at)[one]])),
      });
      const wrong =
        place === 0 ? [] : [mixed(at => (at < place ? own : foreign)), mixed(at => (at < place ? foreign : own))];
      if (id === 'update_id') wrong.push({ ...own, update_id: own.sibling_id });
      for (const token of callers) {
        const nothing = await ask(field, { ...own, [id]: missingIds[id] }, token);
        expect(codes(nothing.errors)).toEqual(['NOT_FOUND']);
        for (const records of wrong) {
          const there = await ask(field, records, token);
          expect([there.status, there.json]).toEqual([nothing.status, nothing.json]);
        }
      }
    }
    expect(await hashTables(service.database)).toBe(before);
  });
});

test('every scalar of an open record is in the list of open or of closed scalars', () => {
  const types = Object.keys(openScalars).map(name => schema.getType(name)!);
  for (const type of types) {
    const open = scalarsOf(type).filter(field => !isClosed(field));
    expect([type.name, open.map(({ name }) => name).toSorted()]).toEqual([
      type.name,
      openScalars[type.name]!.split(' ').toSorted(),
    ]);
  }
  expect(
    types.flatMap(type =>
      scalarsOf(type)
        .filter(isClosed)
        .map(({ name }) => `${type.name}.${name}`),
    ),
  ).toEqual(closedScalars);
});

test.each([
  ['Page.reminder', 'page', '{ reminder }'],
  ['PlannedNotice.reminder', 'page', '{ notices(first: 5) { nodes { ... on PlannedNotice { reminder } } } }'],
  ['PlannedNotice.reminder', 'notices', '{ nodes { ... on PlannedNotice { reminder } } }'],
  [
    'NoticeUpdateRevision.replacedBy',
    'notices',
    '{ nodes { updates(first: 5) { nodes { revisions { replacedBy { label } } } } } }',
  ],
])('%s in %s requires a token', async (_, root, selection) => {
  const field = schema.getQueryType()!.getFields()[root]!;
  const { errors, data } = await ask(field, own, null, selection);
  expect([codes(errors), data]).toEqual([['UNAUTHENTICATED'], { [root]: null }]);
  expect((await ask(field, own, service.tokens.read, selection)).errors).toBeUndefined();
});

/** Every field that leads from a record to other records, of the types that are reachable from an open field. */
const relationsOf = (type: string): Field[] =>
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
  relationsOf(type).map(field => ({
    type,
    field,
    name: `${type}.${field.name}`,
    rule: `${type.replace(/\w+Notice$/, 'Notice')}.${field.name}`,
  })),
);

/** Open queries that lead to a record of a type. */
const openPaths: Record<string, [root: string, selection: (fields: string) => string, from: 'page' | 'public'][]> = {
  Page: [['page', fields => `{ id ${fields} }`, 'page']],
  Component: [
    ['component', fields => `{ id ${fields} }`, 'page'],
    ['page', fields => `{ components(first: 5) { nodes { id ${fields} } } }`, 'page'],
    ['page', fields => `{ notices(first: 5) { nodes { components(first: 5) { nodes { id ${fields} } } } } }`, 'page'],
    ['components', fields => `{ nodes { id ${fields} } }`, 'public'],
    ['components', fields => `{ edges { node { id ${fields} } } }`, 'public'],
  ],
  Notice: [
    ['page', fields => `{ notices(first: 5) { nodes { id ${fields} } } }`, 'page'],
    ['notice', fields => `{ id ${fields} }`, 'page'],
    ['notices', fields => `{ nodes { id ${fields} } }`, 'public'],
    ['notices', fields => `{ edges { node { id ${fields} } } }`, 'public'],
  ],
  NoticeUpdate: [
    ['page', fields => `{ notices(first: 5) { nodes { updates(first: 5) { nodes { id ${fields} } } } } }`, 'page'],
    ['noticeUpdate', fields => `{ id ${fields} }`, 'public'],
    ['noticeUpdates', fields => `{ nodes { id ${fields} } }`, 'public'],
  ],
};

test('every relation has an entry in the list of open relations', () => {
  expect([...new Set(nested.map(({ rule }) => rule))].toSorted()).toEqual(Object.keys(openBelow).toSorted());
});

describe.each(nested)('$name', ({ type, field, rule }) => {
  const isKind = type !== 'Notice' && type.endsWith('Notice');
  test.each(modes)('is open or refused without a token, on every path, with ANONYMOUS_READS=%s', async mode => {
    service.settings.anonymousReads = mode;
    const fields = `${callField(field)} { ${leaves(getNamedType(field.type))} }`;
    const below = isKind ? `... on ${type} { ${fields} }` : fields;
    for (const [root, selection, from] of openPaths[isKind ? 'Notice' : type]!) {
      const { errors, data } = await ask(schema.getQueryType()!.getFields()[root]!, own, null, selection(below));
      const isOpen = isOpenBelow(rule, mode) && (mode === 'public' || from === 'page');
      expect([selection(below), codes(errors), data[root] === null]).toEqual([
        selection(below),
        isOpen ? undefined : ['UNAUTHENTICATED'],
        !isOpen,
      ]);
    }
  });
});
