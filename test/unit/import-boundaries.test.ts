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
    'graphql',
    'http',
    'notices',
    'notices/drafts',
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
  auth: ['core', 'db'],
  components: ['auth', 'components/upstream', 'core', 'db', 'graphql', 'notices', 'pages', 'records'],
  'components/upstream': [
    'auth',
    'components',
    'core',
    'core/queues',
    'db',
    'graphql',
    'http',
    'notices',
    'pages',
    'records',
  ],
  'content/markdown': [],
  'content/raster': ['core', 'core/queues'],
  core: ['core/text'],
  'core/queues': [],
  'core/text': [],
  db: ['core', 'core/queues', 'db/embedded', 'db/migrations'],
  'db/backup': ['core', 'db'],
  'db/embedded': [],
  'db/migrations': [],
  graphql: ['auth', 'core', 'db', 'graphql/subscriptions', 'http', 'http/admission', 'records'],
  'graphql/mcp': ['core', 'db', 'graphql', 'http'],
  'graphql/subscriptions': ['auth', 'core', 'core/queues', 'db', 'graphql', 'http', 'records'],
  http: ['auth', 'core', 'core/queues', 'db', 'http/admission', 'http/dns', 'records'],
  'http/admission': ['auth', 'core', 'core/queues', 'db'],
  'http/dns': [],
  i18n: ['i18n/languages'],
  'i18n/languages': [],
  notices: [
    'auth',
    'components',
    'content/markdown',
    'core',
    'core/text',
    'db',
    'graphql',
    'i18n',
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
    'notices',
    'notices/drafts',
    'notices/next-update',
    'notices/recurrence',
    'notifications',
    'pages',
    'records',
  ],
  'notices/demo': [
    'components',
    'core',
    'db',
    'graphql',
    'notices',
    'notices/templates',
    'notices/updates',
    'pages',
    'records',
  ],
  'notices/drafts': [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'notices',
    'notices/templates',
    'notifications',
    'notifications/messages',
    'notifications/operator-mail',
    'notifications/preview',
    'pages',
    'people',
    'records',
  ],
  'notices/multi-page': ['core', 'graphql', 'notices', 'notices/drafts', 'notifications/preview', 'records'],
  'notices/next-update': ['auth', 'core', 'db', 'graphql', 'notices', 'notifications', 'pages', 'people', 'records'],
  'notices/owner': ['auth', 'core', 'db', 'graphql', 'notices', 'pages', 'people', 'records'],
  'notices/recurrence': [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'i18n',
    'notices',
    'notifications',
    'notifications/preview',
    'pages',
    'records',
  ],
  'notices/templates': ['components', 'core', 'db', 'graphql', 'notices', 'pages', 'records'],
  'notices/updates': [
    'auth',
    'content/markdown',
    'core',
    'db',
    'graphql',
    'notices',
    'notices/next-update',
    'notifications',
    'pages',
    'people',
    'records',
  ],
  notifications: [
    'auth',
    'components',
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
    'pages/branding',
    'people',
    'records',
  ],
  'notifications/bounces': [
    'auth',
    'core',
    'db',
    'notifications/channels',
    'notifications/delivery',
    'notifications/failures',
    'notifications/messages',
    'pages',
    'records',
    'subscribers',
  ],
  'notifications/channels': ['auth', 'core', 'core/text', 'db', 'graphql', 'i18n', 'notifications/messages'],
  'notifications/channels/email': [
    'core',
    'http',
    'i18n',
    'notices',
    'notifications/channels',
    'notifications/messages',
    'subscribers',
  ],
  'notifications/channels/http': ['http', 'notifications/channels'],
  'notifications/delivery': [
    'auth',
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
    'pages/branding',
    'people',
    'records',
    'subscribers',
  ],
  'notifications/failures': [
    'db',
    'notifications/channels',
    'notifications/delivery',
    'notifications/messages',
    'notifications/operator-mail',
    'pages',
    'people',
  ],
  'notifications/mail-tokens': ['auth', 'core', 'db', 'notifications/channels/email', 'notifications/page-channels'],
  'notifications/messages': ['content/markdown', 'core', 'core/text', 'i18n', 'notices', 'pages/branding'],
  'notifications/operator-mail': ['db', 'subscribers'],
  'notifications/page-channels': [
    'auth',
    'core',
    'db',
    'graphql',
    'http',
    'i18n',
    'notifications/channels',
    'notifications/delivery',
    'notifications/messages',
    'pages',
    'pages/branding',
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
    'http',
    'notices',
    'notifications/channels',
    'notifications/delivery',
    'notifications/page-channels',
    'pages',
    'records',
    'subscribers',
  ],
  pages: [
    'auth',
    'components',
    'components/upstream',
    'core',
    'core/queues',
    'core/text',
    'db',
    'graphql',
    'i18n',
    'notices',
    'notifications/channels',
    'pages/branding',
    'pages/custom-domain',
    'records',
  ],
  'pages/branding': [
    'auth',
    'content/raster',
    'core',
    'core/queues',
    'core/text',
    'db',
    'graphql',
    'pages',
    'pages/images',
    'records',
  ],
  'pages/custom-domain': ['auth', 'core', 'db', 'graphql', 'http', 'pages', 'records'],
  'pages/images': ['content/markdown', 'core', 'db', 'graphql', 'pages', 'records'],
  'pages/metrics': ['auth', 'core', 'db', 'graphql', 'pages', 'records'],
  people: ['auth', 'core', 'db', 'graphql', 'pages', 'records'],
  'people/audit': ['core', 'db', 'graphql', 'pages', 'people', 'records'],
  'people/sign-in': ['auth', 'core', 'db', 'graphql', 'http', 'people', 'records'],
  records: ['auth', 'core', 'db'],
  rest: [
    'auth',
    'core',
    'db',
    'graphql',
    'http',
    'http/admission',
    'notifications/channels',
    'records',
    'rest/request',
    'rest/v1',
  ],
  'rest/openapi': ['auth', 'core', 'db', 'graphql', 'rest'],
  'rest/request': ['core', 'http'],
  'rest/statuspage': [
    'core',
    'db',
    'graphql',
    'http',
    'http/admission',
    'i18n',
    'notices',
    'pages',
    'records',
    'rest',
    'rest/request',
    'status-page/aggregator-api',
  ],
  'rest/v1': ['auth', 'notifications/channels', 'rest/request'],
  'status-page/aggregator-api': [
    'components',
    'content/markdown',
    'i18n',
    'notices',
    'status-page/html',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/badge': [
    'content/raster',
    'i18n',
    'pages/branding',
    'status-page/feeds',
    'status-page/html',
    'status-page/html/style',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/feeds': ['content/markdown', 'core', 'i18n', 'notices', 'status-page/routing', 'status-page/view'],
  'status-page/html': [
    'components',
    'content/markdown',
    'content/raster',
    'core',
    'i18n',
    'notices',
    'pages',
    'pages/branding',
    'pages/images',
    'pages/metrics',
    'status-page/html/style',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/html/style': ['pages/branding', 'status-page/view'],
  'status-page/page-api': ['content/markdown', 'i18n', 'status-page/html', 'status-page/routing', 'status-page/view'],
  'status-page/private': [
    'auth',
    'core',
    'db',
    'http',
    'i18n',
    'notifications/messages',
    'pages',
    'status-page/html',
    'status-page/routing',
    'status-page/server',
    'status-page/subscribe',
    'status-page/view',
    'subscribers',
  ],
  'status-page/reports': [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'notices',
    'notices/next-update',
    'notifications/messages',
    'notifications/operator-mail',
    'pages',
    'people',
    'status-page/view',
  ],
  'status-page/routing': ['core', 'status-page/view'],
  'status-page/seo': ['status-page/feeds', 'status-page/routing'],
  'status-page/server': [
    'content/markdown',
    'content/raster',
    'core',
    'core/queues',
    'db',
    'http',
    'i18n',
    'pages',
    'pages/branding',
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
    'components',
    'core',
    'core/queues',
    'db',
    'http',
    'i18n',
    'notices',
    'notifications/channels',
    'notifications/messages',
    'notifications/webhooks',
    'pages/branding',
    'status-page/html',
    'status-page/routing',
    'status-page/server',
    'status-page/view',
    'subscribers',
  ],
  'status-page/text': ['components', 'core', 'i18n', 'status-page/html', 'status-page/routing', 'status-page/view'],
  'status-page/themes': [
    'content/markdown',
    'core',
    'core/queues',
    'db',
    'i18n',
    'i18n/languages',
    'pages/branding',
    'pages/images',
    'pages/metrics',
    'status-page/html',
    'status-page/routing',
    'status-page/view',
  ],
  'status-page/view': [
    'components',
    'components/upstream',
    'core',
    'db',
    'i18n',
    'notices',
    'notices/next-update',
    'notifications',
    'notifications/channels',
    'pages',
    'pages/branding',
    'pages/images',
    'pages/metrics',
  ],
  'status-page/widget': [
    'components',
    'core',
    'http',
    'i18n',
    'notices',
    'pages/branding',
    'status-page/html',
    'status-page/html/style',
    'status-page/routing',
    'status-page/view',
  ],
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
    'subscribers/lists',
  ],
  'subscribers/lists': ['core', 'core/text'],
  'transfer/archive': [
    'alerts',
    'alerts/formats',
    'auth',
    'components',
    'components/upstream',
    'core',
    'db',
    'db/backup',
    'http',
    'i18n',
    'notices',
    'notices/next-update',
    'notices/recurrence',
    'notices/templates',
    'notices/updates',
    'notifications',
    'notifications/channels',
    'notifications/page-channels',
    'notifications/webhooks',
    'pages',
    'pages/branding',
    'pages/custom-domain',
    'pages/images',
    'pages/metrics',
    'people',
    'people/audit',
    'records',
    'subscribers',
    'transfer/importers',
  ],
  'transfer/importers': [
    'auth',
    'components',
    'core',
    'db',
    'graphql',
    'i18n',
    'notices',
    'notices/recurrence',
    'notices/templates',
    'pages',
    'pages/branding',
    'records',
    'subscribers',
    'subscribers/lists',
  ],
  'transfer/importers/sources': [
    'components',
    'core',
    'i18n',
    'notices',
    'pages/branding',
    'subscribers/lists',
    'transfer/importers',
  ],
  'transfer/importers/v1-to-archive': [
    'core',
    'notices',
    'pages',
    'transfer/archive',
    'transfer/importers',
    'transfer/importers/sources',
  ],
  'transfer/page-file': ['core', 'notifications/channels'],
  'transfer/page-move': ['core', 'db', 'db/backup', 'pages', 'records', 'transfer/archive'],
  'transfer/person-data': ['core', 'db', 'graphql', 'notifications/delivery', 'people', 'records', 'subscribers'],
};
/** The composition, the commands, the processes, and the two registries that know every feature. */
const mayImportEverything = [
  'server',
  'server/retention',
  'server/hooks',
  'server/sign-in',
  'server/transfer',
  'server/doctor',
  'server/monitoring',
  'cli',
  'cli/generators',
  'cli/output',
  'cli.ts',
  'entities.ts',
  'schema.ts',
];

/** The folders that import each other: a folder and its subfolder. */
const mutualFolders = ['graphql, graphql/subscriptions', 'notices, notices/recurrence'];

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

/**
 * The lines that a room, a folder at the top of src with all its subfolders, may have. Who raises a number says why in the
 * commit.
 */
const maxLines: Record<string, number> = {
  alerts: 2886,
  auth: 806,
  cli: 1792,
  components: 2523,
  content: 662,
  core: 2166,
  db: 4406,
  graphql: 4718,
  http: 2894,
  i18n: 7221,
  notices: 7257,
  notifications: 12_809,
  pages: 4828,
  people: 2627,
  records: 2_879,
  rest: 5779,
  server: 4884,
  'status-page': 14949,
  subscribers: 2850,
  transfer: 9087,
};

const roomOf = (path: string) => path.split('/')[0]!;
const rooms = [...new Set(files.filter(({ path }) => path.includes('/')).map(({ path }) => roomOf(path)))].sort();

test('no room has more lines than its maximum', () => {
  const linesOf = (room: string) =>
    files
      .filter(({ path }) => roomOf(path) === room)
      .reduce((sum, { path }) => sum + readFileSync(join('src', path), 'utf8').trimEnd().split('\n').length, 0);
  expect(rooms).toEqual(Object.keys(maxLines).sort());
  expect(rooms.filter(room => linesOf(room) > maxLines[room]!).map(room => `${room}: ${linesOf(room)}`)).toEqual([]);
});

test('there are at most 20 rooms, with 160 arrows between them, and 6 pairs that import each other', () => {
  const arrows = new Set(
    files.flatMap(file =>
      ownImports(file)
        .map(({ path }) => path)
        .filter(path => path.includes('/') && file.path.includes('/') && roomOf(path) !== roomOf(file.path))
        .map(path => `${roomOf(file.path)} ${roomOf(path)}`),
    ),
  );
  const pairs = [...arrows].filter(arrow => {
    const [from, to] = arrow.split(' ') as [string, string];
    return from < to && arrows.has(`${to} ${from}`);
  });
  expect(rooms.length).toBeLessThanOrEqual(20);
  expect(arrows.size).toBeLessThanOrEqual(160);
  expect(pairs.length).toBeLessThanOrEqual(6);
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

test('no seven files import each other in a circle', () => {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => normalize(join(dirname(path), from)).replace(/\.js$/, '.ts')),
    ]),
  );
  expect(findCircles(targets).filter(circle => circle.length > 6)).toEqual([]);
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
    /^(http|rest|server|status-page)\/|^graphql\/mcp\/|^graphql\/(create-context|endpoint|request-body|graphiql|subscriptions\/event-responses)\.ts$/,
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
