import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  type GraphQLObjectType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { changeFields } from '../../support/draft-change.js';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const { Draft } = schema.getTypeMap();

/** The stored fields of a change: all but the records beside their ids. */
function listStored(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).flatMap(field => {
    const named = getNamedType(field.type);
    if (!isObjectType(named)) return /^(component|template)s?$/.test(field.name) ? [] : [`${type.name}.${field.name}`];
    return named.name.endsWith('Draft') ? listStored(named) : [];
  });
}

function listSelected(document: string): string[] {
  const info = new TypeInfo(schema);
  const selected: string[] = [];
  visit(
    parse(document),
    visitWithTypeInfo(info, {
      Field: ({ selectionSet, name }) => {
        if (!selectionSet) selected.push(`${info.getParentType()?.name}.${name.value}`);
      },
    }),
  );
  return selected;
}

// What is not selected would be lost when the draft is continued and saved.
test.each([
  ['console', readFileSync('console/src/drafts/drafts.graphql', 'utf8')],
  ['tests', `fragment Change on Draft { ${changeFields} }`],
])('the fragment of drafts in the %s has everything that a change stores', (_, document) => {
  const change = getNamedType((Draft as GraphQLObjectType).getFields().change!.type) as GraphQLObjectType;
  const stored = [...new Set(listStored(change))];
  expect(stored.length).toBeGreaterThan(40);
  const selected = listSelected(document);
  expect(stored.filter(path => !selected.includes(path))).toEqual([]);
});
