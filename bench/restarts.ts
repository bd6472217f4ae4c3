import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTcpProxy } from '../test/support/tcp-proxy.ts';
import { createDatabase, removeDatabase, seed } from './database.ts';
import { formatFigures, toFigures, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Writes docs/performance/restarts.md: how many requests fail while two processes behind a load balancer are restarted one
 * after the other, also on a busy machine, and how long the service takes after the line to its database was silent.
 */
const restarts = Number(process.env.RESTARTS ?? 8);
const silentSeconds = Number(process.env.SILENT_SECONDS ?? 30);
const perSecond = 200;
/** A busy machine: processes that compute without end, beside which it can answer fewer requests. */
const busy = { competitors: 2, perSecond: 40 };
const [balancerPort, ...ports] = [25491, 25492, 25493];
const token = 'a-token-of-a-measurement-0123456789';
const authorization = `Bearer ${token}`;
const url = await createDatabase();
/** Whether a goal was missed. */
let hasFailed = false;

type Process = Awaited<ReturnType<typeof startServer>>;
const start = (port: number, databaseUrl = url): Promise<Process> =>
  startServer('dist/cli.js start', port, {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'all-clear-bench-')),
    BOOTSTRAP_TOKEN: token,
    LOG_LEVEL: 'silent',
  });

/** Sends SIGTERM, and returns the exit code and how long it took. */
async function stop(service: Process): Promise<{ code: number | null; ms: number }> {
  const startedAt = performance.now();
  service.kill('SIGTERM');
  await once(service, 'exit');
  return { code: service.exitCode, ms: performance.now() - startedAt };
}

interface Sent {
  status: number | string;
  age?: string;
  ms: number;
}

function send(port: number, path: string, { agent, subject }: { agent?: Agent; subject?: string } = {}): Promise<Sent> {
  const startedAt = performance.now();
  return new Promise(resolve => {
    const finish = (status: number | string, response?: IncomingMessage) =>
      resolve({ status, age: response?.headers.age, ms: performance.now() - startedAt });
    const headers = { host: 'localhost', authorization, ...(subject && { 'content-type': 'application/json' }) };
    request({ port, path, agent, method: subject ? 'POST' : 'GET', headers, timeout: 20_000 }, response => {
      response.resume();
      response.on('end', () => finish(response.statusCode!, response)).on('error', error => finish(error.message));
    })
      .on('timeout', function (this: { destroy(): void }) {
        finish('no response in 20 s');
        this.destroy();
      })
      .on('error', error => finish(error.message))
      .end(subject && JSON.stringify({ subject }));
  });
}

/** Passes requests on in turn to the processes whose /healthz/pages was 200 when it was asked last, every 200 ms. */
async function startBalancer() {
  const ready = new Set<number>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const check = async (port: number) => {
    if ((await send(port, '/healthz/pages')).status === 200) ready.add(port);
    else ready.delete(port);
  };
  await Promise.all(ports.map(check));
  // One check of a process at a time: a late response must not count after one that was asked for later.
  const checking = new AbortController();
  const checkAlways = async (port: number) => {
    for (; !checking.signal.aborted; await sleep(200)) await check(port);
  };
  void ports.map(checkAlways);
  const server = createServer((incoming, outgoing) => {
    const open = [...ready];
    const port = open[turn++ % open.length];
    const { method, url: path, headers } = incoming;
    const passed = request({ port, path, method, headers, agent }, response => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    }).on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>(done => server.listen(balancerPort, done));
  const close = () => {
    checking.abort();
    agent.destroy();
    server.closeAllConnections();
    server.close();
  };
  return { ready, close };
}

async function measureRestarts({ isBusy }: { isBusy: boolean }): Promise<string[]> {
  const services = new Map<number, Process>();
  for (const port of ports) services.set(port, await start(port));
  if (!isBusy) await seed(url, token);
  const balancer = await startBalancer();
  const agent = new Agent({ keepAlive: true });
  const competitors = Array.from({ length: isBusy ? busy.competitors : 0 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);']),
  );
  const pending: Promise<Sent>[] = [];
  const timer = setInterval(
    () => {
      const number = pending.length;
      const page = (1 + (number % 40)).toString(16).padStart(8, '0');
      const options = { ...(number % 2 && { agent }) };
      if (number % 20 === 0)
        pending.push(send(balancerPort!, `/v1/pages/${page}/notices`, { ...options, subject: 'Slow' }));
      else pending.push(send(balancerPort!, number % 3 ? `/status/${page}/` : `/v1/pages/${page}/notices`, options));
    },
    1_000 / (isBusy ? busy.perSecond : perSecond),
  );
  await sleep(2_000);
  const stops: { code: number | null; ms: number }[] = [];
  for (let count = 0; count < restarts; count++) {
    const port = ports[count % ports.length]!;
    stops.push(await stop(services.get(port)!));
    services.set(port, await start(port));
    while (!balancer.ready.has(port)) await sleep(50);
    await sleep(500);
  }
  clearInterval(timer);
  for (const competitor of competitors) competitor.kill();
  const sent = await Promise.all(pending);
  balancer.close();
  agent.destroy();
  for (const service of services.values()) await stop(service);
  const failed = sent.filter(({ status }) => status !== 200 && status !== 201);
  const reasons = [...new Set(failed.map(({ status }) => status))].join(', ');
  const codes = stops.every(({ code }) => code === 0);
  hasFailed ||= failed.length > 0 || !codes;
  return [
    `| requests that failed, of ${sent.length.toLocaleString('en')} in ${restarts} restarts | ${failed.length}${reasons && ` (${reasons})`} | 0 |`,
    `| a process ends after | ${formatFigures(toFigures(stops.map(({ ms }) => ms)))}, exit code 0: ${codes ? 'always' : 'NOT ALWAYS'} | 10 s |`,
    `| a request, meanwhile | ${formatFigures(toFigures(sent.map(({ ms }) => ms)))} | |`,
  ];
}

async function measureSilence(): Promise<string[]> {
  const proxy = await startTcpProxy(url);
  const port = ports[0]!;
  const service = await start(port, proxy.url);
  const visit = () => send(port, '/status/00000001/');
  const write = () => send(port, '/v1/pages/00000001/notices', { subject: 'Silent' });
  await visit();
  await write();
  proxy.silence();
  const silentAt = performance.now();
  let sinceMs = Number.NaN;
  const visits: Sent[] = [];
  const writing = setInterval(() => void write(), 500);
  while (performance.now() - silentAt < silentSeconds * 1_000) {
    const visited = await visit();
    visits.push(visited);
    if (visited.age && Number.isNaN(sinceMs)) sinceMs = performance.now() - silentAt;
    await sleep(50);
  }
  clearInterval(writing);
  proxy.resume();
  const resumedAt = performance.now();
  while ((await write()).status !== 201) await sleep(50);
  const wellMs = performance.now() - resumedAt;
  while ((await visit()).age) await sleep(50);
  const currentMs = performance.now() - resumedAt;
  proxy.silence();
  void write();
  await sleep(1_000);
  const stopped = await stop(service);
  await proxy.close();
  hasFailed ||= visits.some(({ status }) => status !== 200) || wellMs > 10_000 || currentMs > 10_000;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    `| visits of a page in the ${silentSeconds} s | ${visits.filter(({ status }) => status === 200).length} of ${visits.length} are 200, ${formatFigures(toFigures(visits.map(({ ms }) => ms)))} | all |`,
    `| pages say since when they are | after ${seconds(sinceMs)} | |`,
    `| a write succeeds after the line is back | ${seconds(wellMs)} | 10 s |`,
    `| pages are up to date after the line is back | ${seconds(currentMs)} | 10 s |`,
    `| SIGTERM while the line is silent: the process ends after | ${seconds(stopped.ms)}, exit code ${stopped.code} | 10 s |`,
  ];
}

try {
  const restarted = await measureRestarts({ isBusy: false });
  const restartedBusy = await measureRestarts({ isBusy: true });
  const silent = await measureSilence();
  writeDocument(
    'restarts',
    `# Restarts, and a database that goes silent

Generated by \`npm run bench -- restarts\`.

## A rolling restart

Two processes on one PostgreSQL, behind a load balancer that asks for \`/healthz/pages\` every 200 ms and keeps its connections
alive. ${perSecond} requests a second arrive, on new connections and on kept ones: pages, lists, and one write in 20. The processes are
restarted one after the other.

| | measured | goal |
|---|---|---|
${restarted.join('\n')}

The same with ${busy.perSecond} requests a second beside ${busy.competitors} processes that compute without end. Connections wait in the queue of the
system there, and the load balancer learns late that a process stops.

| | measured | goal |
|---|---|---|
${restartedBusy.join('\n')}

## A silent line to the database

A proxy between the service and PostgreSQL passes no byte on for ${silentSeconds} seconds, and loses those of meanwhile, on connections that stay
open.

| | measured | goal |
|---|---|---|
${silent.join('\n')}
`,
  );
} finally {
  removeDatabase();
}
process.exit(hasFailed ? 1 : 0);
