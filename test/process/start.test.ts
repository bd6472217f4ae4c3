import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findToken, hello, manyProcessesMs, runScript, useProcesses } from '../support/process.js';

const start = useProcesses();
const danglingLink = join(mkdtempSync(join(tmpdir(), 'all-clear-')), 'link');
symlinkSync('/nonexistent', danglingLink);
const longPath = join(tmpdir(), `all-clear-${'x'.repeat(120)}`);
afterAll(() => {
  rmSync(dirname(danglingLink), { recursive: true });
  rmSync(longPath, { recursive: true, force: true });
});

test('a start with invalid settings lists them all and exits', async () => {
  const { code, output } = await runScript(['dist/cli.js', 'start'], { PORT: 'x', BOOTSTRAP_TOKEN: 'short' });
  expect(code).toBe(1);
  expect(output).toMatch(/PORT: .*\n.*BOOTSTRAP_TOKEN: /);
  expect(output).not.toMatch(/^ +at /m);
});

test('the log of a start begins with the version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { url, output } = await start({ DATA_DIR: 'memory://', LOG_LEVEL: 'info' });
  const [announcement, logged] = output().split('\n');
  expect(announcement).toBe(`Starting All Clear ${version}.`);
  expect(JSON.parse(logged!)).toMatchObject({ version, msg: 'starting' });
  expect(await (await fetch(`${url}/healthz`)).text()).toBe(`ok ${version}\n`);
});

test('a separate worker on the embedded database exits with an explanation', async () => {
  const { code, output } = await runScript(['dist/cli.js', 'worker'], { DATA_DIR: 'memory://' });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^Starting the worker of All Clear \d\S+\.\nA separate worker needs DATABASE_URL\. .*\n$/),
  ]);
});

test.each([
  [
    'a port that is in use',
    (taken: string) => ({ PORT: taken, DATA_DIR: 'memory://' }),
    /^Port \d+ of 127\.0\.0\.1 is in use by another process\..*\n$/,
  ],
  [
    'a database that does not exist',
    () => ({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nothing', DATA_DIR: 'memory://' }),
    /^The database of DATABASE_URL does not respond.*\n$/,
  ],
  [
    'a HOST that has no address',
    () => ({ HOST: 'no-such-host.invalid', DATA_DIR: 'memory://' }),
    /^HOST \(no-such-host\.invalid\) cannot be found in DNS\..*\n$/,
  ],
  [
    'a socket that does not exist',
    () => ({ DATABASE_URL: 'postgres:///name?host=/nonexistent', DATA_DIR: 'memory://' }),
    /^The database of DATABASE_URL does not respond: there is no Unix socket at that path\.\n$/,
  ],
  [
    'a folder that may not be made',
    () => ({ DATA_DIR: '/sys/all-clear' }),
    /^This process (owns|cannot create) \/sys.*set DATA_DIR to a folder that it may write to\.\n$/,
  ],
  [
    'a folder that is a link to nowhere',
    () => ({ DATA_DIR: danglingLink }),
    /^DATA_DIR \(.*\) does not exist and cannot be made\.\n$/,
  ],
  ['a folder whose path is too long', () => ({ DATA_DIR: longPath }), /^DATA_DIR is too long: .*\n$/],
  [
    'a file of documents that is missing',
    () => ({ TRUSTED_DOCUMENTS: '/nonexistent', DATA_DIR: 'memory://' }),
    /^TRUSTED_DOCUMENTS: \/nonexistent cannot be read as JSON: .*\n$/,
  ],
  ['a folder that is a file', () => ({ DATA_DIR: 'package.json' }), /^DATA_DIR \(package\.json\) is not a folder\.\n$/],
])('a start with %s exits with one sentence', async (_name, environment, sentence) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const { code, output } = await runScript(
      ['dist/cli.js', 'start'],
      environment(String((other.address() as AddressInfo).port)),
    );
    expect([code, output.replace(/^Starting All Clear \d\S+\.\n(Creating the tables\.\n)?/, '')]).toEqual([
      1,
      expect.stringMatching(sentence),
    ]);
  } finally {
    other.close();
  }
});

test.each([
  ['invalid settings', { PORT: 'x' }, /^These settings are wrong:\n {2}PORT: .*\n$/],
  [
    'a database that does not exist',
    { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nothing' },
    /\nThe database of DATABASE_URL does not respond.*\n$/,
  ],
])('a command with %s exits with one sentence', async (_name, environment, sentence) => {
  const { code, output, printed } = await runScript(['dist/cli.js', 'token', 'list'], environment);
  expect([code, printed, output]).toEqual([1, '', expect.stringMatching(sentence)]);
  expect(output).not.toMatch(/^ +at |secret/m);
});

test('a first start that fails on its port creates no token, so that the next prints it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const failed = await runScript(['dist/cli.js', 'start'], {
      DATA_DIR: folder,
      PORT: String((other.address() as AddressInfo).port),
    });
    expect([failed.code, findToken(failed.output)]).toEqual([1, undefined]);
    const next = await start({ DATA_DIR: folder });
    expect(await hello(next.url, findToken(next.output())!)).toBe(200);
    await next.end();
  } finally {
    other.close();
    rmSync(folder, { recursive: true });
  }
});

describe('on the embedded database', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test(
    'a first start prints a token and a link, a second process exits, acknowledged writes survive SIGKILL',
    async () => {
      const first = await start({ DATA_DIR: folder });
      expect(first.output()).toMatch(
        /^Starting All Clear \d\S+\.\nSetting up a database in .*\nCreating the tables\.\nAll Clear listens/,
      );
      const token = findToken(first.output())!;
      expect(await hello(first.url, token)).toBe(200);
      const { url } = first;
      const [, origin, path] = /^ {2}(http:\/\/\S+?)(\/sign-in\/[\w-]{43})$/m.exec(first.output())!;
      const signedIn = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { origin: origin! },
        redirect: 'manual',
      });
      expect(signedIn.status).toBe(303);
      const viewer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          origin: origin!,
          cookie: signedIn.headers.get('set-cookie')!.split(';')[0]!,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query: '{ viewer { role person { email } } }' }),
      });
      expect(await viewer.json()).toEqual({
        data: { viewer: { role: 'OWNER', person: { email: 'owner@localhost' } } },
      });
      const made = await fetch(`${url}/v1/pages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: new URLSearchParams({ name: 'Stored' }),
      });
      expect(made.status).toBe(201);

      const second = await runScript(['dist/cli.js', 'start'], { DATA_DIR: folder, PORT: '0' });
      expect(second.code).toBe(1);
      expect(second.output).toMatch(/^Starting All Clear \d\S+\.\nAnother All Clear process uses the folder .*\n$/);

      await first.end('SIGKILL');
      const again = await start({ DATA_DIR: folder });
      expect(again.output()).toMatch(/^Starting All Clear \d\S+\.\nOpening the database in .*\nAll Clear listens/);
      expect(findToken(again.output())).toBeUndefined();
      expect(again.output()).not.toContain('/sign-in/');
      const pages = await fetch(`${again.url}/v1/pages`, { headers: { authorization: `Bearer ${token}` } });
      expect(await pages.json()).toMatchObject({ response: [{ name: 'Stored' }], count: 1 });
      expect(await again.end()).toBe(0);
    },
    manyProcessesMs,
  );

  test('SIGTERM ends the service although clients are idle, or in the middle of a request', async () => {
    const service = await start({ DATA_DIR: folder });
    const connections = ['', 'POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12'].map(sent => {
      const connection = connect(Number(new URL(service.url).port), '127.0.0.1');
      connection.on('error', () => {});
      if (sent) connection.write(sent);
      return connection;
    });
    await Promise.all(connections.map(connection => once(connection, 'connect')));
    expect(await service.end()).toBe(0);
  });

  test('a second signal ends the service at once', async () => {
    const service = await start({ DATA_DIR: folder });
    const connection = connect(Number(new URL(service.url).port), '127.0.0.1');
    connection.on('error', () => {});
    await once(connection, 'connect');
    service.process.kill('SIGTERM');
    // The service is stopping once it accepts no new connections.
    const isOpen = () =>
      fetch(service.url).then(
        () => true,
        () => false,
      );
    for (let attempts = 0; (await isOpen()) && attempts < 1_000; ) attempts += 1;
    expect(await service.end('SIGINT')).toBe(1);
  });

  test('a service whose folder is replaced while it runs exits with a sentence', async () => {
    const service = await start({ DATA_DIR: folder });
    const exit = once(service.process, 'exit');
    rmSync(join(folder, 'service.lock'));
    writeFileSync(join(folder, 'service.lock'), '');
    expect(await exit).toEqual([1, null]);
    expect(service.output()).toMatch(/\nThis process ends: another one uses the folder .*\n$/);
  });
});
