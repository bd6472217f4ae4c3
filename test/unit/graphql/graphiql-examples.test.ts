import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { getOperationAST, parse, validate } from 'graphql';
import { schema } from '../../../src/schema.js';

const read = (name: string) => readFileSync(`browser/graphiql/${name}`, 'utf8');

/** The editor divides the file so. */
const [recordsQuery, ...examples] = read('examples.graphql').trim().split('\n\n') as [string, ...string[]];
const variables: Record<string, object> = JSON.parse(read('example-variables.json'));
const nameOf = (query: string) => getOperationAST(parse(query))!.name!.value;

describe('the examples in the editor', () => {
  test('are what is done on a night on call', () => {
    expect(examples.map(nameOf)).toEqual([
      'Pages',
      'Preview',
      'OpenIncident',
      'Advance',
      'Schedule',
      'WhoWasNotified',
      'ApplyTemplate',
    ]);
  });

  test.each([...examples, recordsQuery])('are valid: %s', query => {
    expect(validate(schema, parse(query))).toEqual([]);
  });

  test.each(examples)('fit the width of the editor: %s', query => {
    expect(query.split('\n').filter(line => line.length > 53)).toEqual([]);
  });

  test.each(examples)('have the variables that they declare: %s', query => {
    const declared = getOperationAST(parse(query))!.variableDefinitions!.map(({ variable }) => variable.name.value);
    expect(Object.keys(variables[nameOf(query)] ?? {}).toSorted()).toEqual(declared.toSorted());
  });
});
