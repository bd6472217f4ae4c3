import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/** What clients of a release must change for a later one, but for the removal of what the release called deprecated. */
async function findBreakingChanges(released: string, current: string): Promise<string[]> {
  const changes = await diff(buildSchema(released), buildSchema(current), [DiffRule.suppressRemovalOfDeprecatedField]);
  return changes
    .filter(({ type, criticality }) => criticality.level === CriticalityLevel.Breaking && !/^DIRECTIVE_/.test(type))
    .map(({ message }) => message);
}

/** Null before the first release, and outside of a repository. */
function readReleasedSchema(): string | null {
  const git = (...parameters: string[]) => execFileSync('git', parameters, { encoding: 'utf8', stdio: 'pipe' });
  try {
    const tag = git('describe', '--tags', '--match', 'v*', '--abbrev=0').trim();
    return git('show', `${tag}:schema.graphql`);
  } catch {
    return null;
  }
}

const released = 'type Query { a: Int, b: Int @deprecated(reason: "Use `a`."), c(d: Int): Int }';

test.each([
  ['a field is removed', 'type Query { a: Int, b: Int }', ["Field 'c' was removed from object type 'Query'"]],
  ['a deprecated field is removed', 'type Query { a: Int, c(d: Int): Int }', []],
  ['a field is added', 'type Query { a: Int, b: Int, c(d: Int): Int, e: Int }', []],
  [
    'an argument has another type',
    'type Query { a: Int, b: Int, c(d: ID): Int }',
    ["Type for argument 'd' on field 'Query.c' changed from 'Int' to 'ID'"],
  ],
])('the comparison finds what breaks where %s', async (_, current, expected) => {
  expect(await findBreakingChanges(released, current)).toEqual(expected);
});

test('schema.graphql breaks nothing of the last release, the newest tag v*', async () => {
  const last = readReleasedSchema();
  expect(last === null ? [] : await findBreakingChanges(last, readFileSync('schema.graphql', 'utf8'))).toEqual([]);
});
