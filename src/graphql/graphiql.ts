import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';

/** GraphiQL at /graphql for browsers, from our own node_modules: it asks nothing of any other place. */
const require = createRequire(import.meta.url);
const fileOf = (name: string, file: string) => async () =>
  readFile(join(dirname(require.resolve(`${name}/package.json`)), file));

/** The token stands in the headers editor, and nowhere else: nothing is kept in the browser, since the history of queries would keep headers too. An empty one is not sent, since it would be a wrong one. */
const start = `
const ask = GraphiQL.createFetcher({ url: '/graphql' });
const fetcher = (parameters, options = {}) => {
  const headers = Object.fromEntries(Object.entries(options.headers ?? {}).filter(([, value]) => !/^bearer\\s*$/i.test(value)));
  return ask(parameters, { ...options, headers });
};
const kept = new Map();
const memory = {
  get length() {
    return kept.size;
  },
  getItem: name => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
  removeItem: name => kept.delete(name),
  clear: () => kept.clear(),
};
const query = [
  '# All Clear. Put a token into the headers below: "Bearer <token>".',
  '# The button at the upper left shows all types and fields with what they mean.',
  '',
  'query Pages {',
  '  pages {',
  '    totalCount',
  '    nodes {',
  '      id',
  '      name',
  '      state',
  '      components { id name state parentId }',
  '      notices(first: 5) {',
  '        id',
  '        type',
  '        subject',
  '        timelineState',
  '        ... on UnplannedNotice { state }',
  '        ... on PlannedNotice { state beginsAt endsAt }',
  '      }',
  '    }',
  '  }',
  '}',
  '',
].join('\\n');
ReactDOM.createRoot(document.getElementById('explorer')).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: query,
    defaultHeaders: JSON.stringify({ Authorization: 'Bearer ' }, null, 2),
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
    storage: memory,
  }),
);
`;

const style = 'html, body, #explorer { height: 100%; margin: 0; }\n';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>All Clear: GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphql/assets/graphiql.css">
<link rel="stylesheet" href="/graphql/assets/start.css">
</head>
<body>
<div id="explorer">Loading. This page needs JavaScript.</div>
<script src="/graphql/assets/react.js"></script>
<script src="/graphql/assets/react-dom.js"></script>
<script src="/graphql/assets/graphiql.js"></script>
<script src="/graphql/assets/start.js"></script>
</body>
</html>
`;

/** GraphiQL's dialogs and menus put style elements into the page, and its fonts stand in its style sheet; scripts come from our own files alone. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const files: Record<string, () => Promise<Buffer>> = {
  'react.js': fileOf('react', 'umd/react.production.min.js'),
  'react-dom.js': fileOf('react-dom', 'umd/react-dom.production.min.js'),
  'graphiql.js': fileOf('graphiql', 'graphiql.min.js'),
  'graphiql.css': fileOf('graphiql', 'graphiql.min.css'),
  'start.js': async () => Buffer.from(start),
  'start.css': async () => Buffer.from(style),
};

const folder = '/graphql/assets/';
export const isAsset = (path: string): boolean =>
  path.startsWith(folder) && Object.hasOwn(files, path.slice(folder.length));

/** A browser that asks for the page itself, and not for an answer. */
export const wantsExplorer = (ctx: KoaContext): boolean =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  !('query' in ctx.query) &&
  ctx.accepts('application/json', 'application/graphql-response+json', 'text/html') === 'text/html';

export function answerExplorer(ctx: KoaContext): void {
  ctx.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' });
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page;
}

interface Asset {
  plain: Buffer;
  packed: Buffer;
  tag: string;
}

const pack = promisify(gzip);
const assets = new Map<string, Promise<Asset>>();

async function load(name: string): Promise<Asset> {
  const plain = await files[name]!();
  return { plain, packed: await pack(plain), tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22) };
}

/** Read and packed once, when somebody first opens the page. */
export async function answerAsset(ctx: KoaContext): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, HEAD');
    ctx.status = 405;
    return;
  }
  const name = ctx.path.slice(folder.length);
  const known = assets.get(name) ?? load(name);
  assets.set(name, known);
  const { plain, packed, tag } = await known;
  const zipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  const etag = `"${tag}${zipped ? '-gzip' : ''}"`;
  ctx.set({
    'Cache-Control': 'public, max-age=86400',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  });
  if (ctx.get('If-None-Match').includes(etag)) {
    ctx.status = 304;
    return;
  }
  if (zipped) ctx.set('Content-Encoding', 'gzip');
  ctx.type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  ctx.body = zipped ? packed : plain;
}
