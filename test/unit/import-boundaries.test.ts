import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * Data flows one way: rest, graphql, resolver, service, entity, rules. A folder may import from itself and from the
 * folders in its row, which are those that it needs. Type imports count too.
 */
const mayImport: Record<string, string[]> = {
  alerts: [
    'alerts/formats',
    'auth',
    'components',
    'core',
    'core/queues',
    'db',
    'drafts',
    'graphql',
    'notices',
    'notices/templates',
    'notifications/channels',
    'notifications/messages',
    'notifications/operator-mail',
    'notifications/page-channels',
    'notifications/preview',
    'notifications/webhooks',
    'pages',
    'people',
    'records',
  ],
  'alerts/formats': ['auth', 'core'],
  archive: [
    'alerts',
    'auth',
    'backup',
    'branding',
    'components',
    'components/upstream',
    'core',
    'db',
    'i18n',
    'images',
    'importers',
    'notices',
    'notices/automation',
    'notices/next-update',
    'notices/recurrence',
    'notifications/channels',
    'notifications/page-channels',
    'notifications/webhooks',
    'pages',
    'records',
  ],
  audit: ['core', 'db', 'graphql', 'pages', 'records'],
  auth: ['core', 'db'],
  backup: ['core', 'db'],
  branding: ['auth', 'core', 'db', 'graphql', 'images', 'pages', 'raster', 'records'],
  components: ['auth', 'components/upstream', 'core', 'db', 'graphql', 'notices', 'pages', 'records'],
  'components/upstream': [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'http',
    'notices',
    'notifications/page-channels',
    'pages',
    'records',
  ],
  core: [],
  'core/queues': [],
  'custom-domain': ['auth', 'core', 'db', 'graphql', 'http', 'pages', 'records'],
  db: ['core', 'db/embedded', 'db/migrations'],
  'db/embedded': [],
  'db/migrations': [],
  demo: ['components', 'core', 'db', 'graphql', 'notices', 'notices/templates', 'notices/updates', 'pages', 'records'],
  drafts: [
    'auth',
    'core',
    'db',
    'graphql',
    'notices',
    'notifications',
    'notifications/messages',
    'notifications/operator-mail',
    'notifications/preview',
    'pages',
    'people',
    'records',
  ],
  graphql: ['auth', 'core', 'db', 'graphql/subscriptions', 'http', 'records'],
  'graphql/subscriptions': ['auth', 'core', 'core/queues', 'db', 'graphql', 'http'],
  http: ['auth', 'core', 'db', 'records'],
  i18n: ['i18n/languages'],
  'i18n/languages': [],
  images: ['core', 'db', 'graphql', 'markdown', 'pages', 'records'],
  importers: ['components', 'core', 'db', 'i18n', 'notices', 'pages', 'records', 'subscribers'],
  'importers/sources': ['components', 'core', 'importers', 'notices', 'subscribers'],
  markdown: [],
  mcp: ['core', 'db', 'graphql', 'http'],
  metrics: ['core', 'db', 'graphql', 'pages', 'records'],
  'multi-page': ['core', 'graphql', 'notices', 'notifications/preview', 'records'],
  notices: [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'i18n',
    'markdown',
    'notices/next-update',
    'notices/recurrence',
    'notices/templates',
    'notices/updates',
    'notifications',
    'notifications/messages',
    'pages',
    'records',
  ],
  'notices/automation': [
    'components',
    'db',
    'drafts',
    'notices',
    'notices/next-update',
    'notices/recurrence',
    'notifications',
    'pages',
    'records',
  ],
  'notices/next-update': ['auth', 'core', 'db', 'graphql', 'notices', 'notifications', 'pages', 'people', 'records'],
  'notices/owner': ['auth', 'core', 'db', 'graphql', 'notices', 'pages', 'people', 'records'],
  'notices/recurrence': ['auth', 'core', 'db', 'graphql', 'notices', 'pages', 'records'],
  'notices/templates': ['auth', 'components', 'core', 'db', 'graphql', 'notices', 'pages', 'records'],
  'notices/updates': [
    'auth',
    'core',
    'db',
    'graphql',
    'markdown',
    'notices',
    'notices/next-update',
    'notifications',
    'pages',
    'records',
  ],
  notifications: [
    'branding',
    'core',
    'db',
    'graphql',
    'i18n',
    'notices',
    'notices/updates',
    'notifications/channels',
    'notifications/delivery',
    'notifications/messages',
    'pages',
    'records',
  ],
  'notifications/channels': ['auth', 'core', 'db', 'graphql', 'i18n', 'notifications/messages'],
  'notifications/channels/email': [
    'core',
    'i18n',
    'notices',
    'notifications/channels',
    'notifications/messages',
    'subscribers',
  ],
  'notifications/channels/http': ['http', 'notifications/channels'],
  'notifications/delivery': [
    'auth',
    'branding',
    'core',
    'db',
    'graphql',
    'i18n',
    'notifications',
    'notifications/channels',
    'notifications/failures',
    'notifications/messages',
    'notifications/operator-mail',
    'notifications/webhooks',
    'pages',
    'people',
    'records',
    'subscribers',
  ],
  'notifications/failures': [
    'db',
    'notifications/channels',
    'notifications/messages',
    'notifications/operator-mail',
    'pages',
    'people',
  ],
  'notifications/messages': ['branding', 'core', 'i18n', 'markdown', 'notices'],
  'notifications/operator-mail': ['db', 'subscribers'],
  'notifications/page-channels': [
    'auth',
    'branding',
    'core',
    'db',
    'graphql',
    'i18n',
    'notifications/channels',
    'notifications/delivery',
    'notifications/messages',
    'pages',
    'records',
    'subscribers',
  ],
  'notifications/preview': [
    'auth',
    'components',
    'core',
    'core/queues',
    'db',
    'graphql',
    'notices',
    'notices/updates',
    'notifications',
    'notifications/channels',
    'notifications/delivery',
    'notifications/messages',
    'pages',
    'records',
  ],
  'notifications/webhooks': [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'notices',
    'notifications/channels',
    'notifications/delivery',
    'notifications/page-channels',
    'pages',
    'records',
    'subscribers',
  ],
  'page-file': ['core', 'notifications/channels'],
  'page-move': ['archive', 'backup', 'core', 'db', 'pages', 'records'],
  pages: [
    'auth',
    'branding',
    'components',
    'components/upstream',
    'core',
    'custom-domain',
    'db',
    'graphql',
    'i18n',
    'notices',
    'notifications/channels',
    'records',
  ],
  people: ['auth', 'core', 'db', 'graphql', 'pages', 'records'],
  'person-data': ['core', 'db', 'graphql', 'notifications/delivery', 'people', 'records', 'subscribers'],
  raster: ['core'],
  records: ['auth', 'core', 'db'],
  reports: ['auth', 'core', 'db', 'graphql', 'notices', 'notices/next-update', 'pages'],
  rest: ['auth', 'core', 'db', 'graphql', 'http', 'notifications/channels', 'records', 'rest/request', 'rest/v1'],
  'rest/openapi': ['auth', 'core', 'db', 'graphql', 'rest'],
  'rest/request': ['core', 'http'],
  'rest/statuspage': [
    'core',
    'db',
    'graphql',
    'http',
    'notices',
    'records',
    'rest',
    'rest/request',
    'status-page/aggregator-api',
  ],
  'rest/v1': ['auth', 'notifications/channels', 'rest/request'],
  retention: ['audit', 'auth', 'core', 'db', 'notifications/delivery', 'subscribers'],
  'sign-in': ['auth', 'core', 'db', 'graphql', 'http', 'people', 'records'],
  'status-page/aggregator-api': [
    'components',
    'core',
    'i18n',
    'markdown',
    'notices',
    'status-page/html',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/badge': [
    'branding',
    'i18n',
    'raster',
    'status-page/feeds',
    'status-page/html',
    'status-page/html/style',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/feeds': ['core', 'i18n', 'markdown', 'notices', 'status-page/routing', 'status-page/view'],
  'status-page/html': [
    'branding',
    'components',
    'core',
    'i18n',
    'images',
    'markdown',
    'metrics',
    'notices',
    'raster',
    'status-page/html/style',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/html/style': ['branding', 'status-page/view'],
  'status-page/page-api': ['core', 'i18n', 'markdown', 'status-page/html', 'status-page/routing', 'status-page/view'],
  'status-page/private': [
    'auth',
    'core',
    'db',
    'http',
    'i18n',
    'notifications/messages',
    'pages',
    'status-page/html',
    'status-page/server',
    'status-page/subscribe',
    'status-page/view',
    'subscribers',
  ],
  'status-page/reports': [
    'db',
    'notifications/messages',
    'notifications/operator-mail',
    'pages',
    'people',
    'reports',
    'status-page/view',
  ],
  'status-page/routing': ['status-page/view'],
  'status-page/seo': ['status-page/feeds', 'status-page/routing'],
  'status-page/server': [
    'branding',
    'core',
    'core/queues',
    'db',
    'http',
    'i18n',
    'markdown',
    'pages',
    'raster',
    'records',
    'status-page/aggregator-api',
    'status-page/badge',
    'status-page/feeds',
    'status-page/html',
    'status-page/page-api',
    'status-page/routing',
    'status-page/seo',
    'status-page/text',
    'status-page/themes',
    'status-page/view',
    'status-page/widget',
  ],
  'status-page/subscribe': [
    'auth',
    'branding',
    'components',
    'core',
    'db',
    'http',
    'i18n',
    'notices',
    'notifications/channels',
    'notifications/messages',
    'notifications/page-channels',
    'notifications/webhooks',
    'status-page/html',
    'status-page/routing',
    'status-page/server',
    'status-page/view',
    'subscribers',
  ],
  'status-page/text': ['components', 'core', 'i18n', 'status-page/html', 'status-page/routing', 'status-page/view'],
  'status-page/themes': [
    'branding',
    'core',
    'core/queues',
    'db',
    'i18n',
    'i18n/languages',
    'images',
    'markdown',
    'metrics',
    'status-page/html',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/view': [
    'branding',
    'components',
    'components/upstream',
    'core',
    'db',
    'i18n',
    'images',
    'metrics',
    'notices',
    'notices/next-update',
    'notifications',
    'notifications/channels',
    'pages',
  ],
  'status-page/widget': ['components', 'core', 'http', 'i18n', 'status-page/routing', 'status-page/view'],
  subscribers: [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'notices',
    'notifications/channels',
    'notifications/delivery',
    'pages',
    'records',
  ],
};
/** The composition, the commands, the processes, and the two registries that know every feature. */
const mayImportEverything = [
  'server',
  'server/sign-in',
  'server/transfer',
  'server/doctor',
  'server/monitoring',
  'cli',
  'cli/generators',
  'cli.ts',
  'entities.ts',
  'schema.ts',
];

/** The folders that import each other: a folder and its subfolder. */
const mutualFolders = ['graphql, graphql/subscriptions'];

/** Entities refer to each other as the tables do, and rules are pure functions: these do not make two folders a pair. */
const isEntityOrRules = (path: string) => /\.(entity|enums?|filter|rules|schedule|states)\.ts$/.test(path);

interface Import {
  from: string;
  isType: boolean;
}
interface File {
  path: string;
  imports: Import[];
}

const pattern = /^(?:import|export) (type )?([^;]*?)(?:from )?'([^']+)';|\bimport\('([^']+)'\)/gms;
const onlyTypes = /^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}\s*$/;

const files: File[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => ({
    path,
    imports: [...readFileSync(join('src', path), 'utf8').matchAll(pattern)].map(([, type, names, first, second]) => ({
      from: (first ?? second)!,
      isType: Boolean(type) || onlyTypes.test(names ?? ''),
    })),
  }));

/** The folder of a file below src; a file of src itself stands for itself. */
const folderOf = (path: string) => (path.includes('/') ? dirname(path) : path);
const ownImports = (file: File) =>
  file.imports
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from, isType }) => {
      const path = normalize(join(dirname(file.path), from)).replace(/\.js$/, '.ts');
      return { isType, path, folder: folderOf(path) };
    });

test('every folder of src stands in the table', () => {
  const known = new Set([...Object.keys(mayImport), ...mayImportEverything]);
  expect([...new Set(files.map(({ path }) => folderOf(path)))].filter(folder => !known.has(folder))).toEqual([]);
  expect(files.length).toBeGreaterThan(300);
});

test('no file imports from a folder that its row does not name', () => {
  const violations = files.flatMap(file => {
    const folder = folderOf(file.path);
    if (mayImportEverything.includes(folder)) return [];
    return ownImports(file)
      .filter(target => target.folder !== folder && !mayImport[folder]!.includes(target.folder))
      .map(target => `${file.path} imports from ${target.folder}`);
  });
  expect(violations).toEqual([]);
});

test('a row names only folders that its folder imports from', () => {
  const isNeeded = (folder: string, target: string) =>
    files.some(file => folderOf(file.path) === folder && ownImports(file).some(other => other.folder === target));
  const needless = Object.entries(mayImport).flatMap(([folder, row]) =>
    row.filter(target => !isNeeded(folder, target)).map(target => `${folder} does not import from ${target}`),
  );
  expect(needless).toEqual([]);
});

test('no two folders import each other but by entities and rules', () => {
  const pairs = new Set(
    files.flatMap(file => {
      const folder = folderOf(file.path);
      return ownImports(file)
        .filter(target => target.folder !== folder && !isEntityOrRules(target.path))
        .map(target => `${folder}, ${target.folder}`);
    }),
  );
  const mutual = [...pairs].filter(pair => {
    const [one, other] = pair.split(', ') as [string, string];
    return one < other && pairs.has(`${other}, ${one}`);
  });
  expect(mutual.sort()).toEqual(mutualFolders);
});

test('no ten files import each other in a circle', () => {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => normalize(join(dirname(path), from)).replace(/\.js$/, '.ts')),
    ]),
  );
  expect(findCircles(targets).filter(circle => circle.length >= 10)).toEqual([]);
});

/** The strongly connected components of a graph that have several nodes: Tarjan's algorithm. */
function findCircles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    stack.push(node);
    let lowest = own;
    for (const target of targets.get(node) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target)!);
    }
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** Libraries, the files that may import them, and what an import elsewhere is reported as. */
const restrictedLibraries: [library: RegExp, allowed: RegExp, violation: string][] = [
  [/^nodemailer(\/|$)/, /^notifications\/channels\/email\/nodemailer\.ts$/, 'imports nodemailer'],
  [
    /^koa|^@koa\//,
    /^(http|mcp|rest|server|status-page)\/|^graphql\/(create-context|endpoint|request-body|graphiql|subscriptions\/event-responses)\.ts$/,
    'imports Koa',
  ],
  [
    /^@apollo\//,
    /^graphql\/(server|endpoint|errors|limits|idempotency|graphiql|subscriptions\/plugin)\.ts$/,
    'imports Apollo',
  ],
  [
    /^@mikro-orm\/|^kysely$|^pg$|^@electric-sql\//,
    /\.entity\.ts$|^(db|records)\//,
    'imports the ORM or a database driver',
  ],
  [
    /^(graphql|type-graphql)(\/|$)/,
    /\.(entity|resolver|inputs|filter|fields|payload)\.ts$|^(graphql|mcp|records|rest)\/|^(schema|auth\/access|core\/(scalars|timestamped\.entity))\.ts$/,
    'imports GraphQL',
  ],
];

test('a library is imported only where the table allows it', () => {
  const violations = files.flatMap(({ path, imports }) =>
    restrictedLibraries.flatMap(([library, allowed, violation]) =>
      imports.some(({ from }) => library.test(from)) && !allowed.test(path) ? [`${path} ${violation}`] : [],
    ),
  );
  expect(violations).toEqual([]);
});
