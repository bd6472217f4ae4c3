import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './process.js';

const [debianPrograms = ''] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();

/** Whether there are the programs of a PostgreSQL server: PGBIN is the folder of those from npm. */
export const hasPostgresPrograms = existsSync(join(process.env.PGBIN ?? debianPrograms, 'initdb'));

/** Whether there is the program that makes a standby, which the server from npm does not have. */
export const canCopyServers = existsSync(join(debianPrograms, 'pg_basebackup'));

export interface PostgresServer {
  folder: string;
  /** The data directory, in `folder`. */
  data: string;
  port: number;
  url: string;
  restart(): void;
  /** As a crash does. */
  kill(): void;
  /** Makes a standby the primary. */
  promote(): void;
  stop(): void;
}

/** Starts a server whose configuration a test may change. */
export const startPostgresServer = (): Promise<PostgresServer> => startServer({});

/** Starts a server of Debian and a standby of it. */
export async function startReplicatedServers(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await startServer({ PGBIN: debianPrograms });
  return {
    primary,
    standby: await startServer({ PGBIN: debianPrograms, POSTGRES_PRIMARY_PORT: String(primary.port) }),
  };
}

async function startServer(variables: Record<string, string>): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-postgres-'));
  const port = await findFreePort();
  const environment = { ...process.env, ...variables, POSTGRES_FOLDER: folder, POSTGRES_PORT: String(port) };
  const run = (command: string) =>
    execFileSync('scripts/postgres.sh', [command], { env: environment, stdio: 'pipe', encoding: 'utf8' });
  if (variables.POSTGRES_PRIMARY_PORT) run('standby');
  return {
    url: run('start').trim(),
    folder,
    data: join(folder, 'data'),
    port,
    restart() {
      run('fail');
      run('start');
    },
    kill: () => void run('fail'),
    promote: () => void run('promote'),
    stop: () => void run('stop'),
  };
}
