import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * Data flows one way: rest, graphql, resolver, service, entity, rules. A file belongs to the first ring whose pattern fits its path, and may import from
 * its own ring and those further in. The exceptions are the rings that must not know each other.
 */
const rings: [name: string, depth: number, pattern: RegExp][] = [
  ['ground', 0, /^(body|environment|errors|config|cors|log|names|random|timestamp|checks|hosts)\.ts$/],
  ['the words of the page', 1, /^texts\//],
  ['the words of the graph', 1, /^graphql\/(scalars|enumeration|access)\.ts$|^db\/literal\.ts$/],
  ['records', 2, /\.entity\.ts$|^db\/|^graphql\/selection\.ts$/],
  [
    'verbs',
    3,
    /\.(service|automation|commands|command)\.ts$|^tokens\/|^pages\/domain-check\.ts$|^publishing\/(publish|spread|queue|preview|rehearse|resend)\.ts$/,
  ],
  ['schema', 4, /\.(resolver|filter|fields|payload)\.ts$|^graphql\//],
  ['inputs', 3, /\.inputs\.ts$/],
  ['edges', 5, /^(rest|status-page|channels)\/|^publishing\/worker|^health\.ts$/],
  ['start', 6, /^(app|main|worker-main|run|start|start-worker|start-failures|telling)\.ts$|^(commands|demo)\//],
  ['rules', 1, /^(notices|pages|components|subscribers|publishing|messages)\//],
];

interface File {
  path: string;
  imports: string[];
}

const files: File[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => ({
    path,
    imports: [...readFileSync(join('src', path), 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gms)].map(match => match[1]!),
  }));

const ringOf = (path: string) => rings.find(([, , pattern]) => pattern.test(path));
const own = (file: File) => file.imports.filter(one => one.startsWith('.')).map(one => normalize(join(dirname(file.path), one)).replace(/\.js$/, '.ts'));

test('every file belongs to a ring', () => {
  expect(files.map(({ path }) => path).filter(path => !ringOf(path))).toEqual([]);
});

test('no file imports from a ring further out', () => {
  const offences = files.flatMap(file => {
    const [name, depth] = ringOf(file.path)!;
    return own(file)
      .filter(target => ringOf(target)![1] > depth)
      .map(target => `${file.path} (${name}) imports ${target} (${ringOf(target)![0]})`);
  });
  expect(offences).toEqual([]);
});

/** What only some places may know. */
const secrets: [library: RegExp, allowed: RegExp, sentence: string][] = [
  [/^koa|^@koa\//, /^(app|body|health)\.ts$|^rest\/|^graphql\/endpoint\.ts$|^status-page\//, 'knows of Koa'],
  [/^@apollo\/|^@as-integrations\//, /^graphql\/(server|endpoint|errors|limits|graphiql)\.ts$/, 'knows of Apollo'],
  [/^@mikro-orm\/|^kysely$|^pg$|^@electric-sql\//, /\.entity\.ts$|^db\//, 'knows of the ORM'],
  [/^(graphql|type-graphql)(\/|$)/, /\.(entity|resolver|inputs|filter|fields|payload)\.ts$|^graphql\/|^db\/(sql|list|read)\.ts$|^rest\//, 'knows of GraphQL'],
];

test('a library is known only where it belongs', () => {
  const offences = files.flatMap(({ path, imports }) =>
    secrets.flatMap(([library, allowed, sentence]) => (imports.some(one => library.test(one)) && !allowed.test(path) ? [`${path} ${sentence}`] : [])),
  );
  expect(offences).toEqual([]);
});

test('the edges do not know each other', () => {
  const edges = ['rest', 'status-page', 'channels'];
  const edgeOf = (path: string) => edges.find(edge => path.startsWith(`${edge}/`));
  const offences = files.flatMap(file =>
    own(file)
      .filter(target => edgeOf(file.path) && edgeOf(target) && edgeOf(target) !== edgeOf(file.path))
      .map(target => `${file.path} imports ${target}`),
  );
  expect(offences).toEqual([]);
});
