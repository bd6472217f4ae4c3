import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  validateSchema,
} from 'graphql';
import { findAccess } from '../../../src/auth/access.js';
import { renderSchema } from '../../../src/graphql/build-schema.js';
import { entities } from '../../../src/entities.js';
import { restSchema, schema } from '../../../src/schema.js';

const types = Object.values(schema.getTypeMap()).filter(
  type => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);
const outputTypes = types.filter(type => isObjectType(type) || isInterfaceType(type));
const inputTypes = types.filter(isInputObjectType);

interface Part {
  path: string;
  name: string;
  description?: string | null;
}

const fieldsOf = (type: GraphQLNamedType): Part[] =>
  'getFields' in type
    ? Object.values(type.getFields()).map(({ name, description }) => ({
        path: `${type.name}.${name}`,
        name,
        description,
      }))
    : [];
const argumentsOf = (type: GraphQLNamedType): Part[] =>
  isObjectType(type) || isInterfaceType(type)
    ? Object.values(type.getFields()).flatMap(field =>
        field.args.map(({ name, description }) => ({ path: `${type.name}.${field.name}(${name})`, name, description })),
      )
    : [];
const valuesOf = (type: GraphQLNamedType): Part[] =>
  isEnumType(type)
    ? type.getValues().map(({ name, description }) => ({ path: `${type.name}.${name}`, name, description }))
    : [];
const typeParts: Part[] = types.map(({ name, description }) => ({ path: name, name, description }));
const fields = types.flatMap(fieldsOf);
const values = types.flatMap(valuesOf);
const allArguments = types.flatMap(argumentsOf);

test('a mutation that writes a record takes its version', () => {
  /** They do not move the version: the owner of a notice, a value of a metric, the result of a test. */
  const others = ['assignNotice', 'recordMetric', 'testWebhook'];
  const isRecord = (type: GraphQLNamedType) =>
    (isObjectType(type) || isInterfaceType(type)) &&
    [type, ...type.getInterfaces()].some(({ name }) => name === 'Record');
  const withoutVersion = Object.values(schema.getMutationType()!.getFields()).filter(({ name, args, type }) => {
    const payload = getNamedType(type) as GraphQLObjectType;
    const written = Object.values(payload.getFields()).some(
      field => field.name !== 'page' && isRecord(getNamedType(field.type)),
    );
    const names = args.map(argument => argument.name);
    const isOfOne = names.includes('id') && (written || payload.name === 'DeleteRecordPayload');
    return isOfOne && !names.includes('ifVersion') && !others.includes(name);
  });
  expect(withoutVersion.map(({ name }) => name)).toEqual([]);
});

const pathsOf = (parts: Part[]) => parts.map(({ path }) => path);

test('schema.graphql matches the schema; `npm run schema` writes it', () => {
  expect(readFileSync('schema.graphql', 'utf8')).toBe(renderSchema(schema));
});

// Neither is checked when the service starts.
test.each([
  ['of GraphQL', schema],
  ['of /v1', restSchema],
])('the schema %s is valid', (_, built) => {
  expect(validateSchema(built)).toEqual([]);
});

describe('Lists', () => {
  const isPayload = (name: string) => /(Payload|Preview|Occurrences|AlertTrials)$/.test(name);
  const lists = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__') && !name.endsWith('Connection') && !isPayload(name))
    // As long as the input that was stored.
    .filter(({ name }) => !schema.getType(name.replace(/Draft$|$/, 'Input')) || name === 'Recurrence')
    .flatMap(type =>
      Object.values(type.getFields())
        .filter(field => isCompositeType(getNamedType(field.type)) && isListType(getNullableType(field.type)))
        .map(({ name }) => `${type.name}.${name}`),
    );

  test('of records are connections, unless they are short by their nature', () => {
    expect(lists.toSorted()).toEqual([
      'AlertSource.rules',
      'AlertTrial.components',
      'AlertTrial.labels',
      'AuditEntry.changes',
      'Component.history',
      'ComponentDay.notices',
      'ComponentTemplate.components',
      'Delivery.attempts',
      'GeneralNotice.affectedComponents',
      'Metric.points',
      'NoticeUpdate.revisions',
      'Page.channels',
      'Page.monthReports',
      'Page.subscriberStatistics',
      'PageMonthReport.components',
      'PageMonthReport.notices',
      'PageTemplate.components',
      'Person.memberships',
      'Person.passkeys',
      'Person.sessions',
      'PlannedNotice.affectedComponents',
      'Publication.audience',
      'Publication.counts',
      'Query.assignees',
      'Query.channels',
      'Query.importedRecords',
      'Query.nodes',
      'Query.webhookUrls',
      'Recurrence.components',
      'Recurrence.plannedNotices',
      'Recurrence.windows',
      'SubscriberStatistics.channels',
      'Token.pages',
      'UnplannedNotice.affectedComponents',
      'Viewer.roles',
      'Webhook.components',
    ]);
  });

  test('that are connections have the same fields and arguments everywhere', () => {
    const connections = Object.values(schema.getTypeMap()).filter(({ name }) => name.endsWith('Connection'));
    expect(connections.length).toBeGreaterThan(8);
    for (const type of connections.filter(isObjectType))
      expect(Object.keys(type.getFields()).toSorted()).toEqual(['edges', 'nodes', 'pageInfo', 'totalCount']);
    const paging = ['after', 'before', 'filter', 'first', 'last', 'orderBy'];
    for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
      for (const { name, type: fieldType, args } of Object.values(type.getFields()))
        if (getNamedType(fieldType).name.endsWith('Connection')) {
          const given = args.map(argument => argument.name).filter(argument => !/Id$/.test(argument));
          expect([type.name, name, given.toSorted()]).toEqual([type.name, name, paging]);
        }
  });

  test('at the root can be null', () => {
    for (const { type } of Object.values(schema.getQueryType()!.getFields())) expect(isNonNullType(type)).toBe(false);
  });
});

describe('Descriptions', () => {
  test.each([
    ['type', typeParts],
    ['field', fields],
    ['argument', allArguments],
    ['enum value', values],
  ])('exist for every %s', (_, parts) => {
    expect(parts.length).toBeGreaterThan(0);
    expect(pathsOf(parts.filter(({ description }) => !description?.trim()))).toEqual([]);
  });

  test('are sentences', () => {
    const parts = [...typeParts, ...fields, ...allArguments, ...values];
    expect(
      pathsOf(parts.filter(({ description }) => !/^(?:[A-Z0-9`]|true:)[\s\S]*\.$/.test(description ?? ''))),
    ).toEqual([]);
  });

  test('mark the mutations that only the console uses', () => {
    const mutations = Object.values(schema.getMutationType()!.getFields());
    const marked = mutations.filter(({ description }) => description!.startsWith('Console. '));
    expect(marked.map(({ name }) => name)).toEqual([
      'createDemoData',
      'createPasskey',
      'deleteDemoData',
      'deleteDraft',
      'deletePasskey',
      'disableAlertPush',
      'enableAlertPush',
      'publishDraft',
      'renamePasskey',
      'requestAlertPush',
      'requestPasskeyRegistration',
      'requestPasskeySignIn',
      'requestSignInCode',
      'revokeSession',
      'saveDraft',
      'scheduleDraft',
      'signInWithCode',
      'signInWithPasskey',
      'signOut',
      'unscheduleDraft',
    ]);
  });

  test('say what null means, for every nullable field, and once for root fields and for a payload', () => {
    const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
    for (const { description } of roots) expect(description).toMatch(/\bnull\b/);
    const isDescribed = (type: (typeof outputTypes)[number]) =>
      roots.includes(type as never) || /\bnull\b/.test(type.getFields().userErrors?.description ?? '');
    const undescribed = outputTypes.flatMap(type =>
      Object.values(isDescribed(type) ? {} : type.getFields())
        .filter(({ type: fieldType, description }) => !isNonNullType(fieldType) && !/\bnull\b/i.test(description ?? ''))
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(undescribed).toEqual([]);
  });
});

describe('Names', () => {
  const findViolations = (parts: Part[], convention: RegExp) =>
    pathsOf(parts.filter(({ name }) => !convention.test(name)));

  test('of types are PascalCase', () => expect(findViolations(typeParts, /^[A-Z][a-zA-Z0-9]*$/)).toEqual([]));

  test('of fields and arguments are camelCase', () =>
    expect(findViolations([...fields, ...allArguments], /^[a-z][a-zA-Z0-9]*$/)).toEqual([]));

  test('of enum values are upper case', () =>
    expect(findViolations(values, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)).toEqual([]));

  test('of mutations begin with a verb', () => {
    const mutations = fieldsOf(schema.getMutationType()!);
    expect(
      findViolations(
        mutations,
        /^(create|update|delete|open|schedule|unschedule|advance|set|reset|check|resend|import|configure|remove|lift|revoke|invite|disable|enable|request|sign|rename|save|publish|stop|notify|clear|assign|move|export|erase|unsubscribe|upload|rotate|resume|skip|end|test|read|follow|unfollow|record)[A-Z]|^announce$/,
      ),
    ).toEqual([]);
  });

  test('of inputs end in Input, but those of filters and orders', () => {
    const names = inputTypes.map(({ name }) => name).filter(name => !/(Filter|Order)$/.test(name));
    expect(names.filter(name => !name.endsWith('Input'))).toEqual([]);
  });

  test('of root fields lead to nullable types, so that the error of one does not discard the others', () => {
    const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
    const required = roots.flatMap(root => Object.values(root.getFields()).filter(({ type }) => isNonNullType(type)));
    expect(required.map(({ name }) => name)).toEqual([]);
  });

  test('of what mutations return, and of nothing else, end in Payload', () => {
    const typesOf = (root: GraphQLObjectType) =>
      Object.values(root.getFields()).map(({ type }) => getNamedType(type).name);
    expect(typesOf(schema.getMutationType()!).filter(name => !name.endsWith('Payload'))).toEqual([]);
    expect(typesOf(schema.getQueryType()!).filter(name => name.endsWith('Payload'))).toEqual(['AlertPayload']);
  });

  test('of mutation inputs are `input`, at most one and non-null, and payloads are nullable', () => {
    const violations = Object.values(schema.getMutationType()!.getFields()).filter(({ args, type }) => {
      const inputs = args.filter(
        ({ name, type: argumentType }) =>
          name !== 'filter' && isInputObjectType(isNonNullType(argumentType) ? argumentType.ofType : argumentType),
      );
      return (
        inputs.length > 1 ||
        inputs.some(({ name, type: inputType }) => name !== 'input' || !isNonNullType(inputType)) ||
        isNonNullType(type)
      );
    });
    expect(violations.map(({ name }) => name)).toEqual([]);
  });

  test('of inputs differ from those of output types', () => {
    expect(
      pathsOf(
        inputTypes
          .map(({ name }) => ({ path: name, name }))
          .filter(({ name }) => outputTypes.some(type => type.name === name)),
      ),
    ).toEqual([]);
  });
});

test('Names of booleans say so', () => {
  /** Terms of the field. */
  const terms = ['dryRun'];
  const booleans = [...outputTypes, ...inputTypes].flatMap(type =>
    Object.values(type.getFields()).flatMap(field => {
      const given: { name: string; type: unknown }[] = 'args' in field ? [...field.args] : [];
      return type.name.endsWith('Filter') ? given : [field, ...given];
    }),
  );
  const names = booleans.filter(({ type }) => String(type).replaceAll(/\W/g, '') === 'Boolean').map(({ name }) => name);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter(name => !/^(is|has|should)[A-Z]/.test(name) && !terms.includes(name))).toEqual([]);
});

test('Names of time zones are those of the tz database, beside which a display name says so', () => {
  const zones = fields.filter(({ name }) => /zone/i.test(name)).map(({ name }) => name);
  expect([...new Set(zones)].toSorted()).toEqual(['timezone', 'timezoneName', 'timezones']);
  const named = outputTypes.filter(type => type.getFields().timezoneName).map(({ name }) => name);
  expect(named).toEqual(['Page', 'Recurrence']);
});

test('Names of durations end in their unit', () => {
  const durations = [...fields, ...allArguments].filter(({ description }) =>
    /\bin (seconds|minutes)\b|^(Seconds|Minutes),/.test(description ?? ''),
  );
  expect(durations.length).toBeGreaterThan(2);
  expect(pathsOf(durations.filter(({ name }) => !/(Seconds|Minutes)$/.test(name)))).toEqual([]);
});

test('Who did something is an Actor, and why something failed is `failure`', () => {
  const texts = outputTypes.flatMap(type =>
    Object.values(type.getFields()).filter(field => getNamedType(field.type).name === 'String'),
  );
  expect(
    texts.map(({ name }) => name).filter(name => /^(by|author|actor|failureReason|.*(By|Error))$/.test(name)),
  ).toEqual([]);
  const actors = outputTypes.flatMap(type =>
    Object.values(type.getFields()).filter(field => getNamedType(field.type).name === 'Actor'),
  );
  expect(actors.map(({ name }) => name).toSorted()).toEqual([
    'actor',
    'author',
    'publishedBy',
    'replacedBy',
    'scheduledBy',
  ]);
});

describe('Fields', () => {
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  const rootFields = roots.flatMap(root => Object.values(root.getFields()).map(field => ({ root, field })));

  test('at the root declare the access that they require', () => {
    expect(rootFields.filter(({ field }) => !findAccess(field)).map(({ field }) => field.name)).toEqual([]);
  });

  test('of every payload, and of a preview, have userErrors', () => {
    const inputs = rootFields.filter(({ root, field }) => root === roots[1] || field.name === 'previewPublication');
    const payloads = inputs.map(({ field }) => (getNamedType(field.type) as GraphQLObjectType).getFields());
    expect(payloads.length).toBeGreaterThan(30);
    expect(payloads.filter(({ userErrors }) => String(userErrors?.type) !== '[UserError!]!')).toEqual([]);
  });
});

describe('Identity', () => {
  const recordNames = new Set(entities.map(({ name }) => name));
  const isRecord = (type: (typeof outputTypes)[number]) =>
    [type, ...type.getInterfaces()].some(({ name }) => recordNames.has(name));
  const isPayload = ({ name }: { name: string }) => /Payload$/.test(name);

  test('an `id` is that of a record, by which clients cache an object', () => {
    const others = outputTypes.filter(
      type => !isRecord(type) && /\b(id|nodeId)\b/.test(Object.keys(type.getFields()).join()),
    );
    expect(others.map(({ name }) => name)).toEqual(['Node', 'Record']);
  });

  test('the records of connections are nodes', () => {
    const edges = outputTypes.filter(({ name }) => name.endsWith('Edge'));
    expect(edges.length).toBeGreaterThan(15);
    const isNode = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node');
    const nodes = edges.map(type => getNamedType(type.getFields().node!.type) as GraphQLObjectType);
    expect(nodes.filter(type => !isNode(type)).map(({ name }) => name)).toEqual([]);
  });

  test('each node can be read by its global id', () => {
    const nodes = outputTypes.filter(
      type => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'),
    );
    const hasQuery = (type: (typeof outputTypes)[number]) =>
      [type, ...type.getInterfaces()].some(({ extensions }) => extensions.recordAccess);
    expect(nodes.filter(type => !hasQuery(type)).map(({ name }) => name)).toEqual([]);
  });

  test('the id of a record stands beside the record', () => {
    const idsAlone = outputTypes
      .filter(type => !isPayload(type))
      .flatMap(type => {
        const names = Object.keys(type.getFields());
        const ids = names.filter(name => /[a-z]Ids?$/.test(name) && name !== 'nodeId');
        const alone = ids.filter(
          name => !names.includes(name.endsWith('s') ? name.replace(/Ids$/, 's') : name.slice(0, -2)),
        );
        return alone.map(name => `${type.name}.${name}`);
      });
    expect(idsAlone.toSorted()).toEqual(Object.keys(idsOfNoEdge).toSorted());
  });
});

/** Ids without the record beside them, each for a reason. */
const idsOfNoEdge: Record<string, string> = {
  'Assignee.personId': 'Only owners see people; publishers see the address.',
  'AuditEntry.publicationId': 'It may be deleted.',
  'AuditEntry.requestId': 'Of no record.',
  'Delivery.messageId': 'Of no record.',
  'ImportedRecord.recordId': 'A component or a notice, of which programs need the id alone.',
  'ImportedRecord.sourceId': 'Of no record of this service.',
  'Page.googleAnalyticsId': 'Of no record.',
  'RemoteComponent.remoteId': 'Of no record of this service.',
  'Upstream.remoteId': 'Of no record of this service.',
};

describe('Filters', () => {
  const operatorsOf = (name: string) =>
    Object.keys((types.find(type => type.name === name) as GraphQLInputObjectType).getFields()).sort();

  test('have the operators that mean something for a type', () => {
    expect(operatorsOf('BooleanFilter')).toEqual(['eq', 'notEq']);
    expect(operatorsOf('NoticeStateFilter')).toEqual(['eq', 'in', 'notEq', 'notIn', 'present']);
    expect(operatorsOf('StringFilter')).toHaveLength(12);
    expect(operatorsOf('TimestampFilter')).toHaveLength(10);
  });

  test('keep all operators in /v1', () => {
    const filter = restSchema.getType('NoticeStateFilter') as GraphQLInputObjectType;
    expect(Object.keys(filter.getFields())).toHaveLength(12);
  });
});

test('Scalars name their specification', () => {
  const scalars = types.filter(isScalarType);
  expect(scalars.map(({ name }) => name)).toEqual(expect.arrayContaining(['Bytes', 'Timestamp']));
  for (const { specifiedByURL } of scalars) expect(specifiedByURL).toMatch(/^https:\/\//);
});

test('Texts of responses have the scalar of their form; those of inputs are strings, with which variables are declared', () => {
  const typeOf = (type: string, field: string) =>
    String((schema.getType(type) as GraphQLObjectType).getFields()[field]!.type);
  expect(typeOf('ComponentDay', 'date')).toBe('Date!');
  expect(typeOf('Page', 'url')).toBe('URL!');
  expect(typeOf('Notice', 'link')).toBe('URL!');
  expect(typeOf('Brand', 'logoUrl')).toBe('URL');
  expect(typeOf('Page', 'locale')).toBe('Locale!');
  expect(typeOf('Brand', 'colorStateOk')).toBe('Color!');
  expect(typeOf('UpdatePageInput', 'locale')).toBe('String');
  expect(typeOf('UpdateBrandInput', 'colorStateOk')).toBe('String');
});

test('What affects a component has one enum, ComponentStatus, whose words an impact has, too', () => {
  const namesOf = (name: string) => (schema.getType(name) as GraphQLEnumType).getValues().map(value => value.name);
  const severities = types.filter(isEnumType).filter(({ name }) => namesOf(name).includes('MAJOR_OUTAGE'));
  expect(severities.map(({ name }) => name)).toEqual(['ComponentStatus', 'Impact']);
  expect(namesOf('Impact').filter(name => name !== 'NONE' && !namesOf('ComponentStatus').includes(name))).toEqual([]);
  const statuses = [...outputTypes, ...inputTypes].flatMap(type =>
    Object.values(type.getFields()).flatMap(({ name, type: fieldType }) =>
      String(fieldType).replaceAll(/\W/g, '') === 'ComponentStatus' ? [name] : [],
    ),
  );
  expect(statuses.length).toBeGreaterThan(6);
  expect(statuses.filter(name => !/^status$|^(eq|notEq|in|notIn)$/.test(name))).toEqual([]);
});

/** What other specifications or programs define, and a client passes on as it is. */
const freeJson: Record<string, string> = {
  metadata: 'Programs keep with a record what they like.',
  options: 'WebAuthn: it goes into `navigator.credentials` as it is.',
  credential: 'WebAuthn: what the browser returns.',
};

test('JSON is the type of what is free by its nature alone', () => {
  const isJson = ({ type }: { type: unknown }) => String(type).replaceAll(/\W/g, '') === 'JSON';
  const found = [...outputTypes, ...inputTypes].flatMap(type =>
    Object.values(type.getFields()).flatMap(field => {
      const given: { name: string; type: unknown }[] = 'args' in field ? [...field.args] : [];
      return [field, ...given].filter(isJson).map(({ name }) => name);
    }),
  );
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(freeJson).toSorted());
});

test('An input of which one field is given is @oneOf', () => {
  const oneOf = inputTypes.filter(({ isOneOf }) => isOneOf).map(({ name }) => name);
  const described = inputTypes.filter(({ description }) => /exactly one/i.test(description ?? ''));
  expect(oneOf).toEqual(['NoticeChangeInput']);
  expect(pathsOf(described.map(({ name }) => ({ path: name, name })))).toEqual(oneOf);
});

test('Channels have the names of their providers', () => {
  const names = (schema.getType('Channel') as GraphQLEnumType).getValues().map(({ name }) => name);
  expect(names.sort()).toEqual(['DISCORD', 'EMAIL', 'MASTODON', 'PUSH', 'SLACK', 'SMS', 'TEAMS', 'WEBHOOK']);
});

describe('Words of /v1', () => {
  /** Names of its fields and parameters that GraphQL names otherwise, spellings that it has not, and its form. */
  const words =
    /chat.?a\b|chat.?b\b|\bsocial|BySocial|vendor|initial.?comment|additional.?comment|(?<!public )comment|state.?event|InDays|AtDate|AtTime|durationIn|perPage|pagination|should_|_id\b|\bfilter\[|include=|synopsis_|\bzone\b:/i;

  test('are in no name of the schema', () => {
    const parts = [...typeParts, ...fields, ...allArguments, ...values];
    expect(pathsOf(parts.filter(({ name }) => words.test(name)))).toEqual([]);
  });

  test('are in no description', () => {
    const parts = [...typeParts, ...fields, ...allArguments, ...values];
    expect(pathsOf(parts.filter(({ description }) => words.test(description ?? '')))).toEqual([]);
  });

  test('are still those of /v1', () => {
    const page = restSchema.getType('Page') as GraphQLObjectType;
    expect(Object.keys(page.getFields())).toContain('timelineThresholdInDays');
  });
});

test('a mutation for programs that takes no Idempotency-Key says so', () => {
  const secret = Object.values(schema.getMutationType()!.getFields()).filter(
    ({ extensions, description }) => extensions.isSecret && !description!.startsWith('Console.'),
  );
  expect(secret.length).toBeGreaterThan(0);
  for (const { name, description } of secret)
    expect([name, description]).toEqual([name, expect.stringMatching(/no Idempotency-Key/)]);
});
