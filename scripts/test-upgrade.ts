import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { contract, createVersion, expand } from './upgrade-versions.ts';

/**
 * Upgrades a service of an earlier version to this one, one process at a time, while it is written to: no request may be
 * refused, and each subscriber gets each mail once.
 *   node scripts/test-upgrade.ts [ref]          from a commit, by default the last release: the newest tag v*
 *   node scripts/test-upgrade.ts --migrations   from this version over two more, each with a migration of this test: one
 *                                               that adds to the schema, and one that takes away what the version before
 *                                               the last had used
 * It needs `npm run build`. PostgreSQL is that of TEST_DATABASE_URL, or one that scripts/postgres.sh starts.
 */
const root = join(import.meta.dirname, '..');
const run = (command: string, args: string[], cwd = root) => execFileSync(command, args, { cwd, encoding: 'utf8' });
const isOverMigrations = process.argv[2] === '--migrations';
const ref = process.argv[2] ?? run('git', ['tag', '--list', 'v*', '--sort=-version:refname']).split('\n')[0];
if (!ref) {
  console.log('Skipped: there is no release yet, which a tag v* names. To upgrade from another commit, name it.');
  process.exit(0);
}

const token = 'a-token-of-the-upgrade-test-0123456789';
const subscriberCount = 5;
const requestsOfAPhase = 300;

const folder = mkdtempSync(join(tmpdir(), 'all-clear-upgrade-'));
const earlier = join(folder, 'earlier');
const children: ChildProcess[] = [];
/** The Message-ID of each mail that was received. */
const mails: string[] = [];
const mailServer = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    let text = '';
    stream
      .on('data', chunk => (text += chunk))
      .on('end', () => {
        mails.push(/^Message-ID: (.*)\r$/im.exec(text)![1]!);
        done();
      });
  },
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}

const administrationUrl = process.env.TEST_DATABASE_URL ?? run('scripts/postgres.sh', ['start']).trim();
const database = `all_clear_upgrade_${process.pid}`;
const databaseUrl = administrationUrl.replace(/\/\w+$/, `/${database}`);

async function query<Row>(sql: string, url = databaseUrl): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows as Row[];
}

/** The folders of the code of the versions, in the order of their release. */
function prepareVersions(): string[] {
  if (isOverMigrations)
    return [root, createVersion(folder, 'expand', [expand]), createVersion(folder, 'contract', [expand, contract])];
  console.log(`Building ${ref}: this takes a minute or two.`);
  run('git', ['worktree', 'add', '--detach', earlier, ref!]);
  run('npm', ['ci'], earlier);
  run('npm', ['run', '-s', 'build'], earlier);
  return [earlier, root];
}

const environment = (port: number) => ({
  PATH: process.env.PATH,
  DATABASE_URL: databaseUrl,
  DATA_DIR: mkdtempSync(join(folder, 'data-')),
  PORT: String(port),
  PUBLIC_URL: 'http://localhost:3000',
  BOOTSTRAP_TOKEN: token,
  SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
  MAIL_FROM: 'status@example.com',
  RATE_LIMIT: '0',
});

interface RunningService {
  origin: string;
  stop(): Promise<void>;
}

async function start(code: string): Promise<RunningService> {
  const port = await findFreePort();
  const child = spawn(process.execPath, ['dist/cli.js', 'start'], {
    cwd: code,
    env: environment(port),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The service of ${code} ended.`);
    await sleep(100);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    if (child.exitCode !== 0) failures.push(`the process ended with ${child.exitCode}`);
  };
  return { origin, stop };
}

const failures: string[] = [];
let requestCount = 0;
let publicationCount = 0;
/** What a load balancer knows to be ready. */
let targets: RunningService[] = [];

async function send(method: string, path: string, body?: object): Promise<{ id: string }> {
  const { origin } = targets[requestCount++ % targets.length]!;
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  }).catch((error: Error) => ({ ok: false, status: error.message, text: async () => String(error.cause) }));
  const text = await response.text();
  if (!response.ok) failures.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
  return response.ok && text.startsWith('{') ? JSON.parse(text).response : { id: '' };
}

/** What a team does with a notice, and its readers. */
async function handleIncident(page: string, component: string): Promise<void> {
  const notices = `/v1/pages/${page}/notices`;
  const { id } = await send('POST', notices, {
    type: 'unplanned',
    subject: 'Some card payments are declined',
    initial_comment: 'We are looking into it.',
    component_ids: [component],
    should_publish: true,
  });
  await send('POST', `${notices}/${id}/updates`, { content: 'The provider has confirmed it.' });
  await send('PATCH', `/v1/pages/${page}/components/${component}`, { description: `Since ${id}` });
  await send('GET', `${notices}?include=updates`);
  await send('GET', `/status/${page}/`);
  await send('POST', '/graphql', {
    query: `{ page(id: "${page}") { state notices(first: 5) { nodes { subject } } } }`,
  });
  await send('PATCH', `${notices}/${id}`, { state: 'resolved', should_publish: true });
  publicationCount += 3;
}

let isWriting = true;
async function write(): Promise<void> {
  const { id: page } = await send('POST', '/v1/pages', { name: 'Meridian Freight', send_notifications_by_email: true });
  const { id: component } = await send('POST', `/v1/pages/${page}/components`, { name: 'Card payments' });
  for (let number = 0; number < subscriberCount; number++)
    await send('POST', `/v1/pages/${page}/subscribers`, { email: `reader-${number}@example.com` });
  while (isWriting) await handleIncident(page, component);
}

async function runPhase(name: string, work: () => Promise<void> = async () => {}): Promise<void> {
  const requestsBefore = requestCount;
  const failuresBefore = failures.length;
  await work();
  while (requestCount - requestsBefore < requestsOfAPhase) await sleep(50);
  console.log(`${name}: ${requestCount - requestsBefore} requests, ${failures.length - failuresBefore} failures`);
}

/** Replaces a process by one of the next version. */
async function upgrade(before: RunningService, code: string): Promise<RunningService> {
  const name = isOverMigrations ? basename(code) : 'this version';
  await runPhase(`the version before, while and after ${name} migrates the database`, async () => {
    const migrate = spawn(process.execPath, ['dist/cli.js', 'migrate'], {
      cwd: code,
      env: environment(0),
      stdio: 'inherit',
    });
    const [exitCode] = await once(migrate, 'exit');
    if (exitCode !== 0) throw new Error('The migration failed.');
  });
  const after = await start(code);
  targets = [before, after];
  await runPhase('both versions');
  await runPhase(`${name} alone`, async () => {
    // The process that stops serves what comes while it says that it is not ready.
    const stopping = before.stop();
    targets = [after];
    await stopping;
  });
  return after;
}

try {
  const [first, ...others] = prepareVersions();
  await query(`create database ${database}`, administrationUrl);
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');

  let before = await start(first!);
  targets = [before];
  const writers = [write(), write()];
  await runPhase('the earlier version alone');
  for (const code of others) before = await upgrade(before, code);
  isWriting = false;
  await Promise.all(writers);

  const listDeliveries = () =>
    query<{ id: string; messageId: string; state: string; reason: string | null }>(
      'select id, message_id as "messageId", state, reason from delivery',
    );
  let deliveries = await listDeliveries();
  const isPending = ({ state }: { state: string }) => ['pending', 'sending', 'retrying'].includes(state);
  for (let tries = 0; tries < 300 && deliveries.some(isPending); tries++) {
    await sleep(100);
    deliveries = await listDeliveries();
  }
  const received = Map.groupBy(mails, id => id);
  console.log(`${publicationCount} publications, ${deliveries.length} deliveries, ${mails.length} mails`);
  if (deliveries.length !== publicationCount * subscriberCount)
    failures.push('A publication lacks deliveries, or has too many.');
  for (const { id, messageId, state, reason } of deliveries) {
    const count = received.get(messageId)?.length ?? 0;
    // An incident that is resolved replaces the messages that have not been sent.
    const expected = state === 'sent' ? 1 : reason === 'superseded' ? 0 : -1;
    if (count !== expected)
      failures.push(`The delivery ${id} is ${state} (${reason}), and its mail came ${count} times.`);
  }
  await before.stop();
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  mailServer.close();
  await query(`drop database if exists ${database} with (force)`, administrationUrl);
  if (!process.env.TEST_DATABASE_URL) run('scripts/postgres.sh', ['stop']);
  if (existsSync(earlier)) run('git', ['worktree', 'remove', '--force', earlier]);
  rmSync(folder, { recursive: true });
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length ? 1 : 0;
