import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createLogger } from '../../../src/core/logger.js';
import { openDatabase } from '../../../src/db/database.js';
import { entities } from '../../../src/entities.js';
import { type RunningProcess, runScript, useProcesses } from '../../support/process.js';
import { createTestSettings } from '../../support/settings.js';

/** Backup, restore and upgrade as docs/operations.md describes them, with the programs that operators run. */

const start = useProcesses();
const manyProcessesMs = 240_000;
const token = 'a-bootstrap-token-of-40-characters-or-so';

let folder: string;
const databases: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
});
afterAll(async () => {
  for (const name of databases) await onServer(`drop database if exists ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

const server = process.env.TEST_DATABASE_URL;

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** The variables of a service with an empty database of its own. */
async function createEnvironment(): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const environment = { DATA_DIR: dataDir, BOOTSTRAP_TOKEN: token };
  if (!server) return environment;
  const name = `test_${randomBytes(6).toString('hex')}`;
  databases.push(name);
  await onServer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { ...environment, DATABASE_URL: url.href };
}

async function call(service: RunningProcess, method: string, path: string, body?: object, bearer = token) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const json = (await response.json()) as { response: { id: number; subject: string } & Record<string, unknown> };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(json)}`);
  return json.response;
}

/** Opens incidents from several clients until it is stopped. Returns the subjects that were acknowledged. */
function startWriting(service: RunningProcess, pageId: unknown) {
  const acknowledged: string[] = [];
  let isStopped = false;
  const write = async (client: number) => {
    for (let number = 1; !isStopped; number += 1) {
      const subject = `Notice ${number} of client ${client}`;
      await call(service, 'POST', `/v1/pages/${pageId}/notices`, { subject, initial_comment: subject });
      acknowledged.push(subject);
    }
  };
  const running = [1, 2, 3, 4].map(write);
  return {
    acknowledged,
    waitFor: async (count: number) => {
      const until = Date.now() + 60_000;
      while (acknowledged.length < count && Date.now() < until) await new Promise(done => setTimeout(done, 10));
      expect(acknowledged.length).toBeGreaterThanOrEqual(count);
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** The subjects of all notices, each with its update. */
async function listNotices(service: RunningProcess, pageId: unknown): Promise<Set<string>> {
  const subjects = new Set<string>();
  for (let page = 1; ; page += 1) {
    const path = `/v1/pages/${pageId}/notices?per_page=100&page=${page}&include=updates`;
    const notices = (await call(service, 'GET', path)) as unknown as {
      subject: string;
      updates: { content: string }[];
    }[];
    for (const { subject, updates } of notices) {
      expect(updates.map(({ content }) => content)).toEqual([subject]);
      subjects.add(subject);
    }
    if (notices.length < 100) return subjects;
  }
}

/** Backs up while four clients write, restores, and compares. */
async function rehearseBackup(
  backUp: (environment: Record<string, string>) => Promise<void>,
  restore: () => Promise<Record<string, string>>,
): Promise<void> {
  const environment = await createEnvironment();
  const service = await start(environment);
  const { id } = await call(service, 'POST', '/v1/pages', { name: 'Meridian' });
  const writing = startWriting(service, id);
  await writing.waitFor(40);
  const before = [...writing.acknowledged];
  await backUp(environment);
  await writing.waitFor(writing.acknowledged.length + 20);
  await writing.stop();
  expect(await service.end()).toBe(0);

  const restored = await start(await restore());
  const notices = await listNotices(restored, id);
  expect(before.filter(subject => !notices.has(subject))).toEqual([]);
  const after = await call(restored, 'POST', `/v1/pages/${id}/notices`, { subject: 'After the restore' });
  expect(after.subject).toBe('After the restore');
  expect(await restored.end()).toBe(0);
}

const onEmbedded = server ? test.skip : test;

onEmbedded(
  'a backup of the embedded database while it is written has every acknowledged write from before it',
  async () => {
    const backup = join(folder, 'backup');
    await rehearseBackup(
      async environment => {
        const { code, printed } = await runScript(['dist/cli.js', 'backup', backup], environment);
        expect([code, printed]).toEqual([0, expect.stringContaining(`The database is in ${backup}`)]);
      },
      async () => {
        const environment = await createEnvironment();
        cpSync(backup, environment.DATA_DIR!, { recursive: true });
        return environment;
      },
    );
    const again = await runScript(['dist/cli.js', 'backup', backup], { DATA_DIR: backup });
    expect([again.code, again.output]).toEqual([1, expect.stringContaining(`The folder ${backup} is not empty.\n`)]);
  },
  manyProcessesMs,
);

onEmbedded(
  'a backup without a service neither opens nor migrates the database',
  async () => {
    const environment = await createEnvironment();
    const settings = createTestSettings({ dataDir: environment.DATA_DIR });
    const database = await openDatabase({ settings, entities, log: createLogger('silent') });
    await database.close();
    const backup = join(folder, 'backup-of-empty');
    expect((await runScript(['dist/cli.js', 'backup', backup], environment)).code).toBe(0);
    expect(readdirSync(backup)).toEqual(['database']);
    const service = await start({ ...environment, DATA_DIR: backup });
    expect(service.output()).toContain('Creating the tables.\n');
  },
  manyProcessesMs,
);

const findProgram = (name: string) =>
  [...(process.env.PATH ?? '').split(':'), ...globSync('/usr/lib/postgresql/*/bin').toSorted().reverse()]
    .map(directory => join(directory, name))
    .find(path => existsSync(path));
const pgDump = findProgram('pg_dump');
const pgRestore = findProgram('pg_restore');
const onPostgres = server && pgDump && pgRestore ? test : test.skip;

function runProgram(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

onPostgres(
  'a dump of PostgreSQL while it is written has every acknowledged write from before it',
  async () => {
    const dump = join(folder, 'all-clear.dump');
    await rehearseBackup(
      async ({ DATABASE_URL }) =>
        runProgram(pgDump!, ['--format=custom', `--file=${dump}`, `--dbname=${DATABASE_URL}`]),
      async () => {
        const environment = await createEnvironment();
        runProgram(pgRestore!, ['--no-owner', '--exit-on-error', `--dbname=${environment.DATABASE_URL}`, dump]);
        return environment;
      },
    );
  },
  manyProcessesMs,
);
