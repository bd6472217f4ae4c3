import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locales } from '../src/i18n/locales.ts';
import { createDatabase, removeDatabase } from './database.ts';
import { type Figures, measure, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Writes docs/performance/floods.md: how long visitors and writers wait while somebody requests 600 expensive things a second:
 * months that no cache has, notices that do not exist, and forms to subscribe.
 */
const seconds = Number(process.env.FLOOD_SECONDS ?? 10);
const perSecond = Number(process.env.FLOOD_RATE ?? 600);
const port = 25475;
const token = randomBytes(24).toString('base64url');
const base = `http://127.0.0.1:${port}`;
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });
const maxVisitMs = 50;

function send(method: string, path: string, body = '', headers: Record<string, string> = {}): Promise<string> {
  return new Promise(done => {
    const sent = request({ port, path, method, agent, headers }, response => {
      response.resume();
      response.on('end', () => done(String(response.statusCode)));
    });
    sent.on('error', error => done(error.message));
    sent.end(body);
  });
}

async function create(path: string, body: object): Promise<string> {
  const response = await fetch(`${base}/v1/pages${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { response: { id: string } }).response.id;
}

/** The history of such a page has 140 months. */
async function createPage(name: string): Promise<string> {
  const id = await create('', { name });
  for (let number = 1; number <= 10; number++) await create(`/${id}/components`, { name: `Component ${number}` });
  const times = { state: 'resolved', began_at: '2015-03-01T10:00:00Z', ended_at: '2015-03-01T11:00:00Z' };
  await create(`/${id}/notices`, { subject: 'Long ago', initial_comment: 'It is over.', ...times });
  return id;
}

const toMonth = (number: number) => new Date(Date.UTC(2015, 2 + (number % 140))).toISOString().slice(0, 7);
const toLocale = (number: number) => locales[Math.floor(number / 140) % locales.length];
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

const floods: Record<string, (page: string, number: number) => Promise<string>> = {
  none: async () => 'nothing',
  'months of the page': (page, number) =>
    send('GET', `/status/${page}/history/${toMonth(number)}?lang=${toLocale(number)}`),
  'months before the page': (page, number) =>
    send('GET', `/status/${page}/history/${1970 + (number % 40)}-01?lang=${toLocale(number * 7)}`),
  'notices that do not exist': page => send('GET', `/status/${page}/notices/${randomBytes(8).toString('hex')}`),
  'forms to subscribe': (page, number) =>
    send('POST', `/status/${page}/subscribe`, `by=email&email=visitor-${number}%40example.com`, form),
};

async function flood(page: string, until: number, act: (page: string, number: number) => Promise<string>) {
  const outcomes: Record<string, number> = {};
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; performance.now() < until; ) {
    for (; number < ((performance.now() - startedAt) / 1000) * perSecond; number++)
      sent.push(
        act(page, number).then(outcome => {
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }),
      );
    await sleep(5);
  }
  await Promise.all(sent);
  return outcomes;
}

interface Row {
  flood: string;
  outcomes: Record<string, number>;
  visits: Figures;
  otherVisits: Figures;
  writes: Figures;
}

function renderRow({ flood, outcomes, visits, otherVisits, writes }: Row): string {
  const format = ({ p50, p95 }: Figures) => `${p50.toFixed(0)} / ${p95.toFixed(0)}`;
  const answers = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  return `| ${[flood, answers.join(', '), format(visits), format(otherVisits), format(writes)].join(' | ')} |`;
}

const renderTable = (name: string, rows: readonly Row[]) => `## ${name}

| requested | answers | visit of the page, p50 / p95 ms | visit of another page | write |
|---|---|---|---|---|
${rows.map(renderRow).join('\n')}
`;

async function run(settings: Record<string, string>): Promise<Row[]> {
  const service = await startServer('dist/cli.js start', port, {
    DATA_DIR: mkdtempSync(join(tmpdir(), 'all-clear-bench-')),
    BOOTSTRAP_TOKEN: token,
    LOG_LEVEL: 'silent',
    WORKER: 'false',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'status@example.com',
    ...settings,
  });
  const rows: Row[] = [];
  try {
    const page = await createPage('Flooded');
    const other = await createPage('Other');
    for (const [name, act] of Object.entries(floods)) {
      const until = performance.now() + seconds * 1000;
      const visit = async (id: string) => {
        const status = await send('GET', `/status/${id}/`, '', { 'Accept-Encoding': 'br' });
        if (status !== '200') throw new Error(`visit: ${status}`);
      };
      const write = () => create(`/${other}/notices`, { subject: 'Slow', initial_comment: 'Hm.', state: 'resolved' });
      const [outcomes, visits, otherVisits, writes] = await Promise.all([
        flood(page, until, act),
        measure(until, 10, () => visit(page)),
        measure(until, 10, () => visit(other)),
        measure(until, 100, write),
      ]);
      rows.push({ flood: name, outcomes, visits, otherVisits, writes });
    }
    return rows;
  } finally {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
  }
}

const databaseUrl = process.env.FLOOD_DATABASE_URL ?? (await createDatabase());
try {
  const postgresql = await run({ DATABASE_URL: databaseUrl });
  const embedded = await run({});
  const hold = [...postgresql, ...embedded].every(
    ({ visits, otherVisits }) => Math.max(visits.p50, otherVisits.p50) <= maxVisitMs,
  );
  writeDocument(
    'floods',
    `# Visitors who request expensive things

Generated by \`npm run bench -- floods\`.

${perSecond} requests a second for ${seconds} seconds, each for something that no cache has. Goal: half of the visits of a page take
at most ${maxVisitMs} ms: ${hold ? 'met' : 'not met'}. A write opens an incident on another page.

${renderTable('PostgreSQL', postgresql)}
${renderTable('Embedded database', embedded)}`,
  );
} finally {
  agent.destroy();
  if (!process.env.FLOOD_DATABASE_URL) removeDatabase();
}
