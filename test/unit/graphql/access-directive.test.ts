import { expect, test } from '@jest/globals';
import { buildSchema, GraphQLDirective, type GraphQLObjectType, isInterfaceType, isObjectType } from 'graphql';
import { findAccess } from '../../../src/auth/access.js';
import { renderSchema } from '../../../src/graphql/build-schema.js';
import { schema } from '../../../src/schema.js';

const printed = renderSchema(schema);
const directivesOf = (type: string, field: string) => {
  const { astNode } = (parsed.getType(type) as GraphQLObjectType).getFields()[field]!;
  return astNode!.directives!.map(({ name, arguments: given }) => [
    name.value,
    Object.fromEntries(
      given!.map(({ name: argument, value }) => [argument.value, 'value' in value ? value.value : null]),
    ),
  ]);
};
const parsed = buildSchema(printed);

test.each([
  ['Query', 'viewer', { role: null }],
  ['Query', 'page', { role: 'VIEWER', anonymous: 'PAGE' }],
  ['Query', 'notices', { role: 'VIEWER', anonymous: 'PUBLIC' }],
  ['Query', 'subscribers', { role: 'PUBLISHER' }],
  ['Mutation', 'createPage', { role: 'OWNER', allPages: true }],
  ['Page', 'channels', { role: 'OWNER' }],
])('the printed schema has the access of %s.%s', (type, field, access) => {
  expect(directivesOf(type, field)).toEqual([['access', access]]);
});

test('the printed schema has the access of all fields that declare one, and of no other', () => {
  const types = Object.values(schema.getTypeMap()).filter(type => isObjectType(type) || isInterfaceType(type));
  const declared = types.flatMap(type =>
    Object.values(type.getFields()).flatMap(field => (findAccess(field) ? [`${type.name}.${field.name}`] : [])),
  );
  const found = types.flatMap(({ name: type }) =>
    Object.keys((parsed.getType(type) as GraphQLObjectType).getFields()).flatMap(field =>
      type.startsWith('__') || !directivesOf(type, field).length ? [] : [`${type}.${field}`],
    ),
  );
  expect(found.toSorted()).toEqual(declared.toSorted());
  expect(schema.getDirective('access')).toBeInstanceOf(GraphQLDirective);
});

test.each([
  ['Query', 'viewer', /(?<!Requires \w+)\.$/],
  ['Query', 'page', /Requires VIEWER, or ANONYMOUS_READS=page\.$/],
  ['Query', 'notices', /Requires VIEWER, or ANONYMOUS_READS=public\.$/],
  ['Query', 'subscribers', /Requires PUBLISHER\.$/],
  ['Mutation', 'createPage', /Requires OWNER of all pages\.$/],
  ['Page', 'channels', /Requires OWNER\.$/],
])('the description of %s.%s, which introspection shows, ends with its access', (type, field, sentence) => {
  expect((schema.getType(type) as GraphQLObjectType).getFields()[field]!.description).toMatch(sentence);
});
