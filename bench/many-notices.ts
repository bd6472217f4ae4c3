import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { createDatabase, removeDatabase } from './database.ts';
import { type Figures, formatFigures, measure } from './figures.ts';
import { readCpuTime, startServer } from './servers.ts';

/**
 * Measures what a page with very many notices costs the others: how many notices a second are created on another page,
 * and how long its visitors wait, while the crowded page has 20,000 open notices, and while more are created on it.
 * Then the same with 20,000 that ended within three days. Checks that 19 of 20 visits of the other page take less than
 * 50 ms more than before, and that it keeps a third of its rate of creation beside a page that is written to as fast.
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
    insert into notice_update (notice_id, content, created_at, updated_at)
    select id, 'The team *looks* into it.', created_at, created_at from made
  )
  insert into notice_component select id, ($2::int[])[1 + id % 10] from made`;

async function measureAll({ quiet, crowded }: { quiet: Page; crowded: Page }, pid: number, writers: number) {
  const until = performance.now() + seconds * 1000;
  const cpuTime = readCpuTime(pid);
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
    busy: (readCpuTime(pid) - cpuTime) / 1e6 / seconds,
  };
}

type Measured = Awaited<ReturnType<typeof measureAll>>;

function print(name: string, { creates, visits, crowdedVisits, others, busy }: Measured): void {
  const row = (label: string, figures: Figures) => `    ${label.padEnd(26)} ${formatFigures(figures)}\n`;
  process.stdout.write(
    `  ${name}: ${(creates.count / seconds).toFixed(1)} creates a second on another page` +
      `${others ? `, ${(others / seconds).toFixed(1)} on this one` : ''}; CPU ${(busy * 100).toFixed(0)} %\n` +
      row('create on another page', creates) +
      row('visit of another page', visits) +
      row('visit of this page', crowdedVisits),
  );
}

type Run = (sql: string, values: unknown[]) => Promise<unknown>;

/** The service restarts for the insertion, since an embedded database has one process. */
async function run(
  name: string,
  settings: Record<string, string>,
  insert: (work: (run: Run) => Promise<unknown>) => Promise<void>,
): Promise<boolean> {
  const start = () =>
    startServer('dist/main.js', port, { BOOTSTRAP_TOKEN: token, LOG_LEVEL: 'silent', WORKER: 'false', ...settings });
  process.stdout.write(`${name}\n`);
  let holds = true;
  let service = await start();
  const stop = async () => {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
  };
  try {
    const quiet = await createPage('Quiet');
    const [open, ended] = [await createPage('Open'), await createPage('Ended')];
    await measureAll({ quiet, crowded: open }, service.pid!, 2);
    const before = await measureAll({ quiet, crowded: open }, service.pid!, 0);
    print('before', before);
    await stop();
    await insert(async runSql => {
      await runSql(fill(false), [open.id, open.components]);
      await runSql(fill(true), [ended.id, ended.components]);
    });
    service = await start();
    for (const [label, crowded] of Object.entries({ open, 'ended within 3 days': ended })) {
      await visit(crowded);
      await visit(quiet);
      const resting = await measureAll({ quiet, crowded }, service.pid!, 0);
      print(`${noticeCount} ${label}`, resting);
      const busy = await measureAll({ quiet, crowded }, service.pid!, 1);
      print(`${noticeCount} ${label}, more are created`, busy);
      holds &&=
        resting.visits.p95 - before.visits.p95 < limits.visitDelayMs &&
        busy.visits.p95 - before.visits.p95 < limits.visitDelayMs &&
        busy.creates.count > before.creates.count * limits.share;
    }
    return holds;
  } finally {
    await stop();
  }
}

const databaseUrl = process.env.CROWDED_DATABASE_URL ?? (await createDatabase());
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
try {
  const results = [
    await run('PostgreSQL', { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'pg') }, async work => {
      const client = new pg.Client(databaseUrl);
      await client.connect();
      await work((sql, values) => client.query(sql, values));
      await client.end();
    }),
    await run('embedded database', { DATA_DIR: join(folder, 'embedded') }, async work => {
      const database = await PGlite.create(join(folder, 'embedded', 'database'));
      await work((sql, values) => database.query(sql, values));
      await database.close();
    }),
  ];
  const holds = results.every(Boolean);
  process.stdout.write(holds ? 'all checks hold\n' : 'A CHECK DOES NOT HOLD\n');
  process.exitCode = holds ? 0 : 1;
} finally {
  if (!process.env.CROWDED_DATABASE_URL) removeDatabase();
}
