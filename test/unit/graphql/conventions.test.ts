import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../../src/schema.js';

type Fields = GraphQLField<unknown, unknown>[];
const queries: Fields = Object.values(schema.getQueryType()!.getFields());
const mutations: Fields = Object.values(schema.getMutationType()!.getFields());
const types = Object.values(schema.getTypeMap());

const findArgument = ({ args }: Fields[number], name: string) => args.find(argument => argument.name === name);
const namesOf = (fields: Fields) => fields.map(({ name }) => name);

describe('The page of an operation', () => {
  const withPage = [...queries, ...mutations].filter(field => findArgument(field, 'pageId'));
  const isRequired = (field: Fields[number], name: string) => isNonNullType(findArgument(field, name)?.type);

  test('need not be given where the id of one record is', () => {
    const ofRecords = withPage.filter(field => isRequired(field, 'id') || isRequired(field, 'noticeId'));
    expect(ofRecords.length).toBeGreaterThan(50);
    expect(namesOf(ofRecords.filter(field => isRequired(field, 'pageId')))).toEqual([]);
  });

  test('is required otherwise, except for lists of all pages', () => {
    const optional = withPage.filter(field => !isRequired(field, 'pageId'));
    const withoutRecord = optional.filter(field => !isRequired(field, 'id') && !isRequired(field, 'noticeId'));
    expect(namesOf(withoutRecord)).toEqual(['auditLog', 'drafts', 'notices', 'people']);
  });
});

test('Every connection can be ordered by id, name and the times of its records', () => {
  const edges = types.filter(isObjectType).filter(({ name }) => name.endsWith('Edge'));
  expect(edges.length).toBeGreaterThan(15);
  const missing = edges.flatMap(edge => {
    const record = getNamedType(edge.getFields().node!.type) as GraphQLObjectType;
    const order = schema.getType(`${record.name}OrderField`) as GraphQLEnumType;
    const values = order.getValues().map(({ name }) => name.replaceAll('_', '').toLowerCase());
    const orders = ['id', 'name', 'createdAt', 'updatedAt'].filter(name => name in record.getFields());
    return orders.filter(name => !values.includes(name.toLowerCase())).map(name => `${record.name}.${name}`);
  });
  expect(missing).toEqual([]);
});

test('Names of times say what happens then', () => {
  const times = types
    .filter(type => isObjectType(type) || isInterfaceType(type))
    .flatMap(type =>
      Object.values(type.getFields())
        .filter(field => getNamedType(field.type).name === 'Timestamp')
        .map(({ name }) => `${type.name}.${name}`),
    );
  expect(times.length).toBeGreaterThan(60);
  expect(times.filter(path => /\.(at|from|to|since|(last|latest|next|first|due)At)$/.test(path))).toEqual([]);
});

test('No description says that a text is empty where there is none: it is null', () => {
  const texts = types.flatMap(type =>
    'getFields' in type
      ? Object.values((type as GraphQLObjectType | GraphQLInputObjectType).getFields())
          .filter(field => String(field.type) === 'String!')
          .filter(({ description }) => /\bempty\b/i.test(description ?? ''))
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  );
  // The text of /v1, which a new notice has at once.
  expect(texts.filter(path => !/Notice\.synopsis$/.test(path))).toEqual([]);
});

describe('Arguments of mutations', () => {
  /** What selects the records, and under which conditions they are written. All values are in `input`. */
  const conditions = ['dryRun', 'expectedCount', 'filter', 'ifVersion', 'previewHash'];

  test('are ids and conditions; what is written is in `input`', () => {
    const isArgument = (name: string) => name === 'input' || /^ids?$|Ids?$/.test(name) || conditions.includes(name);
    const others = mutations.flatMap(({ name, args }) =>
      args.filter(argument => !isArgument(argument.name)).map(argument => `${name}(${argument.name})`),
    );
    expect(others).toEqual([]);
  });

  test('that are conditions are in no input, but of one that has several changes', () => {
    const inputs = types.filter(type => isInputObjectType(type) && type.name.endsWith('Input'));
    const found = inputs.flatMap(type =>
      Object.keys((type as GraphQLInputObjectType).getFields())
        .filter(name => conditions.includes(name))
        .map(name => `${type.name}.${name}`),
    );
    expect(found.sort()).toEqual(['PageChangeInput.ifVersion', 'PageChangeInput.previewHash']);
  });

  test('have the version of the record that a page has one of', () => {
    /** A DNS check, whose result is no version. */
    const others = ['checkCustomDomain'];
    const ofPages = mutations.filter(({ name, type }) => {
      const { name: payload } = getNamedType(type);
      return /^(Brand|CustomDomain|Theme)Payload$/.test(payload) && !others.includes(name);
    });
    expect(ofPages.length).toBeGreaterThan(5);
    expect(namesOf(ofPages.filter(field => !findArgument(field, 'ifVersion')))).toEqual([]);
  });
});

describe('Payloads', () => {
  const payloads = new Map(mutations.map(({ type }) => [getNamedType(type).name, getNamedType(type)]));
  const recordsIn = (payload: GraphQLObjectType) =>
    Object.values(payload.getFields()).flatMap(field => {
      const type = getNamedType(field.type);
      return isObjectType(type) || isInterfaceType(type) ? [{ name: field.name, type, list: String(field.type) }] : [];
    });

  test('are named after their mutation, or after the record that they return', () => {
    const misnamed = [...payloads].filter(([name, payload]) => {
      const users = namesOf(mutations.filter(({ type }) => getNamedType(type) === payload));
      const isOfMutation = users.length === 1 && name.toLowerCase() === `${users[0]}payload`.toLowerCase();
      const records = recordsIn(payload as GraphQLObjectType).map(({ type }) => type.name);
      const isOfRecord = records.some(record => new RegExp(`^${record}s?(Secret|Url)?Payload$`).test(name));
      return !isOfMutation && !isOfRecord && users.length === 1;
    });
    expect(misnamed.map(([name]) => name)).toEqual([]);
  });

  test('have each record under the name of its type', () => {
    const isRecord = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node');
    const misnamed = [...payloads].flatMap(([payload, type]) =>
      recordsIn(type as GraphQLObjectType)
        .filter(field => isRecord(field.type as GraphQLObjectType))
        .filter(field => field.name.replace(/s$/, '').toLowerCase() !== field.type.name.toLowerCase())
        .map(field => `${payload}.${field.name}`),
    );
    expect(misnamed).toEqual([]);
  });

  test('of changes of many records have their ids, and their global ids', () => {
    const withIds = [...payloads].filter(([, type]) => 'ids' in (type as GraphQLObjectType).getFields());
    const withDeleted = [...payloads].filter(([, type]) => 'deletedIds' in (type as GraphQLObjectType).getFields());
    expect([withIds.length, withDeleted.length].every(count => count > 0)).toBe(true);
    for (const [, type] of withIds) expect((type as GraphQLObjectType).getFields()).toHaveProperty('nodeIds');
    for (const [, type] of withDeleted)
      expect((type as GraphQLObjectType).getFields()).toHaveProperty('deletedNodeIds');
  });
});

describe('Names of numbers', () => {
  const numbers = types
    .filter(type => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    .filter(({ name }) => !/(Connection|Filter)$|^__/.test(name))
    .flatMap(type =>
      Object.values((type as GraphQLObjectType).getFields())
        .filter(field => ['Int', 'Float'].includes(getNamedType(field.type).name))
        .map(({ name }) => ({ path: `${type.name}.${name}`, name })),
    );
  /** Numbers without a unit: a place in an order, a version, a share, a value in the unit of its metric. */
  const unitless = [
    'ifVersion',
    'version',
    'position',
    'line',
    'uptime',
    'latestValue',
    'value',
    'average',
    'maximum',
    'minimum',
    'decimalPlaces',
  ];
  /** Numbers of records, whose noun the type has: of rows, of deadlines, of subscribers. */
  const counts: Record<string, string[]> = {
    ChannelStatistics: ['added', 'ended', 'subscribers'],
    ImportSubscribersPayload: ['added', 'existing', 'left', 'renewed', 'repeated', 'rows'],
    NextUpdateDeadlines: ['late', 'made', 'onTime', 'open'],
    UploadImagePayload: ['height', 'width'],
    ComponentDay: ['minutes'],
  };

  test('say what they count, or end in their unit', () => {
    expect(numbers.length).toBeGreaterThan(40);
    const unclear = numbers.filter(({ path, name }) => {
      const isClear = /(^count|Count|Seconds|Minutes)$/.test(name) || unitless.includes(name);
      return !isClear && !counts[path.split('.')[0]!]?.includes(name);
    });
    expect(unclear.map(({ path }) => path)).toEqual([]);
  });
});

test('Why something failed is `failure`, also where the name has more words', () => {
  const texts = types
    .filter(type => isObjectType(type) || isInterfaceType(type))
    .flatMap(type =>
      Object.values(type.getFields())
        .filter(field => getNamedType(field.type).name === 'String')
        .map(({ name }) => `${type.name}.${name}`),
    );
  expect(texts.filter(path => /\.(?!failure$).*(fail|error|problem)/i.test(path))).toEqual([]);
});
