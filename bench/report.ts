import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { type Run, tool } from './load.ts';
import { concurrency, rounds, seconds } from './settings.ts';

export interface Measured {
  name: string;
  bytes: number;
  /** With the processor time of an answer, in microseconds: of the server, and of the database. */
  runs: (Run & { node: number; database: number })[];
}

const file = new URL('../docs/performance.md', import.meta.url);

export async function writeReport(measured: Measured[], postgresql: string): Promise<void> {
  const text = report(measured, postgresql);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(text);
}

function report(measured: Measured[], postgresql: string): string {
  const machine = `${cpus()[0]!.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`;
  const versions = `Node ${process.version}, PostgreSQL ${postgresql}, pg ${versionOf('../', 'pg')}, PostGraphile ${versionOf('', 'postgraphile')}`;
  return `# How fast a list is read

Written by \`npm run bench:reads\`; not by hand.

A page of exactly 25 notices, each with 3 updates and 2 components, among 39 other pages of the same size: \`GET /v1/pages/:id/notices?include=updates,components\`, and
the same by \`POST /graphql\`. Nothing is cached, the token is checked, and the answers were compared after parsing before the measurement began: /v1 gives exactly the JSON of
the limit, /graphql the same values. \`per_page\` is not given, since "pagination" would then be part of the answer and the limit would have to count.

| | ratio to the limit | answers a second (least - most) | p50 ms | p99 ms | µs of Node | µs of PostgreSQL | bytes | wrong answers |
|---|---|---|---|---|---|---|---|---|
${measured.map(one => row(one, measured[0]!)).join('\n')}

All Clear's /graphql answers ${ratio(measured[2]!, measured[3]!).toFixed(2)} times as many as PostGraphile, whose selection lacks what is derived (the timeline state and the link).
Ratios are medians of the ratios within each round; the µs are processor time an answer.

${goals(measured)}

* When: ${new Date().toISOString().slice(0, 10)}
* Machine: ${machine}
* Versions: ${versions}
* Load: ${tool}, ${concurrency} connections, ${rounds} interleaved rounds of ${seconds} s each, client, servers and database on the one machine
`;
}

/** What was aimed at, whether this run met it, and in which process the rest of the time goes. */
function goals([limit, rest, graph, postgraphile]: Measured[]): string {
  const aims: [name: string, one: Measured, reference: Measured, aim: number][] = [
    ['/v1 of the limit', rest!, limit!, 0.85],
    ['/graphql of the limit', graph!, limit!, 0.75],
    ['/graphql of PostGraphile', graph!, postgraphile!, 2],
  ];
  const more = (one: Measured, key: 'node' | 'database') =>
    (median(one.runs.map(run => run[key])) - median(limit!.runs.map(run => run[key]))).toFixed(0);
  const lines = aims.map(([name, one, reference, aim]) => {
    const reached = ratio(one, reference);
    const rest =
      reference === limit
        ? `; an answer takes ${more(one, 'node')} µs more of Node and ${more(one, 'database')} µs more of PostgreSQL than the limit's`
        : '';
    return `| ${name} | ${aim.toFixed(2)} | ${reached.toFixed(2)} | ${reached >= aim ? 'met' : `not met${rest}`} |`;
  });
  return `## What was aimed at

| | aim | this run | |
|---|---|---|---|
${lines.join('\n')}

Where Node's part goes, by \`node --cpu-prof dist/main.js\` under the same load: half is writing to the sockets of the database and of clients, which the limit
pays too, and an eighth is the collection of garbage. The rest is spread thin: Koa and its router, the headers of an answer that the limit does not send, the coercion of arguments by graphql and the wrapper of type-graphql, the pool; no file of ours is above 2 %.`;
}

function row(one: Measured, limit: Measured): string {
  const speeds = one.runs.map(({ perSecond }) => perSecond);
  const cells = [
    one.name,
    ratio(one, limit).toFixed(2),
    `${median(speeds).toFixed(0)} (${Math.min(...speeds).toFixed(0)} - ${Math.max(...speeds).toFixed(0)})`,
    ...(['median', 'slowest1Percent'] as const).map(key => median(one.runs.map(run => run[key])).toFixed(1)),
    ...(['node', 'database'] as const).map(key => median(one.runs.map(run => run[key])).toFixed(0)),
    one.bytes.toLocaleString('en'),
    one.runs.reduce((sum, { wrong }) => sum + wrong, 0),
  ];
  return `| ${cells.join(' | ')} |`;
}

const ratio = (one: Measured, reference: Measured) =>
  median(one.runs.map(({ perSecond }, round) => perSecond / reference.runs[round]!.perSecond));

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const versionOf = (below: string, dependency: string): string =>
  JSON.parse(readFileSync(new URL(`${below}node_modules/${dependency}/package.json`, import.meta.url), 'utf8')).version;
