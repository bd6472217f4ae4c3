import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, removeDatabase } from './database.ts';
import { type Figures, measure, toFigures, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Writes docs/performance/alerts.md: how long alerts, visits and writes take while a monitor sends 10,000 alerts of 10
 * groups in a minute, on PostgreSQL and on the embedded database. Checks that each group has one draft, and that each
 * accepted alert is counted.
 */
const alerts = Number(process.env.ALERTS ?? 10_000);
const seconds = Number(process.env.ALERT_SECONDS ?? 60);
const groups = 10;
const fingerprints = 2_000;
const port = 25482;
const token = randomBytes(24).toString('base64url');
const base = `http://127.0.0.1:${port}`;
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

async function graphql<Data>(query: string, page: string): Promise<Data> {
  const body = JSON.stringify({ query, variables: { page } });
  const response = await fetch(`${base}/graphql`, { method: 'POST', headers, body });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 1_000));
  return data;
}

async function create(path: string, body: object): Promise<string> {
  const response = await fetch(`${base}/v1/pages${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { response: { id: string } }).response.id;
}

interface Beside {
  visits: Figures;
  writes: Figures;
}

/** Visits of the page and writes to it, until the time is over. */
async function measureBeside(page: string): Promise<Beside> {
  const until = performance.now() + seconds * 1000;
  const visit = async () => {
    const response = await fetch(`${base}/status/${page}/`);
    await response.text();
    if (!response.ok) throw new Error(`A visit was answered by ${response.status}.`);
  };
  const [visits, writes] = await Promise.all([
    measure(until, 20, visit),
    measure(until, 200, () => create(`/${page}/components`, { name: 'A component' })),
  ]);
  return { visits, writes };
}

interface Sent {
  outcomes: Record<string, number>;
  times: number[];
}

/** Sends them evenly over the time, whether or not those before were answered. */
async function sendAlerts(hook: string): Promise<Sent> {
  const outcomes: Record<string, number> = {};
  const times: number[] = [];
  const send = async (number: number) => {
    const alert = { title: `Disk ${number} is full`, status: 'firing', group: `group ${number % groups}` };
    const body = JSON.stringify({ alerts: [{ ...alert, fingerprint: `disk ${number % fingerprints}` }] });
    const startedAt = performance.now();
    const response = await fetch(hook, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    await response.text();
    times.push(performance.now() - startedAt);
    outcomes[response.status] = (outcomes[response.status] ?? 0) + 1;
  };
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  while (sent.length < alerts) {
    const due = ((performance.now() - startedAt) / 1000 / seconds) * alerts;
    while (sent.length < Math.min(due, alerts)) sent.push(send(sent.length));
    await sleep(5);
  }
  await Promise.all(sent);
  return { outcomes, times };
}

async function run(url: string | undefined): Promise<string> {
  const service = await startServer('dist/cli.js start', port, {
    DATA_DIR: mkdtempSync(join(tmpdir(), 'all-clear-bench-')),
    BOOTSTRAP_TOKEN: token,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '',
    ...(url && { DATABASE_URL: url }),
  });
  try {
    const page = await create('', { name: 'Bench' });
    const { createAlertSource } = await graphql<{ createAlertSource: { hookUrl: string } }>(
      'mutation($page: ID!) { createAlertSource(pageId: $page, input: { name: "A monitor" }) { hookUrl } }',
      page,
    );
    const hook = base + new URL(createAlertSource.hookUrl).pathname;
    const without = await measureBeside(page);
    const [beside, { outcomes, times }] = await Promise.all([measureBeside(page), sendAlerts(hook)]);
    const { drafts, alertGroups } = await graphql<{
      drafts: { totalCount: number };
      alertGroups: { nodes: { receivedCount: number }[] };
    }>(
      `query($page: ID!) {
        drafts(pageId: $page) { totalCount }
        alertGroups(pageId: $page) { nodes { receivedCount } }
      }`,
      page,
    );
    const counted = alertGroups.nodes.reduce((sum, { receivedCount }) => sum + receivedCount, 0);
    const accepted = Object.entries(outcomes).reduce((sum, [status, count]) => (status < '300' ? sum + count : sum), 0);
    if (drafts.totalCount !== groups || counted !== accepted) process.exitCode = 1;
    const answers = Object.entries(outcomes).map(([status, count]) => `${format(count)} × ${status}`);
    return `| | p50 ms | p95 ms | max ms |
|---|---|---|---|
${formatRow('visit without alerts', without.visits)}
${formatRow('visit beside the alerts', beside.visits)}
${formatRow('write without alerts', without.writes)}
${formatRow('write beside the alerts', beside.writes)}
${formatRow('an alert', toFigures(times))}

Answers: ${answers.join(', ')}. ${drafts.totalCount} drafts of ${groups} groups; ${format(counted)} alerts counted.`;
  } finally {
    service.kill();
    await once(service, 'exit');
  }
}

const format = (count: number): string => count.toLocaleString('en');

const formatRow = (name: string, { p50, p95, max }: Figures): string =>
  `| ${[name, ...[p50, p95, max].map(ms => ms.toFixed(0))].join(' | ')} |`;

try {
  const onPostgres = await run(await createDatabase());
  const embedded = await run(undefined);
  writeDocument(
    'alerts',
    `# Alerts

Generated by \`npm run bench -- alerts\`.

${format(alerts)} alerts of ${format(fingerprints)} fingerprints in ${groups} groups arrive in ${seconds} s, one a request, with the default
rate limits; the answers are not waited for. Beside them the page is visited, and a component is added to it 5 times a
second. Goal: one draft a group, and each accepted alert is counted: ${process.exitCode ? 'not met' : 'met'}.

## PostgreSQL

${onPostgres}

## Embedded database

${embedded}
`,
  );
} finally {
  removeDatabase();
}
