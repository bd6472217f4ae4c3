import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toFigures } from '../figures.ts';
import type { Client } from './client.ts';
import { addPages } from './fill.ts';

interface Options {
  url: string;
  client: Client;
  count: number;
  start(): Promise<ChildProcess>;
  stop(service: ChildProcess): Promise<void>;
}

const goals = { startMs: 2_000, moreMb: 100, visitMs: 50 };
const visited = 100;
const restMs = 5_000;

export const readMegabytes = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Measures a start and the first visits before and after pages are added. The service is stopped. */
export async function measureManyPages({ url, client, count, start, stop }: Options): Promise<string> {
  const database = new pg.Client(url);
  await database.connect();
  const measure = async () => {
    const { rows } = await database.query('select id from page order by md5(id) limit $1', [visited]);
    const startedAt = performance.now();
    const service = await start();
    const startMs = performance.now() - startedAt;
    await sleep(restMs);
    const megabytes = readMegabytes(service);
    const times: number[] = [];
    for (const { id } of rows) {
      const askedAt = performance.now();
      await client.visit(`/status/${id}/`);
      times.push(performance.now() - askedAt);
    }
    await stop(service);
    return { startMs, megabytes, visits: toFigures(times) };
  };
  const { rows: counted } = await database.query('select count(*)::integer as count from page');
  const before = await measure();
  await addPages(database, count - counted[0].count);
  await database.query('vacuum analyze page');
  const after = await measure();
  await database.end();
  const more = after.megabytes - before.megabytes;
  const rows = [
    ['start, ms', before.startMs, after.startMs, goals.startMs, after.startMs <= goals.startMs],
    ['memory after it, MB', before.megabytes, after.megabytes, `${goals.moreMb} more`, more <= goals.moreMb],
    [
      'first visit of a page, p50 ms',
      before.visits.p50,
      after.visits.p50,
      goals.visitMs,
      after.visits.p50 <= goals.visitMs,
    ],
    ['the same, p95 ms', before.visits.p95, after.visits.p95, '', null],
  ].map(cells => cells.map(cell => (typeof cell === 'number' ? cell.toFixed(0) : cell)));
  return `## Many pages

${visited} pages are visited that the process has not rendered before.

| | ${counted[0].count.toLocaleString('en')} pages | ${count.toLocaleString('en')} pages | goal at most | |
|---|---|---|---|---|
${rows.map(cells => `| ${[...cells.slice(0, -1), { true: 'met', false: 'not met', null: '' }[String(cells.at(-1))]].join(' | ')} |`).join('\n')}
`;
}
