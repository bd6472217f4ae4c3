import { describe, expect, test } from '@jest/globals';
import { getOperationAST, parse, validate } from 'graphql';
import { exampleOperations, exampleRecordsQuery } from '../../../src/graphql/graphiql-operations.js';
import { schema } from '../../../src/schema.js';

describe('the examples in the editor', () => {
  test('are what is done on a night on call', () => {
    const names = exampleOperations.map(({ query }) => getOperationAST(parse(query))!.name!.value);
    expect(names).toEqual([
      ...['Pages', 'Preview', 'OpenIncident', 'Advance', 'Schedule', 'WhoWasNotified', 'ApplyTemplate'],
    ]);
  });

  test.each([...exampleOperations.map(({ query }) => query), exampleRecordsQuery])('are valid: %s', query => {
    expect(validate(schema, parse(query))).toEqual([]);
  });

  test.each(exampleOperations)('fit the width of the editor: $query', ({ query }) => {
    expect(query.split('\n').filter(line => line.length > 53)).toEqual([]);
  });

  test.each(exampleOperations)('have the variables that they declare: $query', ({ query, variables = {} }) => {
    const declared = getOperationAST(parse(query))!.variableDefinitions!.map(({ variable }) => variable.name.value);
    expect(Object.keys(variables).toSorted()).toEqual(declared.toSorted());
  });
});
