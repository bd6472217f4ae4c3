import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { readCpuTime } from './servers.ts';

const script = new URL('../scripts/postgres.sh', import.meta.url).pathname;
const environment = { POSTGRES_PORT: '25450', POSTGRES_FOLDER: '/tmp/all-clear-bench-pg', ...process.env };
const name = 'bench';

/** Creates an empty database on a separate PostgreSQL. */
export async function createDatabase(): Promise<string> {
  const url = execFileSync(script, ['start'], { env: environment, encoding: 'utf8' }).trim();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  return url.replace(/postgres$/, name);
}

export const removeDatabase = () => execFileSync(script, ['stop'], { env: environment });

/** Crashes PostgreSQL, and restarts it. */
export const failDatabase = () => execFileSync(script, ['fail'], { env: environment });
export const restartDatabase = () => execFileSync(script, ['start'], { env: environment });

/** Runs the statements of a file. */
export async function runFile(url: string, file: URL): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(readFileSync(file, 'utf8'));
  await client.end();
}

/** Fills the database, which the service has migrated. */
export async function seed(url: string, token: string): Promise<void> {
  await runFile(url, new URL('seed.sql', import.meta.url));
  await insertToken(url, token, 'viewer');
}

/** Inserts a token, the last before a measurement: then the planner gets to know the tables. */
export async function insertToken(url: string, token: string, role: 'viewer' | 'owner'): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const hash = createHash('sha256').update(token).digest('hex');
  await client.query(
    "insert into token (label, role, reads_everything, hash, created_at) values ('bench', $1, true, $2, clock_timestamp())",
    [role, hash],
  );
  await client.end();
  await analyze(url);
}

/** Lets the planner know the tables: connections plan again what they planned while these were empty. */
export async function analyze(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

export class DatabaseStatistics {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  static async open(url: string): Promise<DatabaseStatistics> {
    const client = new pg.Client(url);
    await client.connect();
    return new DatabaseStatistics(client);
  }

  async version(): Promise<string> {
    return (await this.client.query('show server_version')).rows[0].server_version.split(' ')[0];
  }

  /** CPU time of the backends of all connections, in microseconds. */
  async readCpuTime(): Promise<number> {
    const { rows } = await this.client.query('select pid from pg_stat_activity where datname = current_database()');
    return rows.reduce((sum, { pid }) => sum + readCpuTime(pid), 0);
  }

  close = () => this.client.end();
}
