import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createDatabase, removeDatabase, seed } from './database.ts';
import { load, type Run, type Target, tool } from './load.ts';
import { requestPage as request, saveResponse } from './page-response.ts';
import { startServer } from './servers.ts';
import { concurrency, rounds, seconds, warmUpSeconds } from './settings.ts';

/**
 * Measures how fast a public page is served, compressed and as 304, compared with bare node:http that sends the same
 * bytes: without writes, and with 1,000 notices a minute written to other pages. Also measures how soon a committed
 * change is on the page. Only ratios within one run are meaningful.
 */
const goals = { speed: 0.7, p99: 2.5, memoryMb: 512, delayMs: 100 };
const limitPort = 25461;
const servicePort = 25462;
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
const token = randomBytes(24).toString('base64url');
const host = '00000001.localhost';
const accepting = { Host: host, 'Accept-Encoding': 'br' };
const service = `http://127.0.0.1:${servicePort}`;
const requestPage = (path: string) => request(`${service}${path}`, accepting);

const children: ChildProcess[] = [];
try {
  const url = await createDatabase();
  const running = await startServer('dist/cli.js start', servicePort, {
    DATABASE_URL: url,
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: folder,
    BOOTSTRAP_TOKEN: token.padEnd(32, 'x'),
  });
  children.push(running);
  await seed(url, token);
  const page = await requestPage('/');
  const limit = await startServer('bench/page-limit.ts', limitPort, saveResponse(folder, page));
  children.push(limit);

  const known = { ...accepting, 'If-None-Match': page.etag };
  const targets: Record<string, Target> = {
    limit: { name: 'bare node:http', url: `http://127.0.0.1:${limitPort}/`, headers: accepting },
    page: { name: 'the page', url: `${service}/`, headers: accepting },
    limit304: { name: 'bare node:http, 304', url: `http://127.0.0.1:${limitPort}/`, headers: known },
    page304: { name: 'the page, 304', url: `${service}/`, headers: { ...known } },
  };
  const quiet = await measure(targets);
  const stopWriting = writeElsewhere();
  const busy = await measure(targets);
  const written = await stopWriting();
  const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))![1]) / 1024;
  const delaysMs = await measureChanges();
  const text = report({ quiet, busy, written, memory, delaysMs, bytes: page.body.length });
  writeFileSync(new URL('../docs/performance/pages.md', import.meta.url), text);
  process.stdout.write(text);
} finally {
  for (const child of children) child.kill();
  removeDatabase();
}

async function measure(targets: Record<string, Target>): Promise<Record<string, Run[]>> {
  const measured: Record<string, Run[]> = Object.fromEntries(Object.keys(targets).map(name => [name, []]));
  for (const target of Object.values(targets)) await load(target, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    const names = Object.keys(targets);
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length]!;
      // An open incident shows its duration in minutes, so the ETag changes every minute.
      if (name === 'page304') targets[name]!.headers['If-None-Match'] = (await requestPage('/')).etag;
      const run = await load(targets[name]!, seconds);
      measured[name]!.push(run);
    }
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  return measured;
}

/** Writes 1,000 notices a minute over the API to the 39 pages that are not measured. */
function writeElsewhere(): () => Promise<number> {
  let isStopped = false;
  let written = 0;
  const startedAt = Date.now();
  const loop = (async () => {
    while (!isStopped) {
      const due = startedAt + written * 60;
      if (due > Date.now()) await sleep(due - Date.now());
      const pageId = (2 + (written % 39)).toString(16).padStart(8, '0');
      await post(`/v1/pages/${pageId}/notices`, {
        subject: `Number ${written}`,
        initial_comment: 'One of a thousand a minute.',
        state: 'resolved',
      });
      written += 1;
    }
  })();
  return async () => {
    isStopped = true;
    await loop;
    return (written / (Date.now() - startedAt)) * 60_000;
  };
}

async function post(path: string, body: object): Promise<void> {
  const headers = { Authorization: `Bearer ${token.padEnd(32, 'x')}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${service}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
}

/** Milliseconds from the response to a write until the page shows it, for 50 changes. */
async function measureChanges(): Promise<number[]> {
  const delaysMs: number[] = [];
  for (let number = 0; number < 50; number++) {
    const { etag } = await requestPage('/');
    await post('/v1/pages/00000001/notices', { subject: `A change, number ${number}` });
    const committed = performance.now();
    while ((await requestPage('/')).etag === etag) await sleep(1);
    delaysMs.push(performance.now() - committed);
  }
  return delaysMs;
}

function report({
  quiet,
  busy,
  written,
  memory,
  delaysMs,
  bytes,
}: {
  quiet: Record<string, Run[]>;
  busy: Record<string, Run[]>;
  written: number;
  memory: number;
  delaysMs: number[];
  bytes: number;
}): string {
  const line = (what: string, runs: Record<string, Run[]>, one: string, limit: string) => {
    const pairs = runs[one]!.map((run, round) => [run, runs[limit]![round]!] as const);
    const speed = median(pairs.map(([run, reference]) => run.perSecond / reference.perSecond));
    const slow = median(runs[one]!.map(run => run.p99Ms)) / median(runs[limit]!.map(run => run.p99Ms));
    const errors = runs[one]!.reduce((sum, run) => sum + run.errors, 0);
    const errorCell = one === 'page304' ? '' : ` ${errors}`;
    return `| ${what} | ${speed.toFixed(2)} | ${speed >= goals.speed ? 'met' : 'not met'} | ${slow.toFixed(2)} | ${slow <= goals.p99 ? 'met' : 'not met'} | ${median(runs[one]!.map(run => run.perSecond)).toFixed(0)} |${errorCell} |`;
  };
  const sorted = delaysMs.toSorted((a, b) => a - b);
  return `# How fast a public page is served

Generated by \`npm run bench -- pages\`.

The page of 25 notices with 3 updates each and 10 components, ${bytes.toLocaleString('en')} bytes in brotli, against bare \`node:http\` that sends the same bytes and headers from memory.

| | ratio to bare node:http | goal ${goals.speed} | ratio of p99 | goal ${goals.p99} at most | requests per second | errors |
|---|---|---|---|---|---|---|
${line('the page', quiet, 'page', 'limit')}
${line('not changed (304)', quiet, 'page304', 'limit304')}
${line(`the page, while ${written.toFixed(0)} notices a minute are written to other pages`, busy, 'page', 'limit')}
${line('not changed (304), with the same writes', busy, 'page304', 'limit304')}

Peak memory of the service: ${memory.toFixed(0)} MB (goal: ${goals.memoryMb} at most, ${memory <= goals.memoryMb ? 'met' : 'not met'}).
From the response to a write until the page shows it, 50 changes: median ${median(delaysMs).toFixed(0)} ms (goal: ${goals.delayMs} at most, ${median(delaysMs) <= goals.delayMs ? 'met' : 'not met'}), ${sorted.at(-1)!.toFixed(0)} ms at most.

For each visit the service checks the host, the rate of the address and the version of the page, and logs it: seven
tenths of what bare \`node:http\` serves are enough where a visit takes less than a tenth of a millisecond.

* When: ${new Date().toISOString().slice(0, 10)}
* Machine: ${cpus()[0]!.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}
* Versions: Node ${process.version}
* Load: ${tool}, ${concurrency} connections, ${rounds} interleaved rounds of ${seconds} s each, client and servers on the one machine
`;
}

function median(values: number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  const middle = ordered.length >> 1;
  return ordered.length % 2 ? ordered[middle]! : (ordered[middle - 1]! + ordered[middle]!) / 2;
}
