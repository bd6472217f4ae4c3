import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { diff } from '@graphql-inspector/core';
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  isIntrospectionType,
  isSpecifiedScalarType,
} from 'graphql';
import { useService } from '../support/service.js';

const service = useService();

test('the schema of the service is that of schema.graphql, for GraphQL Inspector', async () => {
  const options = { schemaDescription: true, specifiedByUrl: true, inputValueDeprecation: true };
  const { json } = await service.graphql(getIntrospectionQuery(options), {}, { token: null });
  const live = buildClientSchema(json.data);
  const committed = buildSchema(readFileSync('schema.graphql', 'utf8'));
  // Introspection does not show the use of directives.
  const changes = (await diff(committed, live)).filter(({ type }) => !type.startsWith('DIRECTIVE_USAGE'));
  expect(changes.map(({ type, path }) => [type, path])).toEqual([]);
  const namesOf = (schema: GraphQLSchema) =>
    Object.values(schema.getTypeMap())
      .filter(type => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
      .map(({ name }) => name);
  expect(namesOf(live)).toEqual(namesOf(committed).toSorted());
});
