import { mkdtempSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, removeDatabase, runFile, seed } from './database.ts';
import { readMemoryMb } from './overload/memory.ts';
import { type LoadResult, runLoad, type Sample, type Target } from './overload/load.ts';
import { measureUnread, type UnreadResult } from './overload/unread.ts';
import { readCpuTime, startServer } from './servers.ts';

/**
 * Measures the service while it gets ten times as many expensive lists as it can answer, and while 2,000 clients ask for
 * pages and read nothing. Writes docs/performance/overload.md.
 */
const seconds = Number(process.env.OVERLOAD_SECONDS ?? 60);
const unreadClients = 2_000;
/** Of each client that does not read; one measurement for each number. */
const unreadRequests = (process.env.UNREAD_REQUESTS ?? '1,20,200').split(',').filter(Boolean).map(Number);
const port = 25488;
const token = 'a-token-of-a-measurement-0123456789';
/** A request with a cookie is not answered from memory. */
const headers = { authorization: `Bearer ${token}`, cookie: 'none=1' };
const list = '/v1/pages/00000001/notices?include=updates,components&per_page=500';

const url = await createDatabase();
const service = await startServer('dist/cli.js start', port, {
  DATABASE_URL: url,
  PUBLIC_URL: 'http://localhost:3000',
  DATA_DIR: mkdtempSync(join(tmpdir(), 'all-clear-bench-')),
  BOOTSTRAP_TOKEN: token,
});
try {
  await seed(url, token);
  await runFile(url, new URL('overload/many-notices.sql', import.meta.url));
  const created = await fetch(`http://127.0.0.1:${port}/v1/pages`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ name: 'Small' }),
  });
  const { id } = ((await created.json()) as { response: { id: string } }).response;
  const unread: UnreadResult[] = [];
  for (const requests of unreadRequests)
    unread.push(
      await measureUnread({ pid: service.pid!, port }, { path: `/status/${id}/`, clients: unreadClients, requests }),
    );
  const run = (perSecond: number, target: Omit<Target, 'port'>, forSeconds = seconds) =>
    runLoad({ target: { port, ...target }, perSecond: Math.round(perSecond), seconds: forSeconds });
  const lists = { paths: [list], headers };
  const pages = { paths: ['/'], headers: { host: '00000001.localhost', 'accept-encoding': 'br' } };
  const writes = {
    method: 'POST',
    paths: Array.from({ length: 40 }, (_, index) => `/v1/pages/${(index + 1).toString(16).padStart(8, '0')}/notices`),
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ subject: 'Elevated error rates' }),
  };
  await Promise.all([run(10, lists, 5), run(50, pages, 5), run(2, writes, 5)]);
  const atPeak = await runLoad({ target: { port, ...lists }, connections: 8, seconds: 10 });
  const peak = atPeak.samples.filter(({ status }) => status === 200).length / 10;
  const cpuBefore = readCpuTime(service.pid!);
  const [listsResult, pagesResult, writesResult, recoverySeconds] = await Promise.all([
    run(peak * 10, lists),
    run(50, pages),
    run(2, writes),
    measureRecovery(),
  ]);
  const serviceCpuShare = (readCpuTime(service.pid!) - cpuBefore) / 1e6 / seconds;
  const memoryMb = readMemoryMb(service.pid!, 'VmHWM');
  const text = report({
    lists: listsResult,
    pages: pagesResult,
    writes: writesResult,
    recoverySeconds,
    peak,
    unread,
    memoryMb,
    serviceCpuShare,
  });
  writeFileSync(new URL('../docs/performance/overload.md', import.meta.url), text);
  process.stdout.write(text);
} finally {
  service.kill();
  removeDatabase();
}

/** Seconds from the end of the overload until a page takes less than 100 ms and a list is answered, 10 times in a row. */
async function measureRecovery(): Promise<number> {
  await sleep(seconds * 1000);
  const endedAt = performance.now();
  let normalAt = endedAt;
  for (let inRow = 0; inRow < 10; await sleep(50)) {
    const askedAt = performance.now();
    const pageStatus = await askStatus(`/status/00000001/`);
    const pageMs = performance.now() - askedAt;
    const isNormal = pageStatus === 200 && pageMs < 100 && (await askStatus(list)) === 200;
    inRow = isNormal ? inRow + 1 : 0;
    if (!isNormal) normalAt = performance.now();
  }
  return (normalAt - endedAt) / 1000;
}

async function askStatus(path: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await response.arrayBuffer();
  return response.status;
}

interface Results {
  lists: LoadResult;
  pages: LoadResult;
  writes: LoadResult;
  /** Of one core, as that of the clients. */
  serviceCpuShare: number;
  peak: number;
  recoverySeconds: number;
  memoryMb: number;
  unread: UnreadResult[];
}

function report({ serviceCpuShare, peak, recoverySeconds, memoryMb, unread, ...results }: Results): string {
  const lists = results.lists.samples;
  const pages = results.pages.samples;
  const writes = results.writes.samples;
  const clientCpuShare = results.lists.cpuShare + results.pages.cpuShare + results.writes.cpuShare;
  const answered = lists.filter(({ status }) => status === 200);
  const refused = lists.filter(({ status }) => status === 503);
  const failed = lists.length - answered.length - refused.length;
  const pagesInTime = pages.filter(({ status, durationMs }) => status === 200 && durationMs <= 250);
  const share = pagesInTime.length / pages.length;
  const throughput = answered.length / seconds / peak;
  const written = writes.filter(({ status }) => status === 201);
  const verdict = (isMet: boolean) => (isMet ? 'met' : 'not met');
  const rows: [string, string, string][] = [
    [
      'pages within 250 ms',
      `${percent(share)} (p50 ${ms(pages, 0.5)}, p99 ${ms(pages, 0.99)}, worst ${ms(pages, 1)})`,
      `99 %: ${verdict(share >= 0.99)}`,
    ],
    [
      'lists answered',
      `${(answered.length / seconds).toFixed(0)}/s, ${percent(throughput)} of the peak (p50 ${ms(answered, 0.5)}, p99 ${ms(answered, 0.99)})`,
      `70 %: ${verdict(throughput >= 0.7)}`,
    ],
    [
      'lists refused with 503',
      `${refused.length} (p50 ${ms(refused, 0.5)}, p99 ${ms(refused, 0.99)})`,
      `250 ms: ${verdict(quantile(refused, 0.99) <= 250)} at p99`,
    ],
    ['failed connections', `${failed}`, ''],
    [
      'incidents opened',
      `${percent(written.length / writes.length)} of ${writes.length} (p50 ${ms(written, 0.5)}, p99 ${ms(written, 0.99)})`,
      '',
    ],
    ['peak memory of the service', `${memoryMb.toFixed(0)} MB`, `512 MB: ${verdict(memoryMb <= 512)}`],
    ['normal again after', `${recoverySeconds.toFixed(1)} s`, `5 s: ${verdict(recoverySeconds <= 5)}`],
  ];
  return `# Under overload

Generated by \`npm run bench -- overload\`.

## More requests than can be answered

One token asks for lists of 500 notices with their updates and components, of a page with 10,000 notices, at ten times
the rate that the service answers at most (${peak.toFixed(0)}/s, measured before with 8 connections), for ${seconds} seconds.
Meanwhile 50 visitors a second ask for the public page, and 2 incidents a second are opened, on 40 pages in turn. Of the two cores, the
clients take ${percent(clientCpuShare)} of one, the service ${percent(serviceCpuShare)}, and PostgreSQL the rest.

| | measured | goal |
|---|---|---|
${rows.map(row => `| ${row.join(' | ')} |`).join('\n')}

## Clients that do not read

${unreadClients.toLocaleString('en')} clients connect, ask for a public page and read nothing. They connect from this machine, so that only the
limit of all connections applies. Goal: 100 MB at most, and all closed after 15 seconds of not reading.

| requests of each client | connections held at once | memory they cost | closed after | page p99 meanwhile |
|---|---|---|---|---|
${unread.map(one => `| ${one.requests} | ${one.heldConnections} | ${one.costMb.toFixed(0)} MB | ${one.closedAfterSeconds.toFixed(0)} s | ${one.pageP99Ms.toFixed(0)} ms |`).join('\n')}

* When: ${new Date().toISOString().slice(0, 10)}; load average of the last 5 minutes: ${loadavg()[1]!.toFixed(1)}
* Machine: ${cpus()[0]!.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}; Node ${process.version}
* Client, service and database on the same machine
`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function ms(samples: Sample[], rank: number): string {
  return `${quantile(samples, rank).toFixed(0)} ms`;
}

function quantile(samples: Sample[], rank: number): number {
  const sorted = samples.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * rank))] ?? Number.NaN;
}
