import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * Data flows one way: rest, graphql, resolver, service, entity, rules. A folder may import from itself, from its own subfolders where the table says so, and from
 * the folders in its row. Type imports count too.
 */
const languages = ['i18n', 'i18n/languages'];
const data = ['core', 'db', 'db/change-feed', 'records'];
const features = ['auth', 'branding', 'components', 'custom-domain', 'notices', 'pages', 'subscribers'];
const notifications = [
  'notifications',
  'notifications/delivery',
  'notifications/messages',
  'notifications/page-channels',
  'notifications/preview',
];
const feature = [...data, ...features, ...notifications, 'graphql', 'http', 'i18n', 'markdown'];
const channel = [...feature, 'notifications/channels', 'notifications/channels/email', 'notifications/channels/http'];
const page = ['core', 'i18n', 'markdown', 'status-page/html', 'status-page/server', 'status-page/view'];

const mayImport: Record<string, string[]> = {
  core: [],
  i18n: ['core', ...languages],
  'i18n/languages': ['i18n'],
  markdown: ['core'],
  db: ['core', 'db/change-feed', 'db/migrations', 'entities.ts', 'graphql', 'records'],
  'db/change-feed': ['core', 'db'],
  'db/migrations': ['core'],
  records: [...data, 'auth'],
  auth: data,
  http: [...data, 'auth'],
  graphql: [...data, 'auth', 'http', 'schema.ts'],
  branding: feature,
  components: feature,
  'custom-domain': feature,
  notices: feature,
  pages: feature,
  subscribers: feature,
  notifications: feature,
  'notifications/delivery': [...feature, 'notifications/channels'],
  'notifications/messages': ['core', 'branding', 'i18n', 'markdown', 'notices', 'notifications'],
  'notifications/page-channels': [...feature, 'notifications/channels'],
  'notifications/preview': feature,
  'notifications/channels': channel,
  'notifications/channels/email': channel,
  'notifications/channels/http': channel,
  'status-page/view': [...page, ...data, 'branding', 'components', 'notices', 'notifications/page-channels', 'pages'],
  'status-page/html': [...page, 'branding', 'components', 'notices'],
  'status-page/feeds': [...page, 'notices'],
  'status-page/badge': [...page, 'branding', 'status-page/feeds'],
  'status-page/text': page,
  'status-page/seo': [...page, 'status-page/feeds'],
  'status-page/widget': [...page, 'http'],
  'status-page/aggregator-api': page,
  'status-page/themes': [...page, 'branding', 'db'],
  'status-page/subscribe': [...page, 'db', 'http', 'notices', 'subscribers'],
  'status-page/server': [
    ...page,
    ...data,
    'http',
    ...['aggregator-api', 'badge', 'feeds', 'seo', 'text', 'themes', 'widget'].map(folder => `status-page/${folder}`),
  ],
  rest: [...data, 'auth', 'graphql', 'http', 'rest/openapi', 'rest/request', 'rest/v1', 'schema.ts'],
  'rest/openapi': ['core', 'auth', 'db', 'graphql', 'records', 'rest', 'schema.ts'],
  'rest/request': ['core', 'http', 'rest'],
  'rest/v1': ['rest'],
};
/** The composition of the service, the processes, and the two registries that know every feature. */
const mayImportEverything = ['server', 'cli', 'cli/demo', 'main.ts', 'worker.ts', 'cli.ts', 'entities.ts', 'schema.ts'];

interface File {
  path: string;
  imports: string[];
}

const files: File[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => ({
    path,
    imports: [
      ...readFileSync(join('src', path), 'utf8').matchAll(
        /^(?:(?:import|export) [^;]*?from |import )'([^']+)';|\bimport\('([^']+)'\)/gms,
      ),
    ].map(([, first, second]) => (first ?? second)!),
  }));

/** The folder of a file below src; a file of src itself stands for itself. */
const folderOf = (path: string) => (path.includes('/') ? dirname(path) : path);
const importedFolders = (file: File) =>
  file.imports
    .filter(one => one.startsWith('.'))
    .map(one => folderOf(normalize(join(dirname(file.path), one)).replace(/\.js$/, '.ts')));

test('every folder of src stands in the table', () => {
  const known = new Set([...Object.keys(mayImport), ...mayImportEverything]);
  expect([...new Set(files.map(({ path }) => folderOf(path)))].filter(folder => !known.has(folder))).toEqual([]);
  expect(files.length).toBeGreaterThan(300);
});

test('no file imports from a folder that its row does not name', () => {
  const violations = files.flatMap(file => {
    const folder = folderOf(file.path);
    if (mayImportEverything.includes(folder)) return [];
    return importedFolders(file)
      .filter(target => target !== folder && !mayImport[folder]!.includes(target))
      .map(target => `${file.path} imports from ${target}`);
  });
  expect(violations).toEqual([]);
});

/** Libraries, the files that may import them, and what an import elsewhere is reported as. */
const restrictedLibraries: [library: RegExp, allowed: RegExp, violation: string][] = [
  [/^koa|^@koa\//, /^(http|rest|server|status-page)\/|^graphql\/(endpoint|request-body|graphiql)\.ts$/, 'imports Koa'],
  [/^@apollo\/|^@as-integrations\//, /^graphql\/(server|endpoint|errors|limits|graphiql)\.ts$/, 'imports Apollo'],
  [
    /^@mikro-orm\/|^kysely$|^pg$|^@electric-sql\//,
    /\.entity\.ts$|^(db|records)\//,
    'imports the ORM or a database driver',
  ],
  [
    /^(graphql|type-graphql)(\/|$)/,
    /\.(entity|resolver|inputs|filter|fields|payload)\.ts$|^(graphql|records|rest)\/|^(schema|auth\/access)\.ts$/,
    'imports GraphQL',
  ],
];

test('a library is imported only where the table allows it', () => {
  const violations = files.flatMap(({ path, imports }) =>
    restrictedLibraries.flatMap(([library, allowed, violation]) =>
      imports.some(one => library.test(one)) && !allowed.test(path) ? [`${path} ${violation}`] : [],
    ),
  );
  expect(violations).toEqual([]);
});
