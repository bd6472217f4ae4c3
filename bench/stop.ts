import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase, removeDatabase } from './database.ts';
import { writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Measures how soon `stopPublication` halts messages to 100,000 recipients, and counts those that a mail server receives
 * after its answer: 0 must arrive. The last publication is the control: it is not stopped, and the same count must grow.
 */
const recipients = Number(process.env.BENCH_RECIPIENTS ?? 100_000);
/** How many messages have left when each publication is stopped. */
const stopAfter = [1, 5_000, 20_000];
const watchMs = 3_000;
const goalMs = 1_000;
const port = 25478;
const token = randomBytes(24).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));

interface Row {
  left: number;
  answerMs: number;
  sent: number;
  late: number;
}

const children: ChildProcess[] = [];
try {
  const sink = fork(new URL('mail-sink.ts', import.meta.url));
  children.push(sink);
  const [{ port: smtpPort }] = (await once(sink, 'message')) as [{ port: number }];
  const count = async () => {
    sink.send('count');
    return ((await once(sink, 'message')) as [{ mails: number }])[0].mails;
  };
  const url = await createDatabase();
  const service = await startServer('dist/main.js', port, {
    DATABASE_URL: url,
    DATA_DIR: folder,
    BOOTSTRAP_TOKEN: token,
    PUBLIC_URL: 'http://localhost:3000',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'status@example.com',
  });
  children.push(service);
  const rows: Row[] = [];
  for (const after of stopAfter) rows.push(await stopAPublication(await createPage(url), after, count));
  const before = await publishUntil(await createPage(url), 1_000, count);
  await sleep(watchMs);
  report(rows, (await count()) - before.now);
} finally {
  // The service first: it would report that the mail server is gone.
  for (const child of children.reverse()) child.kill();
  removeDatabase();
  rmSync(folder, { recursive: true, force: true });
}

async function graphql<Data>(query: string, variables: object): Promise<Data> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 1_000));
  return data;
}

/** Each publication has a page of its own: the deliveries that are skipped wait before later ones of their page. */
async function createPage(url: string): Promise<string> {
  const input = '{ name: "Large", sendNotificationsByEmail: true }';
  const query = `mutation { createPage(input: ${input}) { page { id } } }`;
  const { createPage: created } = await graphql<{ createPage: { page: { id: string } } }>(query, {});
  await addSubscribers(url, created.page.id);
  return created.page.id;
}

async function addSubscribers(url: string, pageId: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
    select $1, 'person.' || n || '@example.com', 'a measurement', now(), now(), now()
    from generate_series(1, $2::integer) n`,
    [pageId, recipients],
  );
  await client.query('vacuum analyze');
  await client.end();
}

/** Publishes, and returns when so many messages have arrived. */
async function publishUntil(pageId: string, messages: number, count: () => Promise<number>) {
  const before = await count();
  const query = `mutation($page: ID!) {
    openIncident(pageId: $page, input: { subject: "Payments fail", shouldPublish: true }) { publication { id } } }`;
  const { openIncident } = await graphql<{ openIncident: { publication: { id: string } } }>(query, { page: pageId });
  let now = before;
  for (const deadline = performance.now() + 120_000; now < before + messages; now = await count()) {
    if (performance.now() > deadline) throw new Error(`Only ${now - before} messages arrived.`);
    await sleep(5);
  }
  return { id: openIncident.publication.id, before, now };
}

async function stopAPublication(pageId: string, after: number, count: () => Promise<number>): Promise<Row> {
  const { id, before } = await publishUntil(pageId, after, count);
  const startedAt = performance.now();
  const query = 'mutation($id: ID!) { stopPublication(id: $id) { sentCount sendingCount } }';
  const { stopPublication } = await graphql<{ stopPublication: { sentCount: number; sendingCount: number } }>(query, {
    id,
  });
  const answerMs = performance.now() - startedAt;
  const atAnswer = await count();
  if (stopPublication.sendingCount || stopPublication.sentCount !== atAnswer - before)
    throw new Error(`${JSON.stringify(stopPublication)}, and ${atAnswer - before} messages arrived.`);
  await sleep(watchMs);
  return { left: after, answerMs, sent: stopPublication.sentCount, late: (await count()) - atAnswer };
}

function report(rows: Row[], withoutStop: number): void {
  const slowest = Math.max(...rows.map(({ answerMs }) => answerMs));
  const late = rows.reduce((sum, row) => sum + row.late, 0);
  const number = (value: number) => value.toLocaleString('en');
  writeDocument(
    'stop',
    `# How soon a publication is stopped

Generated by \`npm run bench:stop\`.

Messages of a publication leave for ${number(recipients)} recipients, to a mail server that accepts everything and counts. While they
do, \`stopPublication\` is called; the time is that until its answer. The number of messages in the answer is compared with
that of the mail server, which is asked again ${watchMs / 1_000} s later.

| messages that had left when it was called | ms until the answer | sent, by the answer and by the mail server | arrived after the answer |
|---|---|---|---|
${rows.map(row => `| at least ${number(row.left)} | ${row.answerMs.toFixed(0)} | ${number(row.sent)} | ${row.late} |`).join('\n')}

| | goal | this run | |
|---|---|---|---|
| ms until the answer, the slowest | at most ${number(goalMs)} | ${slowest.toFixed(0)} | ${slowest <= goalMs ? 'met' : 'not met'} |
| messages after the answer | 0 | ${late} | ${late === 0 ? 'met' : 'not met'} |

The control, a publication that is not stopped: ${number(withoutStop)} messages in the same ${watchMs / 1_000} s.
${withoutStop > 0 ? '' : '\nThe control failed: this run proves nothing.\n'}`,
  );
}
