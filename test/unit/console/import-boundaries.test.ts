import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

/** A folder of the console may import from itself and from the folders in its row. The composition, `src`, imports all. */
const ground = ['api', 'layout', 'ui'];
const mayImport: Record<string, string[]> = {
  // Icons and colours of states have one home.
  ui: ['../../src/pages/branding'],
  api: ['api/documents'],
  'api/documents': ['api'],
  layout: ['api', 'ui'],
  images: ground,
  home: [...ground, 'drafts', 'first-run', 'notices'],
  appearance: [...ground, 'publishing'],
  'first-run': [...ground, 'appearance'],
  publishing: [...ground, 'images'],
  channels: [...ground, 'components'],
  alerts: [...ground, 'components'],
  components: ground,
  account: ground,
  metrics: [...ground, 'appearance', 'publishing'],
  audit: ground,
  deliveries: [...ground, 'publishing'],
  domain: ground,
  people: ground,
  // The list of languages has one home.
  settings: [...ground, 'first-run', '../../src/i18n'],
  templates: [...ground, 'components', 'images'],
  tokens: [...ground, 'people'],
  reports: ground,
  transfer: ground,
  // Files of a list are read by one function, here and in the service.
  subscribers: [...ground, 'components', '../../src/subscribers/lists'],
  drafts: [...ground, 'publishing'],
  recurrence: [...ground, 'components', 'first-run', 'images', 'publishing'],
  notices: [...ground, 'components', 'drafts', 'images', 'publishing', 'recurrence'],
  compose: [...ground, 'components', 'drafts', 'images', 'publishing', 'recurrence'],
};

const root = 'console/src';
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path => /\.tsx?$/.test(path));
const pattern = /^(?:import|export) (?:[^;']*?from )?'([^']+)';|\bimport\('([^']+)'\)/gms;
const importsOf = (path: string) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(([, first, second]) => (first ?? second)!);

test('every folder of the console stands in the table, and imports what its row names', () => {
  const violations = files
    .filter(path => path.includes('/'))
    .flatMap(path => {
      const folder = dirname(path);
      return importsOf(path)
        .filter(from => from.startsWith('.'))
        .map(from => dirname(normalize(join(folder, from))))
        .filter(target => target !== folder && !mayImport[folder]?.includes(target))
        .map(target => `${path} imports from ${target}`);
    });
  expect(violations).toEqual([]);
  expect([...new Set(files.map(path => dirname(path)))].filter(folder => folder !== '.' && !mayImport[folder])).toEqual(
    [],
  );
});

/** What the console and the service have in common: types, languages, the look of states, the decoder of lists. */
const shared = [
  '@graphql-typed-document-node/core',
  '../../../src/i18n/locales.ts',
  '../../../src/pages/branding/state-styles.ts',
  '../../../src/pages/branding/icon-paths.ts',
  '../../../src/subscribers/lists/decode-text.ts',
];

test('the console imports nothing of the service but what is shared, and no library but these', () => {
  const libraries = /^(react|react-dom\/client|wouter|@tanstack\/react-query|@github\/markdown-toolbar-element)$/;
  const violations = files.flatMap(path =>
    importsOf(path)
      .filter(from =>
        from.startsWith('.') ? normalize(join(dirname(path), from)).startsWith('..') : !libraries.test(from),
      )
      .filter(from => !shared.includes(from))
      .map(from => `${path} imports ${from}`),
  );
  expect(violations).toEqual([]);
});

test('a screen has fewer than 160 lines', () => {
  const long = files
    .filter(path => path !== 'api/documents.ts')
    .filter(path => readFileSync(join(root, path), 'utf8').split('\n').length > 160);
  expect(long).toEqual([]);
});
