import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../src/core/logger.js';
import { DataDirectoryInUse, lockDataDirectory, sendToOwner } from '../../src/db/data-directory-lock.js';
import { hello, manyProcessesMs, runScript, useProcesses } from '../support/process.js';

const start = useProcesses();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('without a database', () => {
  // Nothing may be created, whatever the command.
  afterEach(() => expect(readdirSync(folder)).toEqual([]));
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runScript([...args], { DATA_DIR: join(folder, 'missing'), ...environment });

  test.each([
    [['dist/main.js', '--help'], /^usage: npm start\n/],
    [['dist/worker.js', '--help'], /^usage: npm run worker\n/],
    [
      ['dist/cli.js', '--help'],
      /^usage: npm run token [\s\S]*usage: npm run backup [\s\S]*usage: npm run demo\n[\s\S]*usage: npm run export /,
    ],
    [['dist/cli.js', 'token', '--help'], /^usage: npm run token /],
    [['dist/cli.js', 'token', 'create', '--help'], /^usage: npm run token /],
    [['dist/cli.js', 'people', '--help'], /^usage: npm run people /],
    [['dist/cli.js', 'audit-log', '--help'], /^usage: npm run -s audit-log /],
    [['dist/cli.js', 'backup', '--help'], /^usage: npm run backup /],
    [['dist/cli.js', 'demo', '-h'], /^usage: npm run demo\n/],
    [['dist/cli.js', 'export', '--help'], /^usage: npm run export /],
  ])('%j prints its usage, whatever the settings, and does nothing else', async (args, usage) => {
    const { code, printed, output } = await run(args, { PORT: 'invalid' });
    expect([code, printed, output]).toEqual([0, expect.stringMatching(usage), printed]);
  });

  test.each([
    ['token', 'list'],
    ['backup', 'here'],
  ])('the command %s %s reports that there is none', async (...args) => {
    const { code, printed } = await run(['dist/cli.js', ...args]);
    expect([code, printed]).toEqual([1, `There is no database in ${join(folder, 'missing')}. Check DATA_DIR.\n`]);
    expect(existsSync('here')).toBe(false);
  });

  test('an invalid command prints a usage and fails', async () => {
    const { code, printed } = await run(['dist/cli.js', 'exprot', 'here']);
    expect([code, printed]).toEqual([1, expect.stringMatching(/^usage: npm run token /)]);
  });

  test.each(['dist/main.js', 'dist/worker.js', 'dist/cli.js'])(
    '%s stops with a sentence on an old Node',
    async script => {
      const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.11.1"})';
      const { code, output } = await run(['--import', old, script]);
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^All Clear needs Node 24 or newer, and this is Node 20\.11\.1\. \S.*\n$/),
      ]);
      if (existsSync('node_modules/.bin/node')) expect(output).toContain(`: node_modules/.bin/node ${script}\n`);
    },
  );

  test('a variable that is nearly a setting is reported, before the mistakes in the settings', async () => {
    const environment = { SMTP_URL: 'smtp://localhost', MAIL_FORM: 'secret@example.com' };
    const { code, output } = await run(['dist/main.js'], environment);
    expect([code, output]).toEqual([
      1,
      'Starting All Clear.\nThe variable MAIL_FORM is not a setting and has no effect. Did you mean MAIL_FROM?\n' +
        'These settings are wrong:\n  MAIL_FROM: must be set where SMTP_URL is\n',
    ]);
  });
});

describe('on the embedded database', () => {
  const dataDir = () => ({ DATA_DIR: join(folder, 'shared') });
  const bootstrapToken = 'a-bootstrap-token-of-40-characters-or-so';

  test(
    'tokens are created, listed and revoked while the service runs, with effect at once',
    async () => {
      const service = await start({ ...dataDir(), BOOTSTRAP_TOKEN: bootstrapToken });
      expect(service.output()).not.toContain('first token');
      expect(await hello(service.url, bootstrapToken)).toBe(200);
      const made = await runScript(['dist/cli.js', 'token', 'create', '--scope', 'read', 'my', 'laptop'], dataDir());
      const token = made.printed.split('\n')[0]!;
      expect(await hello(service.url, token)).toBe(200);
      const listed = await runScript(['dist/cli.js', 'token', 'list'], dataDir());
      const id = /^(\d+)\tread\tall pages\t.*\tvalid\tmy laptop$/m.exec(listed.printed)![1]!;
      expect(listed.printed).not.toContain(token);
      const revoked = await runScript(['dist/cli.js', 'token', 'revoke', id], dataDir());
      expect(revoked).toMatchObject({ code: 0, printed: `The token ${id} is revoked in all processes.\n` });
      expect(await hello(service.url, token)).toBe(401);
      expect((await runScript(['dist/cli.js', 'token', 'revoke', id], dataDir())).code).toBe(1);
    },
    manyProcessesMs,
  );

  test(
    'the audit log is printed part by part while the service runs',
    async () => {
      const service = await start({ ...dataDir(), BOOTSTRAP_TOKEN: bootstrapToken });
      const create = async (name: string) => {
        const response = await fetch(`${service.url}/v1/pages`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bootstrapToken}` },
          body: new URLSearchParams({ name }),
        });
        expect(response.status).toBe(201);
      };
      // More than one part, each longer than a request may be.
      for (let number = 0; number < 1_010; number += 10)
        await Promise.all(Array.from({ length: 10 }, (_, index) => create(`Page ${number + index}`)));
      const { code, printed } = await runScript(['dist/cli.js', 'audit-log'], dataDir());
      expect(code).toBe(0);
      const lines = printed.trimEnd().split('\n');
      expect(new Set(lines.map(line => JSON.parse(line).id)).size).toBe(lines.length);
      expect(lines.filter(line => line.includes('createPage')).length).toBeGreaterThanOrEqual(1_010);
      const { id } = JSON.parse(lines.at(-3)!);
      const rest = await runScript(['dist/cli.js', 'audit-log', '--after', id], dataDir());
      expect(rest.printed).toBe(`${lines.slice(-2).join('\n')}\n`);
    },
    manyProcessesMs,
  );

  test(
    'a command without a service locks the folder against other commands and starts',
    async () => {
      const ownFolder = mkdtempSync(join(tmpdir(), 'all-clear-'));
      try {
        const demo = runScript(['dist/cli.js', 'demo'], { DATA_DIR: ownFolder });
        const until = Date.now() + 100_000;
        // What another command and a start do. To run them as processes could take longer than the first command. The
        // socket exists a moment before it accepts connections.
        let other: string | undefined;
        while (other === undefined && Date.now() < until) other = await sendToOwner(ownFolder, '["token","list"]');
        const [lock] = await Promise.allSettled([lockDataDirectory(ownFolder, async () => '', createLogger('silent'))]);
        expect(JSON.parse(other!)).toEqual({
          code: 1,
          text: expect.stringMatching(/^Another command is running on this folder\./),
        });
        expect((lock as PromiseRejectedResult).reason).toBeInstanceOf(DataDirectoryInUse);
        expect((await demo).code).toBe(0);
        expect(await runScript(['dist/cli.js', 'token', 'list'], { DATA_DIR: ownFolder })).toMatchObject({
          code: 0,
          printed: 'There are no tokens.\n',
        });
      } finally {
        rmSync(ownFolder, { recursive: true });
      }
    },
    manyProcessesMs,
  );

  test(
    'a token and the demonstration page created without a service are there at the next start',
    async () => {
      const made = await runScript(['dist/cli.js', 'token', 'create'], dataDir());
      const { code, printed } = await runScript(['dist/cli.js', 'token', 'revoke', 'nope'], dataDir());
      expect([code, printed]).toEqual([1, 'There is no valid token nope.\n']);
      const demo = await runScript(['dist/cli.js', 'demo'], dataDir());
      expect(demo).toMatchObject({
        code: 0,
        printed: expect.stringMatching(/^The demonstration page is [0-9a-f]{8}: /),
      });
      const service = await start(dataDir());
      expect(await hello(service.url, made.printed.split('\n')[0]!)).toBe(200);
    },
    manyProcessesMs,
  );
});

test('the first build says that it takes a few seconds, and later ones say nothing', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { build: string } };
  const [announcement] = scripts.build.split(';');
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  try {
    const announce = () => spawnSync('sh', ['-c', announcement!], { cwd: folder, encoding: 'utf8' }).stderr;
    expect(announce()).toMatch(/^Compiling the service: this takes a few seconds/);
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/.tsbuildinfo'), '');
    expect(announce()).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
