import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** Words that stood for standard terms once; docs/glossary.md has the terms. As parts of identifiers, in any case. */
const bannedWords = [
  'told',
  'whoever',
  'patience',
  'patient',
  'dress',
  'dresser',
  'drawer',
  'workshop',
  'errand',
  'stranger',
  'face',
  'faces',
  'kept',
  'shut',
  'desk',
  'bearer',
  'dear',
  'drawn',
  'drawing',
  'picture',
  'figures',
  'judge',
  'judged',
  'heeded',
  'promises',
];
/** Terms of HTTP and HTML, and a module of Node. */
const allowed = /^(Bearer|bearer|picture|promises)$/;

const files = ['src', 'browser', 'console/src']
  .flatMap(root => readdirSync(root, { recursive: true, encoding: 'utf8' }).map(path => join(root, path)))
  .filter(path => /\.tsx?$/.test(path));

/** The source without comments and the contents of plain strings. */
const withoutText = (source: string) =>
  source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/`(?:[^`\\$]|\\.|\$(?!\{))*`/g, '``');

const wordsOf = (identifier: string) => identifier.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map(word => word.toLowerCase());

const findBanned = (source: string) =>
  [...new Set(withoutText(source).match(/[A-Za-z_$][\w$]*/g) ?? [])].filter(
    identifier => !allowed.test(identifier) && wordsOf(identifier).some(word => bannedWords.includes(word)),
  );

test('no identifier of src and of the console has a word that the glossary replaces', () => {
  const violations = files.flatMap(path =>
    findBanned(readFileSync(path, 'utf8')).map(identifier => `${path}: ${identifier}`),
  );
  expect(violations).toEqual([]);
});

test('nor has a name of the GraphQL schema or a column of a table', () => {
  const schema = readFileSync('schema.graphql', 'utf8').replace(/"{3}[\s\S]*?"{3}/g, '');
  const migrations = readdirSync('src/db/migrations').map(name =>
    readFileSync(join('src/db/migrations', name), 'utf8'),
  );
  const columns = migrations.flatMap(
    text => text.match(/(?<=^\s+|, )[a-z_]+(?= (?:text|int|bigint|boolean|jsonb?|timestamptz))/gm) ?? [],
  );
  expect(columns).toContain('fanned_out_at');
  expect([schema, columns.join(' ')].flatMap(findBanned)).toEqual([]);
});

test('a banned word is found in any part of an identifier', () => {
  expect(findBanned("const onTold = 1; // told\nclass PageDress {} const text = 'told';")).toEqual([
    'onTold',
    'PageDress',
  ]);
});

/** What is grammatical and yet not said: has the wrong format, is not a URL, no longer exists. */
const bent = /\b(?:has|have) not (?:the|an?) |(?<!there )\bis no [A-Za-z]+\b(?=[.,:]| API)|\bno more\b(?=[.,])/i;

const findBent = (source: string) =>
  (
    source.replace(/\/\*[\s\S]*?\*\//g, '').match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  ).filter(text => bent.test(text));

test('no text for people says "has not the", "is no" or "no more"', () => {
  const violations = files
    .filter(path => !path.includes('i18n/languages/') || path.includes('languages/en'))
    .flatMap(path => findBent(readFileSync(path, 'utf8')).map(text => `${path}: ${text.slice(0, 120)}`));
  expect(violations).toEqual([]);
});

test('such a text is found', () => {
  expect(findBent("const text = 'It has not the right form.'; const there = 'There is no page.';")).toHaveLength(1);
});
