import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
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

  test('is else given, but for the lists of all pages', () => {
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
