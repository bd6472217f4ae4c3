import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const maxLineLength = 120;
const maxFileLines = 250;
const maxFolderFiles = 30;

const listFiles = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    // Another test writes examples of the guide to a folder of its process.
    .filter(path => /\.tsx?$/.test(path) && !/guide-\d/.test(path))
    .map(path => join(root, path));
const files = [...listFiles('src'), ...listFiles('browser'), ...listFiles('console/src')]
  // Written by the build; and catalogues, where each message is one literal, so that a search finds it.
  .filter(path => !path.startsWith('console/src/api/documents') && !path.startsWith('src/i18n/languages/'))
  .map(path => ({ path, lines: readFileSync(path, 'utf8').trimEnd().split('\n') }));

/** Tables: of settings, of the database, and of the columns and fields of a notice. */
const longFiles = [
  'src/core/settings-table.ts',
  'src/db/migrations/20261201-initial.ts',
  'src/notices/notice.entity.ts',
];

test('no line is longer than 120 characters', () => {
  const violations = files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (line.length > maxLineLength ? [`${path}:${index + 1}: ${line.length}`] : [])),
  );
  expect(violations).toEqual([]);
});

test('no other file is longer than 250 lines', () => {
  const violations = files.flatMap(({ path, lines }) =>
    lines.length > maxFileLines && !longFiles.includes(path) ? [`${path}: ${lines.length}`] : [],
  );
  expect(violations).toEqual([]);
});

test('no literal is spread into another, which only pleases the formatter', () => {
  const pattern = /\.\.\.(\{[^{}]*\}|\[[^[\]]*\])(?![.):])/g;
  const violations = files.flatMap(({ path, lines }) =>
    [...lines.join('\n').matchAll(pattern)].map(([text]) => `${path}: ${text}`),
  );
  expect(violations).toEqual([]);
});

test('an export of src is named in another file', () => {
  const importers = ['src', 'test', 'bench', 'scripts', 'browser'].flatMap(listFiles).concat('mikro-orm.config.ts');
  const words = new Map(importers.map(path => [path, new Set(readFileSync(path, 'utf8').match(/\w+/g))]));
  const counts = new Map<string, number>();
  for (const name of [...words.values()].flatMap(set => [...set])) counts.set(name, (counts.get(name) ?? 0) + 1);
  const declaration = /^export (?:abstract |async )*(?:const|function\*?|class|interface|type) (\w+)/;
  const violations = files
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, lines }) =>
      lines
        .map(line => declaration.exec(line)?.[1])
        .filter(name => name !== undefined && counts.get(name) === 1)
        .map(name => `${path}: ${name}`),
    );
  expect(violations).toEqual([]);
});

/** A client may have left before the listener is added: `onClosed` of http/connection-limiter.ts knows. */
const mayListenForClose = ['src/http/connection-limiter.ts', 'src/server/app.ts', 'src/db/data-directory-lock.ts'];

test('what is counted for a client is given back by onClosed alone', () => {
  const violations = files.flatMap(({ path, lines }) =>
    path.startsWith('src/') && lines.some(line => /\.(on|once)\('(close|finish)'/.test(line)) ? [path] : [],
  );
  expect(violations.toSorted()).toEqual(mayListenForClose.toSorted());
});

test('no folder has more than 30 files', () => {
  const counts = Map.groupBy(files, ({ path }) => dirname(path));
  const violations = [...counts].flatMap(([folder, { length }]) =>
    length > maxFolderFiles ? [`${folder}: ${length}`] : [],
  );
  expect(violations).toEqual([]);
});
