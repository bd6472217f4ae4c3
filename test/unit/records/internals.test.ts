import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { createOfflineOrm } from '../../../src/db/database.js';
import { entities } from '../../../src/entities.js';
import { Notice } from '../../../src/notices/notice.entity.js';
import { collectFields, collectSubfields } from '../../../src/records/collect-fields.js';
import { mapColumns, type Meta } from '../../../src/records/column-mapping.js';
import { schema } from '../../../src/schema.js';
import { createTestSettings } from '../../support/settings.js';

/** Checks what the compiler of reads uses of its libraries without their documentation, and that it has one importer. */
const filesWith = (text: string) =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .filter(path => readFileSync(`src/${path}`, 'utf8').includes(text));

describe('graphql/execution/collectFields of graphql-js', () => {
  const document = parse(`
    query ($yes: Boolean!, $no: Boolean!) {
      page(id: "1") { id ...Named @include(if: $yes) brand @include(if: $no) { version } }
      ... on Query { page(id: "1") { title: name id } hello }
    }
    fragment Named on Page { name components @skip(if: $no) { id } }
  `);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const named = document.definitions.find(node => node.kind === Kind.FRAGMENT_DEFINITION) as FragmentDefinitionNode;
  const fragments = { Named: named };
  const variables = { yes: true, no: false };
  const query = schema.getQueryType()!;
  const namesOf = (fields: ReadonlyMap<string, readonly FieldNode[]>) =>
    [...fields].map(([key, nodes]) => [key, nodes.map(({ name }) => name.value)]);

  test('collectFields resolves fragments and directives, and merges nodes by response key', () => {
    const fields = collectFields(schema, fragments, variables, query, operation.selectionSet);
    expect(namesOf(fields)).toEqual([
      ['page', ['page', 'page']],
      ['hello', ['hello']],
    ]);
  });

  test('collectSubfields does the same below merged nodes', () => {
    const root = collectFields(schema, fragments, variables, query, operation.selectionSet);
    const page = schema.getType('Page') as GraphQLObjectType;
    expect(namesOf(collectSubfields(schema, fragments, variables, page, root.get('page')!))).toEqual([
      ['id', ['id', 'id']],
      ['name', ['name']],
      ['components', ['components']],
      ['title', ['name']],
    ]);
  });

  test('has one importer', () => {
    expect(filesWith('graphql/execution')).toEqual(['records/collect-fields.ts']);
  });
});

describe('createColumnMappingObject of MikroORM', () => {
  const orm = createOfflineOrm({ settings: createTestSettings(), entities });
  const columns = mapColumns(orm.getMetadata().get(Notice) as Meta, 'n');

  test('gives a formula the column of each property', () => {
    expect(String(columns.subject)).toBe('n.subject');
    expect(String(columns.beginsAt)).toBe('n.begins_at');
    expect(String(columns.page)).toBe('n.page_id');
    expect(`${columns.tagList}`).toBe('n.tag_list');
  });

  test('has one caller', () => {
    expect(filesWith('createColumnMappingObject')).toEqual(['records/column-mapping.ts']);
  });
});
