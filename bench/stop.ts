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
 * after its answer: 0 must arrive. Then, how soon the first message of the next publication of the same page leaves, while
 * those of the stopped one are still being skipped. The last publication is the control: it is not stopped, and the same
 * count must grow.
 */
const recipients = Number(process.env.BENCH_RECIPIENTS ?? 100_000);
/** How many messages have left when each publication is stopped. */
const stopAfter = [1, 5_000, 20_000];
const watchMs = 3_000;
const goalMs = 1_000;
/** Until the first message of the next publication: its first recipients are found in that time, too. */
const nextGoalMs = 2_000;
const port = 25478;
const token = randomBytes(24).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));

interface Row {
  left: number;
  answerMs: number;
  sent: number;
  late: number;
}

interface Next {
  firstMs: number;
  /** Deliveries of the stopped publication that were still to be skipped when the message arrived. */
  unskipped: number;
  skippedMs: number;
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
  const service = await startServer('dist/cli.js start', port, {
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
  const next = await stopAndPublish(await createPage(url), count);
  const before = await publishUntil(await createPage(url), 1_000, count);
  await sleep(watchMs);
  report(rows, next, (await count()) - before.now);
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

/** Each publication that is stopped has a page of its own. */
async function createPage(url: string): Promise<string> {
  const input = '{ name: "Large", shouldSendNotificationsByEmail: true }';
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

async function stop(id: string, before: number, count: () => Promise<number>) {
  const startedAt = performance.now();
  const query = 'mutation($id: ID!) { stopPublication(id: $id) { sentCount sendingCount } }';
  const { stopPublication } = await graphql<{ stopPublication: { sentCount: number; sendingCount: number } }>(query, {
    id,
  });
  const answerMs = performance.now() - startedAt;
  const atAnswer = await count();
  if (stopPublication.sendingCount || stopPublication.sentCount !== atAnswer - before)
    throw new Error(`${JSON.stringify(stopPublication)}, and ${atAnswer - before} messages arrived.`);
  return { answerMs, atAnswer, sent: stopPublication.sentCount };
}

async function stopAPublication(pageId: string, after: number, count: () => Promise<number>): Promise<Row> {
  const { id, before } = await publishUntil(pageId, after, count);
  const { answerMs, atAnswer, sent } = await stop(id, before, count);
  await sleep(watchMs);
  return { left: after, answerMs, sent, late: (await count()) - atAnswer };
}

/** Stops a publication whose deliveries exist, and publishes the next one of its page at once. */
async function stopAndPublish(pageId: string, count: () => Promise<number>): Promise<Next> {
  const { id, before } = await publishUntil(pageId, stopAfter[1]!, count);
  await stop(id, before, count);
  const startedAt = performance.now();
  const next = await publishUntil(pageId, 1, count);
  const firstMs = performance.now() - startedAt;
  const unskipped = await countUnskipped(pageId, id);
  await stop(next.id, next.before, count);
  const deadline = performance.now() + 120_000;
  while ((await countUnskipped(pageId, id)) > 0) {
    if (performance.now() > deadline) throw new Error('Not all deliveries of the stopped publication were skipped.');
    await sleep(50);
  }
  return { firstMs, unskipped, skippedMs: performance.now() - startedAt };
}

/** Deliveries that are neither sent nor skipped. */
async function countUnskipped(pageId: string, id: string): Promise<number> {
  const query = 'query($page: ID!, $id: ID!) { publication(pageId: $page, id: $id) { counts { state count } } }';
  const { publication } = await graphql<{ publication: { counts: { state: string; count: number }[] } }>(query, {
    page: pageId,
    id,
  });
  const isFinished = ({ state }: { state: string }) => state === 'SENT' || state === 'SKIPPED';
  return publication.counts.reduce((sum, row) => sum + (isFinished(row) ? 0 : row.count), 0);
}

function report(rows: Row[], { firstMs, unskipped, skippedMs }: Next, withoutStop: number): void {
  const slowest = Math.max(...rows.map(({ answerMs }) => answerMs));
  const late = rows.reduce((sum, row) => sum + row.late, 0);
  const number = (value: number) => Math.round(value).toLocaleString('en');
  writeDocument(
    'stop',
    `# How soon a publication is stopped

Generated by \`npm run bench -- stop\`.

Messages of a publication leave for ${number(recipients)} recipients, to a mail server that accepts everything and counts. While they
do, \`stopPublication\` is called; the time is that until its answer. The number of messages in the answer is compared with
that of the mail server, which is asked again ${watchMs / 1_000} s later.

| messages that had left when it was called | ms until the answer | sent, by the answer and by the mail server | arrived after the answer |
|---|---|---|---|
${rows.map(row => `| at least ${number(row.left)} | ${row.answerMs.toFixed(0)} | ${number(row.sent)} | ${row.late} |`).join('\n')}

Right after such an answer the next incident of the same page is published. Its first message arrives ${number(firstMs)} ms after that
call, while ${number(unskipped)} deliveries of the stopped publication are still to be skipped; all are skipped ${number(skippedMs)} ms after it.

| | goal | this run | |
|---|---|---|---|
| ms until the answer, the slowest | at most ${number(goalMs)} | ${slowest.toFixed(0)} | ${slowest <= goalMs ? 'met' : 'not met'} |
| ms until the first message of the next publication | at most ${number(nextGoalMs)} | ${number(firstMs)} | ${firstMs <= nextGoalMs ? 'met' : 'not met'} |
| messages after the answer | 0 | ${late} | ${late === 0 ? 'met' : 'not met'} |

The control, a publication that is not stopped: ${number(withoutStop)} messages in the same ${watchMs / 1_000} s.
${withoutStop > 0 ? '' : '\nThe control failed: this run proves nothing.\n'}`,
  );
}
