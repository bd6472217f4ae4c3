import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const restoreInto = async (backup: string) => {
  const environment = await createEnvironment();
  const { code, printed } = await runScript(['dist/cli.js', 'restore', backup, '--verify'], environment);
  expect([code, printed]).toEqual([
    0,
    expect.stringMatching(/^The backup of \d{4}-\S+Z is restored\.\nAll \d+ rows are those of the backup\.\n$/),
  ]);
  return environment;
};

// A server from npm, which PGBIN names, comes without pg_dump, and refuses that of another version.
const hasPrograms =
  !process.env.PGBIN && ['pg_dump', 'pg_restore'].every(name => spawnSync(name, ['--version']).status === 0);
const whereBackedUp = server && !hasPrograms ? test.skip : test;

whereBackedUp(
  'a backup while four clients write has every acknowledged write from before it',
  async () => {
    const backup = join(folder, 'backup');
    await rehearseBackup(
      async environment => {
        const { code, printed } = await runScript(['dist/cli.js', 'backup', backup], environment);
        expect([code, printed]).toEqual([0, expect.stringContaining(`The backup is in ${backup}.`)]);
      },
      () => restoreInto(backup),
    );
    const again = await createEnvironment();
    const restored = await restoreInto(backup);
    const taken = await runScript(['dist/cli.js', 'backup', backup], { ...again, ...restored });
    expect([taken.code, taken.output]).toEqual([1, expect.stringContaining(`The folder ${backup} is not empty.\n`)]);
    const full = await runScript(['dist/cli.js', 'restore', backup], restored);
    expect([full.code, full.output]).toEqual([
      1,
      expect.stringMatching(/The database has tables\. Create an empty one|There is a database in .*\. Move .* away/),
    ]);
    // What is not as it was is named.
    const manifest = join(backup, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/("notice": \{\s+"rows": )\d+/, '$11'));
    const differs = await runScript(['dist/cli.js', 'restore', backup, '--verify'], await createEnvironment());
    expect([differs.code, differs.output]).toEqual([
      1,
      expect.stringMatching(/The database differs from the backup:\n {2}notice: \d+ rows in place of 1 rows\n/),
    ]);
    rmSync(manifest);
    const incomplete = await runScript(['dist/cli.js', 'restore', backup], again);
    expect([incomplete.code, incomplete.output]).toEqual([1, expect.stringContaining('is not a complete backup')]);
  },
  manyProcessesMs,
);

test(
  'a database is moved once no process uses it, and is complete there',
  async () => {
    const environment = await createEnvironment();
    const service = await start(environment);
    const { id } = await call(service, 'POST', '/v1/pages', { name: 'Meridian' });
    await call(service, 'POST', `/v1/pages/${id}/notices`, { subject: 'Before', initial_comment: 'Before' });
    const target = join(folder, 'moved');
    const used = await runScript(['dist/cli.js', 'move', '--to', target], environment);
    expect([used.code, used.output]).toEqual([1, expect.stringContaining('A process uses this database. Stop it')]);
    expect(await service.end()).toBe(0);
    const { code, printed, output } = await runScript(['dist/cli.js', 'move', '--to', target], environment);
    expect([code, printed]).toEqual([
      0,
      expect.stringMatching(/^All \d+ rows of \d+ tables are there, and compared\. Set DATA_DIR to /),
    ]);
    expect(output).toContain('move: 100 %\n');
    const moved = await start({ BOOTSTRAP_TOKEN: token, DATA_DIR: target });
    expect(await listNotices(moved, id)).toEqual(new Set(['Before']));
    await call(moved, 'POST', `/v1/pages/${id}/notices`, { subject: 'After', initial_comment: 'After' });
  },
  manyProcessesMs,
);

const onEmbedded = server ? test.skip : test;

onEmbedded(
  'a backup without a service neither opens nor migrates the database',
  async () => {
    const environment = await createEnvironment();
    const settings = createTestSettings({ dataDir: environment.DATA_DIR });
    const database = await openDatabase({ settings, entities, log: createLogger('silent') });
    await database.close();
    const backup = join(folder, 'backup-of-empty');
    expect((await runScript(['dist/cli.js', 'backup', backup], environment)).code).toBe(0);
    expect(readdirSync(backup).toSorted()).toEqual(['database', 'manifest.json']);
    const service = await start({ ...environment, DATA_DIR: backup });
    expect(service.output()).toContain('Creating the tables.\n');
  },
  manyProcessesMs,
);
