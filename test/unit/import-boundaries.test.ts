import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * Data flows one way: rest, graphql, resolver, service, entity, rules. A folder may import from itself and from the folders in
 * its row. Type imports count too.
 */
const ground = ['core', 'i18n', 'markdown', 'raster'];
const data = ['core', 'db', 'db/change-feed', 'records'];
const features = [
  'audit',
  'auth',
  'branding',
  'components',
  'custom-domain',
  'demo',
  'drafts',
  'multi-page',
  'notices',
  'notices/automation',
  'notices/promises',
  'notices/templates',
  'notices/updates',
  'pages',
  'people',
  'sign-in',
  'subscribers',
];
const notifications = ['', '/channels', '/delivery', '/messages', '/page-channels', '/preview'].map(
  name => `notifications${name}`,
);
const feature = [...ground, ...data, ...features, ...notifications, 'graphql', 'http'];
const page = [...ground, 'status-page/routing', 'status-page/view'];
const formats = ['aggregator-api', 'badge', 'feeds', 'html', 'page-api', 'seo', 'text', 'themes', 'widget'].map(
  name => `status-page/${name}`,
);

const mayImport: Record<string, string[]> = {
  core: [],
  i18n: ['core', 'i18n/languages'],
  'i18n/languages': ['i18n'],
  markdown: ['core'],
  raster: ['core'],
  db: ['core', 'db/change-feed', 'db/embedded', 'db/migrations'],
  'db/change-feed': ['core', 'db'],
  'db/embedded': ['core'],
  'db/migrations': ['core'],
  records: [...data, 'auth'],
  auth: data,
  http: [...data, 'auth'],
  // The context of the resolvers names what features need of the adapters, by type alone.
  graphql: [
    ...data,
    'auth',
    'http',
    'branding',
    'custom-domain',
    'notifications/page-channels',
    'notifications/preview',
    'pages',
    'raster',
    'graphql/subscriptions',
  ],
  'graphql/subscriptions': [...data, 'auth', 'http', 'graphql'],
  audit: feature,
  branding: feature,
  components: feature,
  'custom-domain': feature,
  demo: feature,
  drafts: feature,
  'multi-page': feature,
  notices: feature,
  pages: feature,
  people: feature,
  'sign-in': feature,
  subscribers: feature,
  'notices/automation': feature,
  'notices/promises': feature,
  'notices/templates': feature,
  'notices/updates': feature,
  notifications: feature,
  'notifications/delivery': feature,
  'notifications/messages': [...ground, 'branding', 'notices', 'notifications'],
  'notifications/page-channels': feature,
  'notifications/preview': feature,
  // A definition opens no connection; its adapter does, which only the composition imports.
  'notifications/channels': [
    ...ground,
    'auth',
    'db',
    'graphql',
    'notifications',
    'notifications/messages',
    'subscribers',
  ],
  'notifications/channels/email': feature,
  'notifications/channels/http': feature,
  'status-page/view': [...ground, 'branding', 'components', 'db', 'notices', 'notifications/page-channels', 'pages'],
  'status-page/routing': ['status-page/view'],
  'status-page/html': [...page, 'branding', 'components', 'notices'],
  'status-page/feeds': [...page, 'notices'],
  'status-page/badge': [...page, 'branding', 'status-page/feeds', 'status-page/html'],
  'status-page/text': [...page, 'components', 'status-page/html'],
  'status-page/seo': [...page, 'status-page/feeds'],
  'status-page/widget': [...page, 'http'],
  'status-page/aggregator-api': [...page, 'components', 'notices', 'status-page/html'],
  'status-page/page-api': [...page, 'status-page/html'],
  'status-page/themes': [...page, 'branding', 'db', 'status-page/html'],
  'status-page/subscribe': [
    ...page,
    'branding',
    'components',
    'db',
    'http',
    'notices',
    'notifications',
    'notifications/messages',
    'status-page/html',
    'status-page/server',
    'subscribers',
  ],
  'status-page/private': [
    ...page,
    'auth',
    'db',
    'http',
    'notifications/messages',
    'pages',
    'status-page/html',
    'status-page/server',
    'status-page/subscribe',
    'subscribers',
  ],
  'status-page/server': [...page, ...formats, 'branding', 'components', 'db', 'db/change-feed', 'http', 'pages'],
  // The registry of channels names the switches of a page.
  rest: [...data, 'auth', 'graphql', 'http', 'notifications/channels', 'rest/openapi', 'rest/request', 'rest/v1'],
  'rest/openapi': ['core', 'auth', 'db', 'graphql', 'records', 'rest'],
  'rest/request': ['core', 'http'],
  'rest/v1': ['auth', 'notifications/channels'],
};
/** The composition, the commands, the processes, and the two registries that know every feature. */
const mayImportEverything = [
  'server',
  'server/sign-in',
  'cli',
  'main.ts',
  'worker.ts',
  'cli.ts',
  'entities.ts',
  'schema.ts',
];

/** Folders that import each other: their entities refer to each other, as the tables do. */
const entityGraph = [
  'branding, pages',
  'components, notices',
  'components, pages',
  'custom-domain, pages',
  'notices, notifications',
  'notices/updates, notifications',
  'notices, pages',
  'notifications/page-channels, pages',
];

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
    .map(({ from, isType }) => ({
      isType,
      folder: folderOf(normalize(join(dirname(file.path), from)).replace(/\.js$/, '.ts')),
    }));

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

test('no two folders import each other but those of the entity graph, and a folder and its own subfolder', () => {
  const pairs = new Set(
    files.flatMap(file =>
      ownImports(file)
        .filter(target => !target.isType && target.folder !== folderOf(file.path))
        .map(target => `${folderOf(file.path)}, ${target.folder}`),
    ),
  );
  const isNested = (one: string, other: string) => other.startsWith(`${one}/`);
  const mutual = [...pairs].filter(pair => {
    const [one, other] = pair.split(', ') as [string, string];
    return one < other && pairs.has(`${other}, ${one}`) && !isNested(one, other);
  });
  expect(mutual.filter(pair => !entityGraph.includes(pair))).toEqual([]);
  expect(entityGraph.filter(pair => !mutual.includes(pair))).toEqual([]);
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
    /^(http|rest|server|status-page)\/|^graphql\/(endpoint|request-body|graphiql|subscriptions\/event-responses)\.ts$/,
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
    /\.(entity|resolver|inputs|filter|fields|payload)\.ts$|^(graphql|records|rest)\/|^(schema|auth\/access|core\/(scalars|timestamped\.entity))\.ts$/,
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
