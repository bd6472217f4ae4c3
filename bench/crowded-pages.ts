import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { createDatabase, removeDatabase } from './database.ts';
import { type Figures, measure, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Writes docs/performance/crowded-pages.md: what a page with very many notices costs the others. Measures how many notices
 * a second are created on another page, and how long its visitors wait, while the crowded page has 20,000 open notices,
 * and while more are created on it. Then the same with 20,000 that ended within three days.
 */
const seconds = Number(process.env.CROWDED_SECONDS ?? 15);
const noticeCount = Number(process.env.CROWDED_NOTICES ?? 20_000);
const port = 25474;
const token = randomBytes(24).toString('base64url');
const base = `http://127.0.0.1:${port}`;
const limits = { visitDelayMs: 50, share: 1 / 3 };

interface Page {
  id: string;
  components: number[];
}

async function post(path: string, body: object): Promise<{ id: string & number }> {
  const response = await fetch(`${base}/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { response: { id: string & number } }).response;
}

async function createPage(name: string): Promise<Page> {
  const { id } = await post('/pages', { name });
  const components: number[] = [];
  for (let number = 1; number <= 10; number++)
    components.push((await post(`/pages/${id}/components`, { name: `Component ${number}` })).id);
  return { id, components };
}

let created = 0;
const createNotice = ({ id, components }: Page) =>
  post(`/pages/${id}/notices`, {
    subject: `Elevated error rates ${++created}`,
    initial_comment: 'The *first* update.',
    component_ids: [components[created % 10]],
  });

async function visit({ id }: Page): Promise<void> {
  const response = await fetch(`${base}/status/${id}/`, { headers: { 'Accept-Encoding': 'br' } });
  if (response.status !== 200) throw new Error(`visit: ${response.status}`);
  await response.arrayBuffer();
}

/** Inserts what the API would create, each with an update and one of the components. */
const fill = (isOver: boolean) => `
  with made as (
    insert into notice (page_id, type, subject, synopsis, state, began_at, ended_at, path, named_components,
      created_at, updated_at)
    select $1, 'unplanned', 'Crowd ' || n, 'Update', ${isOver ? `'resolved'` : `'investigating'`}, at,
      ${isOver ? `at + interval '10 minutes'` : 'null'}, substr(md5('x' || n), 1, 16) || '-crowd-' || n, true, at, at
    from (
      select n, date_trunc('milliseconds', now() - interval '3 days' * n / ${noticeCount}) as at
      from generate_series(1, ${noticeCount}) n) crowd
    returning id, created_at
  ), updates as (
    insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
    select id, 'The team *looks* into it.', created_at, created_at, created_at from made
  )
  insert into notice_component select id, ($2::int[])[1 + id % 10] from made`;

async function measureAll({ quiet, crowded }: { quiet: Page; crowded: Page }, writers: number) {
  const until = performance.now() + seconds * 1000;
  const [creates, visits, crowdedVisits, ...others] = await Promise.all([
    measure(until, 0, () => createNotice(quiet)),
    measure(until, 10, () => visit(quiet)),
    measure(until, 100, () => visit(crowded)),
    ...Array.from({ length: writers }, () => measure(until, 0, () => createNotice(crowded))),
  ]);
  return {
    creates: creates!,
    visits: visits!,
    crowdedVisits: crowdedVisits!,
    others: others.reduce((sum, { count }) => sum + count, 0),
  };
}

type Measured = Awaited<ReturnType<typeof measureAll>>;

interface Row extends Measured {
  /** Of the crowded page. */
  state: string;
}

function renderRow({ state, creates, visits, crowdedVisits, others }: Row): string {
  const format = ({ p50, p95 }: Figures) => `${p50.toFixed(0)} / ${p95.toFixed(0)}`;
  const rates = [creates.count, others].map(count => (count / seconds).toFixed(1));
  return `| ${[state, ...rates, format(creates), format(visits), format(crowdedVisits)].join(' | ')} |`;
}

const renderTable = (name: string, rows: readonly Row[]) => `## ${name}

| the crowded page has | creates a second on another page | on the crowded page | create, p50 / p95 ms | visit of another page | visit of the crowded page |
|---|---|---|---|---|---|
${rows.map(renderRow).join('\n')}
`;

type Run = (sql: string, values: unknown[]) => Promise<unknown>;

/** The service restarts for the insertion, since an embedded database has one process. */
async function run(
  settings: Record<string, string>,
  insert: (work: (run: Run) => Promise<unknown>) => Promise<void>,
): Promise<Row[]> {
  const start = () =>
    startServer('dist/cli.js start', port, {
      BOOTSTRAP_TOKEN: token,
      LOG_LEVEL: 'silent',
      WORKER: 'false',
      ...settings,
    });
  const rows: Row[] = [];
  let service = await start();
  const stop = async () => {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
  };
  try {
    const quiet = await createPage('Quiet');
    const open = await createPage('Open');
    const ended = await createPage('Ended');
    await measureAll({ quiet, crowded: open }, 2);
    const before = await measureAll({ quiet, crowded: open }, 0);
    rows.push({ state: 'no notices but those of the measurement', ...before });
    await stop();
    await insert(async runSql => {
      await runSql(fill(false), [open.id, open.components]);
      await runSql(fill(true), [ended.id, ended.components]);
    });
    service = await start();
    for (const [label, crowded] of Object.entries({ open, 'ended within 3 days': ended })) {
      await visit(crowded);
      await visit(quiet);
      rows.push({
        state: `${noticeCount.toLocaleString('en')} ${label}`,
        ...(await measureAll({ quiet, crowded }, 0)),
      });
      rows.push({ state: 'the same, and more are created', ...(await measureAll({ quiet, crowded }, 1)) });
    }
    return rows;
  } finally {
    await stop();
  }
}

/** Of a run: the first row is that before. */
function holds([before, ...rows]: Row[]): boolean {
  return rows.every(
    ({ creates, visits }) =>
      visits.p95 - before!.visits.p95 < limits.visitDelayMs && creates.count > before!.creates.count * limits.share,
  );
}

const databaseUrl = process.env.CROWDED_DATABASE_URL ?? (await createDatabase());
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
try {
  const postgresql = await run({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'pg') }, async work => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await work((sql, values) => client.query(sql, values));
    await client.end();
  });
  const embedded = await run({ DATA_DIR: join(folder, 'embedded') }, async work => {
    const database = await PGlite.create(join(folder, 'embedded', 'database'));
    await work((sql, values) => database.query(sql, values));
    await database.close();
  });
  const hold = holds(postgresql) && holds(embedded);
  writeDocument(
    'crowded-pages',
    `# Pages with very many notices

Generated by \`npm run bench -- crowded-pages\`.

What a page with ${noticeCount.toLocaleString('en')} notices costs another page, on which one client creates notices, one after
the other, while both pages are visited. Every create changes a page, which is rendered again. Goals: 19 of 20 visits of
the other page take at most ${limits.visitDelayMs} ms longer than before, and it keeps a third of its rate of creation while notices are
created on the crowded page, too: ${hold ? 'met' : 'not met'}.

${renderTable('PostgreSQL', postgresql)}
${renderTable('Embedded database', embedded)}`,
  );
} finally {
  if (!process.env.CROWDED_DATABASE_URL) removeDatabase();
}
