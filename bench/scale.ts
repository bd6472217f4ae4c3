import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, insertToken, removeDatabase } from './database.ts';
import { type Figures, toFigures, writeDocument } from './figures.ts';
import { Client } from './scale/client.ts';
import { measureFanOut } from './scale/fan-out.ts';
import { fill, type Sizes } from './scale/fill.ts';
import { measureManyPages } from './scale/many-pages.ts';
import { createGroups, type Group, type Measured, type Work } from './scale/works.ts';
import { startServer } from './servers.ts';

/**
 * Measures what a page with 1,000,000 records costs against one with 1,000, among 10,000 pages of one installation.
 * Then an incident for all subscribers, and 50,000 pages. `SCALE_LARGE`, `SCALE_SMALL`, `SCALE_PAGES` and
 * `SCALE_MANY_PAGES` change the numbers; `SCALE_DATABASE_URL` is a database that an earlier run has filled with them.
 */
const sizes: Sizes = {
  large: Number(process.env.SCALE_LARGE ?? 1_000_000),
  small: Number(process.env.SCALE_SMALL ?? 1_000),
  pages: Number(process.env.SCALE_PAGES ?? 10_000),
};
const manyPages = Number(process.env.SCALE_MANY_PAGES ?? 50_000);
const filledUrl = process.env.SCALE_DATABASE_URL;
/** Of each work on each page, unless that takes too long. */
const repetitions = { least: 5, most: 40, ms: 3_000 };
const port = 25490;
const token = randomBytes(24).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
const [only] = process.argv.slice(2);

const start = (settings: Record<string, string> = {}) =>
  startServer('dist/cli.js start', port, {
    DATABASE_URL: url,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    WORKER: 'false',
    PUBLIC_URL: `http://localhost:${port}`,
    ...settings,
  });
async function stop(service: ChildProcess): Promise<void> {
  service.kill();
  if (service.exitCode === null) await once(service, 'exit');
}

/** Measures both pages in turn, so that other load on the machine affects both alike. */
async function measureWork(work: Work, large: Measured, small: Measured) {
  const acts = [await work.prepare(large), await work.prepare(small)];
  const times: [number[], number[]] = [[], []];
  for (const act of acts) for (let warmUp = 0; warmUp < 2; warmUp++) await act();
  const until = performance.now() + repetitions.ms;
  for (let round = 0; round < repetitions.most; round++) {
    if (round >= repetitions.least && performance.now() > until) break;
    for (const [index, act] of acts.entries()) {
      const startedAt = performance.now();
      await act();
      times[index]!.push(performance.now() - startedAt);
    }
  }
  return { large: toFigures(times[0]), small: toFigures(times[1]) };
}

function renderRow({ name, goal }: Work, measured: { large: Figures; small: Figures }): string {
  const ratio = measured.large.p50 / measured.small.p50;
  const [text, isMet] =
    goal.ratio !== undefined
      ? [`${goal.ratio} x`, ratio <= goal.ratio]
      : goal.p50Ms !== undefined
        ? [`p50 ${goal.p50Ms} ms`, measured.large.p50 <= goal.p50Ms]
        : [`p95 ${goal.p95Ms} ms`, measured.large.p95 <= goal.p95Ms!];
  const figures = [measured.small.p50, measured.large.p50, measured.large.p95].map(ms => ms.toFixed(1));
  return `| ${[name, ...figures, ratio.toFixed(2), text, isMet ? 'met' : 'not met'].join(' | ')} |`;
}

async function renderGroup({ name, large, small, works }: Group): Promise<string> {
  const rows: string[] = [];
  for (const work of works.filter(one => !only || one.name.includes(only))) {
    const row = await measureWork(work, large, small).then(
      measured => renderRow(work, measured),
      ({ message }: Error) => `| ${work.name} | ${message.match(/"code":"(\w+)"/)?.[1] ?? message} | | | | | not met |`,
    );
    rows.push(row);
    process.stderr.write(`${rows.at(-1)}\n`);
  }
  return `## ${name}

| work | p50 ms, ${small.size.toLocaleString('en')} | p50 ms, ${large.size.toLocaleString('en')} | p95 ms | ratio of p50 | goal at most | |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

const url = filledUrl ?? (await createDatabase());
try {
  // The first start creates the tables.
  await stop(await start());
  if (!filledUrl) await fill(url, sizes);
  await insertToken(url, token, 'owner');
  const client = new Client(port, token);
  const sections: string[] = [];
  const service = await start();
  try {
    for (const group of createGroups(client, sizes)) sections.push(await renderGroup(group));
  } finally {
    await stop(service);
  }
  if (!only) {
    sections.push(await measureFanOut({ client, sizes, start, stop }));
    sections.push(await measureManyPages({ url, client, count: manyPages, start, stop }));
    writeDocument('scale', renderDocument(sections));
  }
} finally {
  if (!filledUrl) removeDatabase();
  rmSync(folder, { recursive: true, force: true });
}

function renderDocument(sections: string[]): string {
  const [large, small, pages] = [sizes.large, sizes.small, sizes.pages].map(number => number.toLocaleString('en'));
  return `# A million records on one page

Generated by \`npm run bench -- scale\`.

One page has ${large} notices, each with an update and a component, drafts and entries of the audit log; another ${large}
subscribers and deliveries. Each is compared with a page of ${small}, in turn, in one installation of ${pages} pages on
PostgreSQL. The times are those of one client, over HTTP, from the request to the last byte.

A search for part of a text, with its count, may take a second, as in [subscriber-search](subscriber-search.md): less would
need a search engine beside the database. Half of what happens beside a million messages takes at most 50 ms, as beside
[floods](floods.md).

${sections.join('\n')}`;
}
