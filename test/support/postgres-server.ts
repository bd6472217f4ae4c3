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
  stop(): void;
}

/** Starts a server whose configuration a test may change. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-postgres-'));
  const port = await findFreePort();
  const environment = { ...process.env, POSTGRES_FOLDER: folder, POSTGRES_PORT: String(port) };
  const run = (command: string) =>
    execFileSync('scripts/postgres.sh', [command], { env: environment, stdio: 'pipe', encoding: 'utf8' });
  return {
    url: run('start').trim(),
    folder,
    data: join(folder, 'data'),
    port,
    restart() {
      run('fail');
      run('start');
    },
    stop: () => void run('stop'),
  };
}
