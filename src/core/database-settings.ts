import { z } from 'zod';
import { oneOf, wholeNumber } from './setting-parsers.js';

/** The value of DATABASE_URL for the embedded database. */
export const embedded = 'embedded';

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

const parameters = [
  'application_name',
  'channel_binding',
  'host',
  'options',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'target_session_attrs',
];
/** Parameters that providers write for other programs, and what to do. */
const foreignParameters = new Map([
  [
    'pgbouncer',
    'which is for Prisma: leave it out. This URL leads to a pooler, so set DATABASE_DIRECT_URL to the server itself',
  ],
  ['connection_limit', 'which is for Prisma: leave it out, and set DATABASE_CONNECTIONS'],
  ['pool_timeout', 'which is for Prisma: leave it out'],
  ['schema', 'which is for Prisma: leave it out'],
  ['sslaccept', 'which is for Prisma: leave it out, and use sslmode'],
  ['supa', 'which is for Vercel: leave it out'],
  ['ssl', 'which is for JDBC and Node.js: use sslmode=require in its place'],
  ['uselibpqcompat', 'which is for Node.js: leave it out, sslmode means here what libpq says'],
  ['connect_timeout', 'which the service sets itself: leave it out'],
]);
const channelBindings = ['disable', 'prefer', 'require'];
/** The values of target_session_attrs that name the server that accepts writes. */
const primaries = ['read-write', 'primary'];

export const readUrlParameters = (url: string) => new URLSearchParams(url.split('?')[1]);

/** The URLs of the servers of a DATABASE_URL with several hosts, as in `postgres://user@one:5432,two:5432/name`. */
export function splitHosts(url: string): string[] {
  const match = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url);
  if (!match) return [url];
  const [, scheme, hosts, rest] = match;
  return hosts!.split(',').map(host => `${scheme}${host}${rest}`);
}

/** Returns what is wrong with the URL of a database, without its values; undefined where nothing is. */
function findMistake(url: string): string | undefined {
  if (url === '') return undefined;
  if (!/^postgres(?:ql)?:\/\//.test(url)) return 'must begin with postgres:// or postgresql://';
  const mistakes = splitHosts(url).map(findMistakeOfServer);
  return mistakes.find(Boolean);
}

function findMistakeOfServer(url: string): string | undefined {
  const query = readUrlParameters(url);
  if (query.get('host')?.includes(','))
    return 'must have several hosts before the name of the database, as in postgres://user@one:5432,two:5432/name';
  // A Unix socket is in the parameter `host`, after a user without a host.
  if (!URL.canParse(url.replace('@/', '@localhost/')))
    return 'must be a URL, in which / ? # @ and % of a user or a password are percent-encoded';
  const foreign = [...query.keys()].find(name => foreignParameters.has(name));
  if (foreign) return `has the parameter ${foreign}, ${foreignParameters.get(foreign)}`;
  const unknown = [...query.keys()].filter(name => !parameters.includes(name));
  if (unknown.length)
    return `has a parameter that is not understood${listNames(unknown)}: use ${parameters.join(', ')}`;
  const attributes = query.get('target_session_attrs');
  if (attributes !== null && !primaries.includes(attributes))
    return `target_session_attrs must be ${primaries.join(' or ')}: the service writes`;
  const binding = query.get('channel_binding');
  if (binding !== null && !channelBindings.includes(binding))
    return `channel_binding must be ${channelBindings.join(', ')}`;
  const mode = query.get('sslmode');
  if (mode !== null && !sslModes.some(name => name === mode)) return `sslmode must be ${sslModes.join(', ')}`;
  return undefined;
}

/** A name with other characters may be a part of a password that has a question mark. */
const listNames = (names: string[]): string =>
  names.every(name => /^\w+$/.test(name)) ? ` (${names.join(', ')})` : '';

const refuseMistakes = (url: string, context: z.RefinementCtx) => {
  const message = findMistake(url);
  if (message) context.addIssue({ code: 'custom', message });
};

export const databaseSettings = {
  databaseUrl: {
    variable: 'DATABASE_URL',
    isSecret: true,
    parse: z
      .string()
      .transform(url => (url === embedded ? '' : url))
      .superRefine(refuseMistakes),
    meaning:
      'The URL of a PostgreSQL database (15 or later), or embedded. With several hosts, as in ' +
      'postgres://user@one:5432,two:5432/name, the one that accepts writes is used, also after a failover. ' +
      'TLS as in libpq: sslmode, sslrootcert, sslcert and sslkey, as in ' +
      'postgres://user:password@host/name?sslmode=verify-full; channel_binding is used where the server ' +
      'offers it. Not set: embedded, but where NODE_ENV is ' +
      'production it must be set.',
  },
  databaseDirectUrl: {
    variable: 'DATABASE_DIRECT_URL',
    isSecret: true,
    parse: z.string().superRefine(refuseMistakes),
    meaning:
      'The URL of the same database without a pooler, where DATABASE_URL leads to one in transaction mode, such as ' +
      'PgBouncer: migrations, LISTEN and commands that take long use it. Empty: DATABASE_URL, whose connections then ' +
      'each need a session of their own.',
  },
  databaseReplicaUrls: {
    variable: 'DATABASE_REPLICA_URLS',
    isSecret: true,
    parse: z
      .string()
      .transform(text => text.split(/\s+/).filter(Boolean))
      .superRefine((urls, context) => {
        for (const url of urls) refuseMistakes(url, context);
      }),
    meaning:
      'The URLs of streaming replicas of the database, separated by spaces, without a pooler in transaction mode. ' +
      'Public pages and reads without a token come from one that has replayed all changes that the process has ' +
      'heard of, else from DATABASE_URL. Empty: always from DATABASE_URL.',
  },
  databaseConnections: {
    variable: 'DATABASE_CONNECTIONS',
    fallback: '6',
    parse: wholeNumber(2, 500),
    meaning:
      'The maximum number of connections to PostgreSQL for this process. One more listens for changes, and two more ' +
      'are for callers without a token.',
  },
  pgSslMode: {
    variable: 'PGSSLMODE',
    parse: z.union([z.literal(''), oneOf(sslModes)]),
    meaning:
      'How connections to PostgreSQL are encrypted, where DATABASE_URL has no sslmode: disable, allow, prefer, ' +
      'require, verify-ca or verify-full. Empty: prefer.',
  },
  pgSslRootCert: {
    variable: 'PGSSLROOTCERT',
    parse: z.string(),
    meaning:
      'A PEM file with the certificate authorities that may sign the certificate of PostgreSQL, where DATABASE_URL ' +
      'has no sslrootcert; system: those of the machine. Empty: ~/.postgresql/root.crt, if it exists.',
  },
  pgSslCert: {
    variable: 'PGSSLCERT',
    parse: z.string(),
    meaning:
      'A PEM file with the client certificate for PostgreSQL, where DATABASE_URL has no sslcert. Empty: ' +
      '~/.postgresql/postgresql.crt, if it exists.',
  },
  pgSslKey: {
    variable: 'PGSSLKEY',
    parse: z.string(),
    meaning:
      'A PEM file with the key of the client certificate, where DATABASE_URL has no sslkey. Empty: ' +
      '~/.postgresql/postgresql.key, if it exists.',
  },
} as const;
