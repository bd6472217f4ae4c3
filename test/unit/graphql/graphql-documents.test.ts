import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { getVariableValues, type OperationDefinitionNode, parse, validate } from 'graphql';
import { renderGraphqlDocuments } from '../../../scripts/graphql/documents.js';
import { schema } from '../../../src/schema.js';

const read = (path: string) => readFileSync(path, 'utf8');
const written = new Map(readdirSync('docs/api/graphql').map(name => [name, read(`docs/api/graphql/${name}`)]));
const texts = [...written].filter(([name]) => name !== 'README.md').map(([, text]) => text);
const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
const fields = roots.flatMap(root => Object.keys(root.getFields())).sort();

test('docs/api/graphql matches schema.graphql and the examples of the guide; `npm run schema` writes it', () => {
  const rendered = renderGraphqlDocuments(read('schema.graphql'), read('docs/graphql-api.md'));
  expect([...written.keys()].sort()).toEqual([...rendered.keys()].sort());
  for (const [name, text] of rendered) expect(written.get(name)).toBe(text);
});

test('docs/api/graphql has each root field once', () => {
  const headings = texts.flatMap(text => Array.from(text.matchAll(/^## (\w+)$/gm), ([, name]) => name));
  expect(headings.sort()).toEqual(fields);
});

test('the service accepts each example, with its variables', () => {
  const pattern = /```graphql\n(.*?)```\n(?:\nVariables:\n\n```json\n(.*?)```)?/gs;
  const examples = texts.flatMap(text => Array.from(text.matchAll(pattern), ([, document, json]) => [document!, json]));
  const refused = examples.flatMap(([document, json = '{}']) => {
    const parsed = parse(document!);
    const [operation] = parsed.definitions as OperationDefinitionNode[];
    const { errors = [] } = getVariableValues(schema, operation!.variableDefinitions!, JSON.parse(json));
    return [...validate(schema, parsed), ...errors].map(({ message }) => `${document}${message}`);
  });
  expect(examples).toHaveLength(fields.length);
  expect(refused).toEqual([]);
});

test('links of docs/api/graphql lead to a heading', () => {
  const links = [...written].flatMap(([from, text]) =>
    Array.from(text.matchAll(/\]\(([\w.]*)#([\w-]+)\)/g), ([, to, anchor]) => [to || from, anchor!] as const),
  );
  const toAnchors = (text: string) =>
    Array.from(text.matchAll(/^## (.*)$/gm), ([, heading]) => heading!.toLowerCase().replaceAll(' ', '-'));
  const broken = links.filter(([to, anchor]) => !toAnchors(written.get(to) ?? '').includes(anchor));
  expect(broken).toEqual([]);
});
