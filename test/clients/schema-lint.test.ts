import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import graphqlEslint from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';

/** What graphql-eslint requires of a schema, in its rules for all schemas and for those of Relay. */
const { configs, parser } = graphqlEslint;
const rules = {
  ...configs['flat/schema-recommended'].rules,
  ...configs['flat/schema-relay'].rules,
  // Short lists are plain, connections have `nodes` beside `edges`, and `Node` has no types without an id of their own.
  '@graphql-eslint/relay-edge-types': ['error', { shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false }],
};

/** Rules that the schema does not follow, each for a reason: docs/decisions/the-schema-has-rules.md. */
const exceptions: Record<string, string> = {
  '@graphql-eslint/strict-id-in-types': 'Payloads, connections and parts of records have no identity.',
  '@graphql-eslint/no-typename-prefix': '`nodeId` of Node: the `id` of a record is unique in its type only.',
};

let found: { rule: string; text: string }[];
beforeAll(async () => {
  const source = readFileSync('schema.graphql', 'utf8');
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.graphql'],
        plugins: { '@graphql-eslint': graphqlEslint as never },
        languageOptions: { parser: parser as never, parserOptions: { graphQLConfig: { schema: 'schema.graphql' } } },
        rules: rules as never,
      },
    ],
  });
  const [{ messages }] = (await eslint.lintText(source, { filePath: 'schema.graphql' })) as [ESLint.LintResult];
  found = messages.map(({ ruleId, message, line }) => ({ rule: String(ruleId), text: `${line}: ${message}` }));
});

test('schema.graphql follows the rules of graphql-eslint, but for those that are named here', () => {
  expect(found.filter(({ rule }) => !(rule in exceptions))).toEqual([]);
});

test('each exception is needed', () => {
  expect(Object.keys(exceptions).filter(name => !found.some(({ rule }) => rule === name))).toEqual([]);
});
