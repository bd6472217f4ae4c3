import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../src/core/logger.js';
import { DataDirectoryInUse, lockDataDirectory, sendToOwner } from '../../src/db/data-directory-lock.js';
import { startForwardProxy } from '../support/forward-proxy.js';
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

  test.each(['--help', 'start --help', 'token create --help'])(
    '%s prints its help, whatever the settings',
    async line => {
      const { code, printed, output } = await run(['dist/cli.js', ...line.split(' ')], { PORT: 'invalid' });
      expect([code, printed, output]).toEqual([0, expect.stringMatching(/^Usage: allclear /), printed]);
    },
  );

  test('--version prints that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await run(['dist/cli.js', '--version'])).toMatchObject({ code: 0, printed: `${version}\n` });
  });

  test.each([
    ['token', 'list'],
    ['backup', 'here'],
  ])('the command %s %s reports that there is none', async (...args) => {
    const { code, printed, output } = await run(['dist/cli.js', ...args]);
    expect([code, printed, output]).toEqual([
      1,
      '',
      `On the folder ${join(folder, 'missing')}:\nThere is no database in ${join(folder, 'missing')}. Check DATA_DIR.\n`,
    ]);
    expect(existsSync('here')).toBe(false);
  });

  test('doctor finds nothing that has failed', async () => {
    const { code, printed } = await run(['dist/cli.js', 'doctor']);
    expect([code, printed]).toEqual([0, expect.stringMatching(/^skipped {2}database {11}There is no database in /m)]);
  });

  test('requests of the process go through the proxy of the settings, in lower case, too', async () => {
    const proxy = await startForwardProxy(1);
    try {
      const environment = {
        http_proxy: proxy.url,
        NO_PROXY: 'localhost',
        SMS_URL: 'http://AC1:secret@sms.example',
        SMS_FROM: 'Status',
        OIDC_ISSUER: 'https://id.example',
        OIDC_CLIENT_ID: 'all-clear',
      };
      const { output } = await run(['dist/cli.js', 'doctor'], environment);
      expect(output).not.toContain('not a setting');
      expect(proxy.requests.map(({ line }) => line).sort()).toEqual([
        'CONNECT id.example:443',
        expect.stringMatching(/^(HEAD http:\/\/sms\.example\/|CONNECT sms\.example:80)$/),
      ]);
    } finally {
      await proxy.stop();
    }
  });

  test('an invalid command line says what is wrong', async () => {
    const { code, printed, output } = await run(['dist/cli.js', 'exprot', 'here']);
    expect([code, printed, output]).toEqual([2, '', expect.stringMatching(/^error: unknown command 'exprot'\n/)]);
  });

  test('an old Node is refused with a sentence', async () => {
    const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.11.1"})';
    const { code, output } = await run(['--import', old, 'dist/cli.js', 'start']);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^All Clear needs Node 24 or newer, and this is Node 20\.11\.1\. \S.*\n$/),
    ]);
    if (existsSync('node_modules/.bin/node')) expect(output).toContain(': node_modules/.bin/node dist/cli.js start\n');
  });

  test('a variable that is nearly a setting is reported, before the mistakes in the settings', async () => {
    const environment = { SMTP_URL: 'smtp://localhost', MAIL_FORM: 'secret@example.com' };
    const { code, output } = await run(['dist/cli.js', 'start'], environment);
    expect([code, output.replace(/^Starting All Clear \d\S+\.\n/, '')]).toEqual([
      1,
      'The variable MAIL_FORM is not a setting and has no effect. Did you mean MAIL_FROM?\n' +
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
      const mail =
        'Content-Type: message/delivery-status\n\nA: b\n\nAction: failed\nFinal-Recipient: rfc822; a@b.example\n';
      const read = await runScript(['dist/cli.js', 'bounce'], dataDir(), mail);
      expect(read).toMatchObject({ code: 0, printed: 'bounces: 0, complaints: 0, ignored: 1\n' });
    },
    manyProcessesMs,
  );

  test(
    'doctor checks the running service and its database, and changes nothing',
    async () => {
      const environment = { ...dataDir(), BOOTSTRAP_TOKEN: bootstrapToken };
      const service = await start({ ...environment, PUBLIC_URL: 'http://localhost:1' });
      const doctor = async (more: Record<string, string> = {}) => {
        const { code, printed } = await runScript(['dist/cli.js', 'doctor', '--json'], { ...environment, ...more });
        const results: { check: string; outcome: string; found: string }[] = JSON.parse(printed);
        return { code, outcomes: Object.fromEntries(results.map(({ check, outcome }) => [check, outcome])) };
      };
      // The settings are those of the service.
      expect(await doctor()).toMatchObject({
        code: 1,
        outcomes: { settings: 'ok', database: 'ok', migrations: 'ok', disk: 'ok', 'public URL': 'failed' },
      });
      await service.end();
      expect(await doctor()).toMatchObject({ code: 0, outcomes: { database: 'ok', 'public URL': 'skipped' } });
      expect(await doctor({ PORT: 'x' })).toEqual({ code: 1, outcomes: { settings: 'failed' } });
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
        while (other === undefined && Date.now() < until)
          other = await sendToOwner(ownFolder, '{"args":["token","list"],"directory":"/"}');
        const [lock] = await Promise.allSettled([lockDataDirectory(ownFolder, async () => '', createLogger('silent'))]);
        expect(JSON.parse(other!)).toEqual({
          code: 1,
          text: '',
          error: expect.stringMatching(/^Another command is running on this folder\./),
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
      const { code, output } = await runScript(['dist/cli.js', 'token', 'revoke', 'nope'], dataDir());
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^On the folder .*:\nThere is no valid token nope\.\n$/),
      ]);
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
