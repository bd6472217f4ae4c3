import { once } from 'node:events';
import { createServer, request as requestHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Settings } from '../../../src/core/config.js';
import type { Database } from '../../../src/db/database.js';
import { storeFact } from '../../../src/server/monitoring/installation-facts.js';
import { checks } from '../../../src/server/doctor/checks.js';
import { runChecks } from '../../../src/server/doctor/doctor.js';
import { storeTarget } from '../../../src/notifications/page-channels/channel-target.js';
import { askPageHost } from '../../../src/server/doctor/service-checks.js';
import { openTestDatabase } from '../../support/database.js';
import { startDns } from '../../support/dns.js';
import { createDoctorContext } from '../../support/doctor.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const service = useService();

// Other test files use this service, too.
beforeAll(() => service.database.query('delete from custom_domain'));

const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

/** What a check says of the running service, or of another database. */
async function run(check: string, settings: Partial<Settings> = {}, opened: Promise<Database> | null = null) {
  const context = createDoctorContext(settings, { database: opened ?? Promise.resolve(service.database) });
  const [result] = await runChecks({ [check]: checks[check]! }, context);
  return `${result!.outcome}: ${result!.found}`;
}

test('a database of this version is found to be right', async () => {
  expect(await run('database')).toMatch(/^ok: The .*database.* answers: PostgreSQL \d+\.\d+.*, \d+ \wB\.$/);
  expect(await run('migrations')).toBe('ok: The database has the tables of this version.');
  expect(await run('custom domains')).toBe('skipped: No page has a custom domain.');
  const expected = onPostgres ? 'ok' : 'skipped';
  expect(await run('database rights')).toMatch(RegExp(`^${expected}: `));
  expect(await run('database clock')).toMatch(RegExp(`^${expected}: `));
  expect(await run('database TLS')).toMatch(RegExp(`^${expected}: `));
});

test('a process with another PUBLIC_URL, and the age of the last backup, are found', async () => {
  const { database } = service;
  await storeFact(database, 'public_url', 'https://status.example.com');
  expect(await run('other processes', { publicUrl: 'https://status.example.com' })).toMatch(/^ok: /);
  expect(await run('other processes', { publicUrl: 'https://status.example.org' })).toBe(
    'warning: The process that started last has the PUBLIC_URL https://status.example.com, and here it is ' +
      'https://status.example.org.',
  );
  await database.query(`delete from installation_fact where name = 'backup'`);
  expect(await run('backup')).toBe('skipped: `allclear backup` has made no backup of this database.');
  expect((await service.get('/metrics')).text).not.toMatch(/^all_clear_backup_age_seconds/m);
  await storeFact(database, 'backup', '/backups/one');
  expect(await run('backup')).toBe('ok: The last backup by `allclear backup` is 0.0 days old: /backups/one.');
  await database.query(`update installation_fact set stored_at = stored_at - interval '3 days' where name = 'backup'`);
  expect(await run('backup')).toMatch(/^warning: .* is 3\.0 days old/);
  // Requests within a quarter of a second share an answer.
  const hasAge = async () => /^all_clear_backup_age_seconds 2592\d\d/m.test((await service.get('/metrics')).text);
  await waitUntilEqual(hasAge, true);
});

(onPostgres ? test : test.skip)(
  'an append-only audit log is right, and a sequence that pg_dump may not read is found',
  async () => {
    const database = await openTestDatabase();
    const client = await database.connect();
    const name = `doctor_${process.pid}`;
    const check = () => {
      const query = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
      return run('database rights', {}, Promise.resolve({ ...database, query } as Database));
    };
    try {
      for (const statement of [
        `create role ${name}`,
        `grant all on schema public to ${name}`,
        `do $$ declare t text; begin for t in select tablename from pg_tables where schemaname = 'public'
         and tablename not in ('audit_entry', 'audit_change') loop
         execute format('alter table %I owner to ${name}', t); end loop; end $$`,
        `grant select, insert on audit_entry, audit_change to ${name}`,
        `grant usage on sequence audit_entry_id_seq, audit_change_id_seq to ${name}`,
        `set role ${name}`,
      ])
        await client.query(statement);
      expect(await check()).toBe(
        `failed: ${name} may not read all sequences, so that pg_dump and \`allclear backup\` fail.`,
      );
      await client.query('reset role');
      await client.query(`grant select on sequence audit_entry_id_seq, audit_change_id_seq to ${name}`);
      await client.query(`set role ${name}`);
      expect(await check()).toBe(`ok: ${name} may create and change tables. The audit log is append-only.`);
      await client.query('reset role');
      await client.query('alter table notice owner to current_user');
      await client.query(`set role ${name}`);
      expect(await check()).toBe(`failed: ${name} does not own notice, and so cannot migrate them.`);
    } finally {
      await client.query('reset role');
      await client.query(`reassign owned by ${name} to current_user`);
      await client.query(`drop owned by ${name}`);
      await client.query(`drop role ${name}`);
      client.release();
      await database.close();
    }
  },
);

test('a database that cannot be opened has failed, and what needs it is skipped', async () => {
  const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const rejected = () => Promise.reject<Database>(unreachable);
  expect(await run('database', { databaseUrl: 'postgres://db/name' }, rejected())).toBe(
    'failed: The database of DATABASE_URL does not respond: nothing listens at that address.',
  );
  expect(await run('migrations', {}, rejected())).toBe('skipped: The database is not open.');
  const none = Promise.resolve(null) as unknown as Promise<Database>;
  expect(await run('database', { dataDir: './data' }, none)).toMatch(/^skipped: There is no database in \.\/data yet/);
});

test('migrations that are pending, or of a newer version, are found', async () => {
  const database = await openTestDatabase();
  try {
    const check = () => run('migrations', {}, Promise.resolve(database));
    await database.query(`insert into migration (name, checksum) values ('29991231-newer', '')`);
    expect(await check()).toMatch(/^failed: The database has migrations that this version .*29991231-newer/);
    await database.query('delete from migration');
    expect(await check()).toMatch(/^ok: The database is empty/);
    await database.query('drop table migration, signing_key, custom_domain cascade');
    expect(await check()).toMatch(/^ok: The database is empty/);
    expect(await run('custom domains', {}, Promise.resolve(database))).toBe('skipped: The database has no tables yet.');
    const publicUrl = service.url.replace('127.0.0.1', 'localhost');
    expect(await run('public URL', { publicUrl }, Promise.resolve(database))).toMatch(
      /^failed: .* leads to an All Clear with another database/,
    );
  } finally {
    await database.close();
  }
});

test.each([
  ['verified', true, 'failed'],
  ['claimed', false, 'warning'],
])('a domain that is %s is looked up in DNS', async (_, isVerified, outcome) => {
  const dns = await startDns();
  const { database } = service;
  const { id } = await createPage(service);
  const domain = `status.${id}.example`;
  await database.query(
    `insert into custom_domain (page_id, domain, claimed_at, verified_at, proof_token, next_check_at, created_at, updated_at)
     values ($1, $2, now(), case when $3 then now() end, 'token', now(), now(), now())`,
    [id, domain, isVerified],
  );
  try {
    const settings = { dnsServers: [dns.address], publicUrl: 'https://status.example.com' };
    expect(await run('custom domains', settings)).toBe(`${outcome}: DNS does not prove ${domain}: nothing.`);
    dns.names.set(domain, { cname: `${id}.status.example.com` });
    expect(await run('custom domains', settings)).toBe(`ok: DNS proves ${domain}.`);
  } finally {
    await database.query('delete from custom_domain');
    await dns.stop();
  }
});

let proxy: Server | undefined;
afterEach(async () => {
  if (proxy) await new Promise(done => proxy!.close(done));
  proxy = undefined;
});

/** A reverse proxy that changes headers. Returns its URL. */
async function startProxy(change: Record<string, string>): Promise<string> {
  proxy = createServer((request, response) => {
    const headers = { ...request.headers, ...change };
    requestHttp(`${service.url}${request.url}`, { headers, agent: false }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    }).end();
  });
  await new Promise<void>(done => proxy!.listen(0, '127.0.0.1', done));
  return `http://localhost:${(proxy.address() as AddressInfo).port}`;
}

test('PUBLIC_URL leads to this installation', async () => {
  expect(await run('public URL', { publicUrl: await startProxy({}) })).toMatch(/^ok: .* leads to this installation/);
});

test.each([
  [{ host: '10.0.0.7' }, /^failed: The proxy sends the host 10\.0\.0\.7 in place of localhost/],
  [{ host: '10.0.0.7', 'x-forwarded-host': 'localhost' }, /^failed: .* X-Forwarded-Host header is ignored/],
  [{ 'x-forwarded-for': '198.51.100.7' }, /^warning: The X-Forwarded-For header of the proxy is ignored/],
])('a proxy that sends %j is reported', async (headers, expected) => {
  expect(await run('public URL', { publicUrl: await startProxy(headers) })).toMatch(expected);
});

test('a PUBLIC_URL that leads elsewhere is reported', async () => {
  proxy = createServer((request, response) =>
    request.url!.startsWith('/healthz')
      ? response.writeHead(301, { location: 'https://www.example.com/' }).end()
      : response.end('Welcome to nginx!'),
  );
  await new Promise<void>(done => proxy!.listen(0, '127.0.0.1', done));
  const publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  expect(await run('public URL', { publicUrl })).toMatch(/^failed: .* redirects to https:\/\/www\.example\.com\/\./);
  proxy.removeAllListeners('request').on('request', (_, response) => response.end('Welcome to nginx!'));
  expect(await run('public URL', { publicUrl })).toMatch(/^failed: .* does not lead to All Clear: it answers 200/);
  await new Promise(done => proxy!.close(done));
  proxy = undefined;
  expect(await run('public URL', { publicUrl })).toMatch(/^failed: .* cannot be reached from this machine/);
});

test('the path of the proof needs a challenge, and tells nothing of the database', async () => {
  expect((await service.get('/healthz/installation', { token: null })).status).toBe(400);
  const { json, status } = await service.get('/healthz/installation?challenge=0123456789abcdef', { token: null });
  expect([status, json]).toEqual([
    200,
    { proof: expect.stringMatching(/^[\w-]{43}$/), host: '127.0.0.1', forwardedFor: 'absent', forwardedHost: 'absent' },
  ]);
});

test('what answers in place of an identity provider is named', async () => {
  const other = createServer((_, response) => void response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const oidcIssuer = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  try {
    expect(await run('identity provider', { oidcIssuer, oidcClientId: 'x' })).toMatch(
      /^failed: http:\S+ does not answer as an OpenID Connect provider: .*response/,
    );
  } finally {
    other.close();
  }
});

test('a key that SECRETS_KEY lacks is found, before a start ends for it', async () => {
  const database = await openTestDatabase();
  const check = (secretsKey: string) => run('secrets', { secretsKey }, Promise.resolve(database));
  const [first, second] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string];
  try {
    expect(await check('')).toBe('warning: SECRETS_KEY is not set: the secrets of channels are stored in clear.');
    await database.query(`insert into page (id, name, created_at, updated_at) values ('0000000a', 'x', now(), now())`);
    const target = { url: 'https://hooks.slack.com/services/x' };
    await storeTarget(database.query, { secretsKey: first }, { pageId: '0000000a', channel: 'chatA', target });
    expect(await check(first)).toBe('ok: SECRETS_KEY decrypts all secrets.');
    expect(await check(`${second},${first}`)).toBe(
      'ok: SECRETS_KEY is set: the next start encrypts 1 secrets with its first key.',
    );
    for (const key of ['', second])
      expect(await check(key)).toMatch(/^failed: SECRETS_KEY lacks the key \w{8}, by which secrets of channels are/);
    expect(await check(first)).toMatch(/^ok: /);
  } finally {
    await database.close();
  }
});

test('what no process does in the background is found', async () => {
  const database = await openTestDatabase();
  const check = () => run('background', {}, Promise.resolve(database));
  try {
    expect(await check()).toBe('ok: Nothing is late that processes do in the background.');
    await database.query(
      `insert into channel_check (channel, due_at, announce_due_at)
       values ('email', now() - interval '11 minutes', now())`,
    );
    expect(await check()).toBe('warning: Mail or SMS has not been verified when it was due.');
  } finally {
    await database.close();
  }
});

test('the host of a page is asked for, and PUBLIC_URL is needed in production', async () => {
  const { id } = await createPage(service);
  const ask = (path: string) => askPageHost(fetch, `${service.url}${path}`, 'status.example.com');
  expect((await ask(`/status/${id}/`)).outcome).toBe('ok');
  expect((await ask('/status/00000000/')).found).toMatch(/ answers 404 in place of its page\.$/);
  expect(await run('page host', { publicUrl: 'http://localhost:3000' })).toMatch(/^skipped: /);
  expect(await run('page host', { publicUrl: 'http://status.invalid' })).toMatch(
    /^failed: http:\/\/[0-9a-f]{8}\.status\.invalid cannot be reached: ENOTFOUND\./,
  );
  const context = createDoctorContext({}, { environment: { NODE_ENV: 'production' } });
  context.settings.publicUrl = '';
  expect(await checks['public URL']!(context)).toMatchObject({ outcome: 'failed' });
});
