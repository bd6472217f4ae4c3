import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import pg from 'pg';
import { parse } from 'pg-connection-string';
import { InvalidSettings, type Settings } from '../core/config.js';
import { databaseSettings, readUrlParameters, splitHosts } from '../core/database-settings.js';
import { handshakeCodes, noTlsMessage } from './database-errors.js';

/** Where a server is, and the user. Empty values are those of libpq's variables, such as PGUSER. */
export interface ServerConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  application_name?: string;
  options?: string;
  /** Whether SCRAM binds to the TLS connection where the server offers it. */
  enableChannelBinding?: boolean;
  ssl: false | ConnectionOptions;
}

/** The URL of the connections of requests, or of those that need a session. */
type UrlSetting = 'databaseUrl' | 'databaseDirectUrl';

type TlsParameters = Record<'sslmode' | 'sslrootcert' | 'sslcert' | 'sslkey', string>;

/** The parameters of the URL, else the variables, else the defaults of libpq. */
function readTlsParameters(url: string, settings: Settings): TlsParameters {
  const query = readUrlParameters(url);
  const findAtHome = (name: string) => {
    const path = join(homedir(), '.postgresql', name);
    return existsSync(path) ? path : '';
  };
  const sslrootcert = query.get('sslrootcert') || settings.pgSslRootCert || findAtHome('root.crt');
  return {
    sslrootcert,
    sslcert: query.get('sslcert') || settings.pgSslCert || findAtHome('postgresql.crt'),
    sslkey: query.get('sslkey') || settings.pgSslKey || findAtHome('postgresql.key'),
    sslmode: query.get('sslmode') || settings.pgSslMode || (sslrootcert === 'system' ? 'verify-full' : 'prefer'),
  };
}

function readTlsOptions(parameters: TlsParameters, host: string, variable: string): ConnectionOptions {
  const { sslmode, sslrootcert, sslcert, sslkey } = parameters;
  const usesSystem = sslrootcert === 'system';
  if (usesSystem && sslmode !== 'verify-full')
    throw new InvalidSettings(`${variable}: sslrootcert=system requires sslmode=verify-full.`);
  if (sslmode === 'verify-ca' && !sslrootcert)
    throw new InvalidSettings(`${variable}: sslmode=verify-ca requires sslrootcert.`);
  const query = new URLSearchParams({
    // The parser does not know `allow`, whose encrypted connections are those of `prefer`.
    sslmode: sslmode === 'allow' ? 'prefer' : sslmode,
    ...(!usesSystem && { sslrootcert }),
    sslcert,
    sslkey,
  });
  try {
    const ssl = parse(`postgres:///?${query}`, { useLibpqCompat: true }).ssl as ConnectionOptions;
    // Without the host, Node compares the certificate of a server at an IP address with `localhost`.
    return { ...ssl, ...(usesSystem && { ca: getCACertificates('system') }), host };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const [name] = Object.entries(parameters).find(([, value]) => value === path) ?? [];
    if (!name) throw error;
    throw new InvalidSettings(`${variable}: ${name}: the file ${path} cannot be read (${code}).`);
  }
}

interface Server {
  connection: ServerConnection;
  sslMode: string;
}

const readServers = (settings: Settings, setting: UrlSetting): Server[] =>
  splitHosts(settings[setting]).map(url => readServer(url, settings, databaseSettings[setting].variable));

/** Reads the URL of one server, and the files with certificates that it names. */
function readServer(url: string, settings: Settings, variable: string): Server {
  const query = readUrlParameters(url);
  const others = readUrlParameters(url);
  for (const name of ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs', 'channel_binding'])
    others.delete(name);
  const address = parse(`${url.split('?')[0]}?${others}`);
  const host = address.host ?? '';
  const parameters = readTlsParameters(url, settings);
  // TLS is not used on a Unix socket, whatever the mode.
  const isEncrypted = parameters.sslmode !== 'disable' && !host.startsWith('/');
  return {
    connection: {
      host,
      port: Number(address.port ?? 0),
      user: address.user ?? '',
      password: address.password ?? '',
      database: address.database ?? '',
      application_name: address.application_name,
      options: address.options,
      enableChannelBinding: ['prefer', 'require'].includes(query.get('channel_binding') ?? ''),
      ssl: isEncrypted && readTlsOptions(parameters, host, variable),
    },
    sslMode: parameters.sslmode,
  };
}

/** The variables by which a program of PostgreSQL connects as the service does. */
export function toProgramEnvironment(settings: Settings): Record<string, string> {
  const setting = settings.databaseDirectUrl ? 'databaseDirectUrl' : 'databaseUrl';
  const servers = readServers(settings, setting).map(({ connection }) => connection);
  const { user, password, database } = servers[0]!;
  const { sslmode, sslrootcert, sslcert, sslkey } = readTlsParameters(settings[setting], settings);
  const list = (values: (string | number)[]) => (values.some(Boolean) ? values.map(each => each || '').join(',') : '');
  const variables = {
    PGHOST: list(servers.map(({ host }) => host)),
    PGPORT: list(servers.map(({ port }) => port)),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGSSLMODE: sslmode,
    PGSSLROOTCERT: sslrootcert,
    PGSSLCERT: sslcert,
    PGSSLKEY: sslkey,
    // Of several servers the one that the service uses: the primary.
    PGCHANNELBINDING: readUrlParameters(settings[setting]).get('channel_binding') ?? '',
    PGTARGETSESSIONATTRS: servers.length > 1 ? 'read-write' : '',
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}

const connectTimeoutMs = 5_000;
/**
 * The servers of a URL. Where the mode is `allow` or `prefer`, the server decides whether connections are
 * encrypted: libpq tries both ways at each connection, this once for all connections of the process.
 */
export async function chooseConnections(settings: Settings, setting: UrlSetting): Promise<ServerConnection[]> {
  const servers = readServers(settings, setting);
  const connections = servers.map(({ connection }) => connection);
  const { sslMode, connection } = servers[0]!;
  if (!connection.ssl || (sslMode !== 'allow' && sslMode !== 'prefer')) return connections;
  const unencrypted = connections.map(each => ({ ...each, ssl: false as const }));
  const [first, second] = sslMode === 'allow' ? [unencrypted, connections] : [connections, unencrypted];
  return (await canConnectToAny(first)) ? first : second;
}

async function canConnectToAny(connections: ServerConnection[]): Promise<boolean> {
  let failure: unknown;
  for (const connection of connections)
    try {
      return await canConnect(connection);
    } catch (error) {
      failure = error;
    }
  throw failure;
}

/** Whether the server accepts a connection with or without TLS. Another error is that of every connection. */
async function canConnect(connection: ServerConnection): Promise<boolean> {
  const client = new pg.Client({ ...copyConnection(connection), connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    // 28000: no rule of pg_hba.conf allows a connection with or without TLS.
    if (code === '28000' || handshakeCodes.test(code) || message === noTlsMessage) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** Of its own for each pool and client: pg hides the key of what it gets, so that a later copy would lack it. */
export const copyConnection = (connection: ServerConnection): ServerConnection => ({
  ...connection,
  ssl: connection.ssl && { ...connection.ssl },
});
