import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase, removeDatabase, seed } from './database.ts';
import { type Figures, toFigures, writeDocument } from './figures.ts';
import { load, type Target } from './load.ts';
import { requestPage, saveResponse } from './page-response.ts';
import { startServer } from './servers.ts';
import { warmUpSeconds } from './settings.ts';

/**
 * Measures 10,000 watchers of a page: how soon an event reaches them, how much memory they take, and how fast the page is
 * served beside them, relative to bare node:http in the same round. Bare node:http sends events to as many.
 */
const watchers = Number(process.env.BENCH_WATCHERS ?? 10_000);
const changes = 20;
const rounds = Number(process.env.BENCH_ROUNDS ?? 8);
const goals = { delayMs: 250, throughput: 0.9 };
const limitPort = 25471;
const servicePort = 25472;
const eventLimitPort = 25473;
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
const token = randomBytes(24).toString('base64url');
const service = `http://127.0.0.1:${servicePort}`;
const page = `${service}/status/00000001/`;
const headers = { Host: 'localhost', 'Accept-Encoding': 'br' };

const children: ChildProcess[] = [];
try {
  const url = await createDatabase();
  const running = await startServer('dist/cli.js start', servicePort, {
    DATABASE_URL: url,
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: folder,
    BOOTSTRAP_TOKEN: token,
    // Streams may take half of the connections.
    MAX_CONNECTIONS: String(watchers * 2 + 1_000),
  });
  children.push(running);
  await seed(url, token);
  children.push(
    await startServer('bench/page-limit.ts', limitPort, saveResponse(folder, await requestPage(page, headers))),
  );
  const targets: [Target, Target] = [
    { name: 'bare node:http', url: `http://127.0.0.1:${limitPort}/`, headers },
    { name: 'the page', url: page, headers },
  ];
  for (const target of targets) await load(target, warmUpSeconds);
  const alone = await measureThroughput(targets);

  const client = new pg.Client(url);
  await client.connect();
  const watched = await watch(running, `${page}events`, (clients, number) => measureChange(client, clients, number));
  const beside = await measureThroughput(targets);
  await client.end();
  watched.clients.disconnect();
  const bare = await startServer('bench/live-bare-server.ts', eventLimitPort, {});
  children.push(bare);
  const limit = await watch(bare, `http://127.0.0.1:${eventLimitPort}/events`, measureBareEvent);
  limit.clients.disconnect();
  report({ alone, beside, watched, limit });
} finally {
  for (const child of children) child.kill();
  removeDatabase();
  rmSync(folder, { recursive: true, force: true });
}

interface Watched {
  /** Still connected. */
  clients: ChildProcess;
  delays: Figures;
  /** More memory of the server: once all are connected, and after the events. */
  megabytes: number;
  megabytesAfter: number;
}

/** Connects the watchers to a server, and measures events. */
async function watch(
  server: ChildProcess,
  url: string,
  measureEvent: (clients: ChildProcess, number: number) => Promise<number[]>,
): Promise<Watched> {
  const before = readMegabytes(server.pid!);
  const clients = fork(new URL('live-watchers.ts', import.meta.url), {
    env: { ...process.env, URL: url, WATCHERS: String(watchers) },
  });
  children.push(clients);
  await once(clients, 'message');
  const megabytes = readMegabytes(server.pid!) - before;
  const delays: number[] = [];
  for (let number = 0; number < changes; number++) {
    delays.push(...(await measureEvent(clients, number)));
    await sleep(500);
  }
  return { clients, delays: toFigures(delays), megabytes, megabytesAfter: readMegabytes(server.pid!) - before };
}

/** Has the bare server send an event, and returns the milliseconds until it is at each watcher. */
async function measureBareEvent(clients: ChildProcess): Promise<number[]> {
  const arrived = once(clients, 'message') as Promise<[{ times: number[] }]>;
  const response = await fetch(`http://127.0.0.1:${eventLimitPort}/events`, { method: 'POST' });
  const { sentAt } = (await response.json()) as { sentAt: number };
  const [{ times }] = await arrived;
  return times.map(time => time - sentAt);
}

/** The requests per second of the page, relative to bare node:http in the same round. */
async function measureThroughput([limit, target]: [Target, Target]): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const reference = await load(limit, 1);
    const run = await load(target, 1);
    if (run.errors) throw new Error(`${run.errors} requests failed`);
    ratios.push(run.perSecond / reference.perSecond);
  }
  return toFigures(ratios).p50;
}

/** Changes the page, and returns the milliseconds from the end of the transaction until its event is at each watcher. */
async function measureChange(client: pg.Client, clients: ChildProcess, number: number): Promise<number[]> {
  const arrived = once(clients, 'message') as Promise<[{ id: string; times: number[] }]>;
  const response = await fetch(`${service}/v1/pages/00000001/notices`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ subject: `Change ${number}`, initial_comment: 'It is slow.' }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const [{ id, times }] = await arrived;
  // The last statement before the commit inserts it.
  const { rows } = await client.query(
    "select extract(epoch from created_at) * 1000 as time from page_change where page_id = '00000001' and change_count = $1",
    [id],
  );
  return times.map(time => time - Number(rows[0].time));
}

function readMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

interface Measured {
  alone: number;
  beside: number;
  watched: Watched;
  limit: Watched;
}

function report({ alone, beside, watched, limit }: Measured): void {
  const { delays, megabytes, megabytesAfter } = watched;
  const memory = Math.max(megabytes, megabytesAfter);
  const limitMegabytes = Math.max(limit.megabytes, limit.megabytesAfter);
  const share = beside / alone;
  const rows: [what: string, goal: string, value: string, isMet: boolean][] = [
    [
      'from the commit to the client, 19 of 20 (ms)',
      `at most ${goals.delayMs}`,
      delays.p95.toFixed(0),
      delays.p95 <= goals.delayMs,
    ],
    [
      'more memory of the service (MB)',
      `at most the ${limitMegabytes.toFixed(0)} of bare \`node:http\``,
      memory.toFixed(0),
      memory <= limitMegabytes,
    ],
    [
      'requests of the page per second, relative to those without watchers',
      `at least ${goals.throughput}`,
      share.toFixed(2),
      share >= goals.throughput,
    ],
  ];
  writeDocument(
    'live',
    `# Watchers of a page

Generated by \`npm run bench -- live\`.

${watchers.toLocaleString('en')} clients keep \`GET /status/<page>/events\` open, and the page changes ${changes} times. The clients run in another
process on the same machine; the time ends when an event is in the process of the client.

| | goal | this run | |
|---|---|---|---|
${rows.map(([what, goal, value, isMet]) => `| ${what} | ${goal} | ${value} | ${isMet ? 'met' : 'not met'} |`).join('\n')}

From the commit to the client: median ${delays.p50.toFixed(0)} ms, at most ${delays.max.toFixed(0)} ms, ${delays.count.toLocaleString('en')} events.
Memory: ${megabytes.toFixed(0)} MB more once all are connected, ${megabytesAfter.toFixed(0)} MB after the changes.
The page: ${alone.toFixed(2)} of bare \`node:http\` with the same bytes without watchers, ${beside.toFixed(2)} beside them (medians of ${rounds} rounds).

The upper limit, bare \`node:http\` that writes as many events to as many sockets: median ${limit.delays.p50.toFixed(0)} ms, 19 of 20 within
${limit.delays.p95.toFixed(0)} ms, and ${limitMegabytes.toFixed(0)} MB more memory.
`,
  );
}
