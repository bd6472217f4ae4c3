import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './process.js';

/** Whether this machine has the programs of a PostgreSQL server. */
export const hasPostgresPrograms = globSync('/usr/lib/postgresql/*/bin/initdb').length > 0;

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

/** Starts a server whose configuration a test may change, or a standby of another. */
export async function startPostgresServer(primary?: PostgresServer): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-postgres-'));
  const port = await findFreePort();
  const environment = {
    ...process.env,
    POSTGRES_FOLDER: folder,
    POSTGRES_PORT: String(port),
    POSTGRES_PRIMARY_PORT: String(primary?.port),
  };
  const run = (command: string) =>
    execFileSync('scripts/postgres.sh', [command], { env: environment, stdio: 'pipe', encoding: 'utf8' });
  if (primary) run('standby');
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
