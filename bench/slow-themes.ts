import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timelineTheme } from '../test/support/existing-themes.ts';
import { writeZip } from '../test/support/zip-writer.ts';
import { createDatabase, removeDatabase } from './database.ts';
import { startServer } from './servers.ts';

/**
 * Measures how soon a page with a theme, and a page without one, show a change while 50 other pages have slow themes.
 * Their themes render quickly on the sample pages and when visitors first look; from then on each of the pages changes
 * again and again, and its theme takes nearly all of its time, or more.
 */
const slowPages = Number(process.env.SLOW_PAGES ?? 50);
const changes = Number(process.env.CHANGES ?? 60);
const goalMs = 300;
const port = 25482;
const token = 'a-token-of-a-measurement-0123456789';
const agent = new Agent({ keepAlive: true });

type Files = Record<string, string | object>;

/** Renders the name of the page. `loops` decides how long it takes when the page is changed. */
const createSlowTheme = (loops: number): Files => ({
  'status-page.liquid': `{{ page.name }}{% if page.name contains 'changed' %}
    {% for a in (1..${loops}) %}{% for b in (1..1000) %}{% assign c = b | plus: a %}{% endfor %}{% endfor %}{% endif %}`,
});

const scenarios: [name: string, theme: Files | null][] = [
  ['no slow themes', null],
  // About 400 ms of CPU time on the machine of the report.
  ['themes that take nearly all of their time', createSlowTheme(Number(process.env.LOOPS ?? 50))],
  ['themes that exceed their time', createSlowTheme(1_000_000)],
];

const url = await createDatabase();
const service = await startServer('dist/cli.js start', port, {
  DATABASE_URL: url,
  PUBLIC_URL: 'http://localhost:3000',
  DATA_DIR: mkdtempSync(join(tmpdir(), 'all-clear-bench-')),
  BOOTSTRAP_TOKEN: token,
  RATE_LIMIT: '0',
  LOG_LEVEL: 'silent',
});
try {
  const results: string[] = [];
  for (const [name, theme] of scenarios) results.push(await measureScenario(name, theme));
  const text = report(results);
  writeFileSync(new URL('../docs/performance/slow-themes.md', import.meta.url), text);
  process.stdout.write(text);
} finally {
  service.kill();
  removeDatabase();
}

async function measureScenario(name: string, theme: Files | null): Promise<string> {
  const themed = await createPage(timelineTheme);
  const plain = await createPage(null);
  // Pages in use: their themes have rendered before.
  for (const page of [themed, plain])
    for (let number = 0; number < 5; number++) await measureChange(page, `before ${number}.`);
  const others: string[] = [];
  for (let count = 0; theme && count < slowPages; count++) others.push(await createPage(theme));
  let isStopped = false;
  let slowChanges = 0;
  const changing = others.map(async page => {
    while (!isStopped) {
      await rename(page, `changed ${++slowChanges}`).catch(() => {});
      await sleep(2_000);
    }
  });
  const delaysMs: Record<'themed' | 'plain', number[]> = { themed: [], plain: [] };
  const measure = async (key: keyof typeof delaysMs, page: string) => {
    for (let number = 0; number < changes; number++) {
      delaysMs[key].push(await measureChange(page, `number ${number}.`));
      await sleep(250);
    }
  };
  await Promise.all([measure('themed', themed), measure('plain', plain)]);
  isStopped = true;
  await Promise.all(changing);
  process.stderr.write(`${name}: ${slowChanges} changes of ${others.length} pages\n`);
  return [
    ...[
      ['with a theme', delaysMs.themed],
      ['without a theme', delaysMs.plain],
    ].map(([kind, delays]) => renderRow(name, String(kind), delays as number[])),
  ].join('\n');
}

/** Milliseconds from the response to a write until the page shows it. */
async function measureChange(page: string, name: string): Promise<number> {
  // A write may be refused while the machine is overloaded.
  while (!(await rename(page, name).catch(() => null))) await sleep(100);
  const committed = performance.now();
  while (!(await visit(page)).includes(name)) await sleep(5);
  return performance.now() - committed;
}

async function createPage(theme: Files | null): Promise<string> {
  const { id } = JSON.parse(await call('POST', '/v1/pages', JSON.stringify({ name: 'New' }))).response;
  if (theme) {
    const entries = Object.entries(theme).map(([name, content]) => ({
      name,
      content: typeof content === 'string' ? content : JSON.stringify(content),
    }));
    const form = new FormData();
    form.append('zip', new Blob([new Uint8Array(writeZip(entries))]), 'theme.zip');
    await call('PUT', `/v1/pages/${id}/theme`, form);
  }
  await visit(id);
  return id;
}

function rename(page: string, name: string): Promise<string> {
  return call('PATCH', `/v1/pages/${page}`, JSON.stringify({ name }));
}

async function call(method: string, path: string, body: string | FormData): Promise<string> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}

function visit(page: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ port, path: '/', agent, headers: { host: `${page}.localhost` } }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    })
      .on('error', reject)
      .end();
  });
}

function renderRow(scenario: string, page: string, delaysMs: number[]): string {
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
  const goal = sorted.at(-1)! <= goalMs ? 'met' : 'not met';
  return `| ${scenario} | ${page} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${goal} |`;
}

function report(rows: string[]): string {
  return `# How soon a page shows a change beside slow themes

Generated by \`npm run bench -- slow-themes\`.

${slowPages} pages have themes that are slow as soon as the page changes, and each of these pages changes every 2 seconds. Meanwhile a page with a fast theme,
and a page without a theme, which changed five times before, change ${changes} times each. The first of these changes come at the same moment as those of the ${slowPages} pages, of which the service
does not know yet that they are slow.

| the other pages have | page | median ms | 95 % ms | most ms | goal ${goalMs} at most |
|---|---|---|---|---|---|
${rows.join('\n')}

From the response to a write until the page shows it.

* When: ${new Date().toISOString().slice(0, 10)}; load average of the last 5 minutes: ${loadavg()[1]!.toFixed(1)}
* Machine: ${cpus()[0]!.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}
* Versions: Node ${process.version}
* Client, service and database on the same machine
`;
}
