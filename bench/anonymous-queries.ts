import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { createDatabase, removeDatabase } from './database.ts';
import { type Figures, measure, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Writes docs/performance/anonymous-queries.md: how long visitors and writers wait while expensive GraphQL queries arrive
 * without a token, about a page of 3,000 notices.
 */
const seconds = Number(process.env.QUERY_SECONDS ?? 15);
const perSecond = Number(process.env.QUERY_RATE ?? 20);
const noticeCount = Number(process.env.QUERY_NOTICES ?? 3_000);
const port = 25476;
const token = randomBytes(24).toString('base64url');
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });
const goals = { visitMs: 50, writeMs: 500, addedMb: 100 };
/** Of requests whose variables are kept by nobody. */
const mutations = { count: 1_000, bytes: 900_000 };

interface Response {
  status: number;
  text: string;
}

function send(method: string, path: string, body = '', headers: Record<string, string> = {}): Promise<Response> {
  return new Promise((done, fail) => {
    const sent = request({ port, path, method, agent, headers }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', part => (text += part));
      response.on('end', () => done({ status: response.statusCode!, text }));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

async function create(path: string, body: object): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const { status, text } = await send('POST', `/v1/pages${path}`, JSON.stringify(body), headers);
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  return (JSON.parse(text) as { response: { id: string } }).response.id;
}

async function createPage(name: string): Promise<string> {
  const id = await create('', { name });
  for (let number = 1; number <= 10; number++) await create(`/${id}/components`, { name: `Component ${number}` });
  return id;
}

/** Inserts what the API would create: notices of the last six days, each with three updates and two components. */
const fill = `
  with made as (
    insert into notice (page_id, type, subject, synopsis, state, began_at, ended_at, path, named_components,
      created_at, updated_at)
    select $1, 'unplanned', 'Incident ' || n, 'Update', 'resolved', at, at + interval '10 minutes',
      substr(md5('x' || n), 1, 16) || '-incident-' || n, true, at, at
    from (
      select n, date_trunc('milliseconds', now() - interval '6 days' * n / ${noticeCount}) as at
      from generate_series(1, ${noticeCount}) n) past
    returning id, created_at
  ), updates as (
    insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
    select id, repeat('We see an elevated rate of errors and look into it. ', 4), created_at, created_at, created_at
    from made, generate_series(1, 3)
  )
  insert into notice_component
  select made.id, component.id from made, component
  where component.page_id = $1 and (component.id + made.id) % 5 = 0`;

const lists = (count: number, write: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_, index) => write(index)).join(' ')} }`;
const list = (page: string, filter: string) =>
  `page(id: "${page}") { notices(first: 100, filter: { ${filter} }) { nodes { subject } } }`;
const pattern = '%a%e%i%o%u%a%e%i%o%uzz0%';

/** The name of what is queried to the text of the query. */
const queries: Record<string, (page: string) => string> = {
  nothing: () => '',
  'text in associated records, 20 lists': page =>
    lists(
      20,
      index =>
        `a${index}: ${list(page, `updates: { content: { matches: "${pattern}" } }, subject: { notEq: "x" }, components: { name: { notEq: "zz" } }`)}`,
    ),
  'text in the records, 20 lists': page =>
    lists(
      20,
      index => `a${index}: ${list(page, `subject: { matches: "${pattern}" }, tagList: { matches: "${pattern}" }`)}`,
    ),
  'associated records, 11 lists, as costly as is allowed': page =>
    lists(
      11,
      index =>
        `a${index}: ${list(page, 'updates: { content: { notEq: "x" } }, subject: { notEq: "x" }, components: { name: { notEq: "zz" } }')}`,
    ),
  'one list with 23 conditions on associated records': page =>
    `{ a: ${list(page, `updates: { content: { ${['eq', 'notEq', 'gt', 'lt', 'gteq', 'lteq'].map(name => `${name}: "x"`).join(', ')} }, createdAt: { ${['eq', 'notEq', 'gt', 'lt', 'gteq', 'lteq'].map(name => `${name}: "2026-01-01T00:00:00Z"`).join(', ')} } }, components: { name: { ${['notEq', 'gt', 'lt', 'gteq', 'lteq'].map(name => `${name}: "zz"`).join(', ')} }, createdAt: { ${['eq', 'notEq', 'gt', 'lt', 'gteq', 'lteq'].map(name => `${name}: "2026-01-01T00:00:00Z"`).join(', ')} } }`)} }`,
};

/** What happened to a query. */
function classify({ status, text }: Response): string {
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  if (code === 'GRAPHQL_VALIDATION_FAILED') throw new Error(text);
  return code ? `${status} ${code}` : String(status);
}

async function flood(until: number, query: string): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  if (!query) return outcomes;
  const body = JSON.stringify({ query });
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; performance.now() < until; await sleep(5))
    for (; number < ((performance.now() - startedAt) / 1000) * perSecond; number++)
      sent.push(
        send('POST', '/graphql', body, { 'Content-Type': 'application/json' }).then(response => {
          const outcome = classify(response);
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }),
      );
  await Promise.all(sent);
  return outcomes;
}

interface Row {
  name: string;
  /** Of the query, in bytes. */
  size: number;
  outcomes: Record<string, number>;
  visits: Figures;
  writes: Figures;
}

function renderRow({ name, size, outcomes, visits, writes }: Row): string {
  const format = ({ p50, p95, max }: Figures) => [p50, p95, max].map(value => value.toFixed(0)).join(' / ');
  const answers = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  return `| ${[name, size, answers.join(', '), format(visits), format(writes)].join(' | ')} |`;
}

const renderTable = (name: string, rows: readonly Row[]) => `## ${name}

| what is queried | bytes | answers | visit of a page, p50 / p95 / max ms | write |
|---|---|---|---|---|
${rows.map(renderRow).join('\n')}
`;

type Insert = (sql: string, values: unknown[]) => Promise<void>;

/** The service restarts for the insertion, since an embedded database has one process. */
async function run(settings: Record<string, string>, insert: Insert): Promise<Row[]> {
  const start = () =>
    startServer('dist/cli.js start', port, {
      BOOTSTRAP_TOKEN: token,
      LOG_LEVEL: 'silent',
      WORKER: 'false',
      ...settings,
    });
  let service = await start();
  const stop = async () => {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
  };
  try {
    const crowded = await createPage('Crowded');
    const other = await createPage('Other');
    await stop();
    await insert(fill, [crowded]);
    service = await start();
    const visit = async () => {
      const { status } = await send('GET', `/status/${other}/`, '', { 'Accept-Encoding': 'br' });
      if (status !== 200) throw new Error(`visit: ${status}`);
    };
    const write = () => create(`/${other}/notices`, { subject: 'Slow', initial_comment: 'Hm.', state: 'resolved' });
    for (let count = 0; count < 50; count++) await write();
    const rows: Row[] = [];
    for (const [name, createQuery] of Object.entries(queries)) {
      const query = createQuery(crowded);
      const until = performance.now() + seconds * 1000;
      const [outcomes, visits, writes] = await Promise.all([
        flood(until, query),
        measure(until, 10, visit),
        measure(until, 100, write),
      ]);
      rows.push({ name, size: query.length, outcomes, visits, writes });
    }
    return rows;
  } finally {
    await stop();
  }
}

/** The memory of a process that is not shared, in megabytes. Linux only. */
const readMemory = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

interface Memory {
  before: number;
  highest: number;
  /** After the first ones, by which the heap of Node grows to what a request needs, and after as many again. */
  afterFirst: number;
  afterSecond: number;
  outcomes: Record<string, number>;
}

/** Sends mutations with an image, each with a name of its own, that are refused since there is no token. */
async function measureMemory(settings: Record<string, string>): Promise<Memory> {
  const service = await startServer('dist/cli.js start', port, { LOG_LEVEL: 'silent', WORKER: 'false', ...settings });
  try {
    const pid = service.pid!;
    const image = Buffer.alloc((mutations.bytes * 3) / 4, 'x').toString('base64');
    const outcomes: Record<string, number> = {};
    const upload = async (number: number) => {
      const query = `mutation Upload${number}($image: Bytes!) { uploadImage(pageId: "2017f84a", input: { data: $image }) { height } }`;
      const body = JSON.stringify({ query, variables: { image } });
      const outcome = classify(await send('POST', '/graphql', body, { 'Content-Type': 'application/json' }));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    };
    await sleep(2_000);
    const before = readMemory(pid);
    let highest = before;
    const sendFrom = async (first: number): Promise<number> => {
      for (let number = first; number < first + mutations.count; number += 4) {
        await Promise.all([0, 1, 2, 3].map(index => upload(number + index)));
        highest = Math.max(highest, readMemory(pid));
      }
      await sleep(2_000);
      return readMemory(pid);
    };
    const afterFirst = await sendFrom(0);
    const afterSecond = await sendFrom(mutations.count);
    return { before, highest, afterFirst, afterSecond, outcomes };
  } finally {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
  }
}

const renderMemory = ({ before, highest, afterFirst, afterSecond, outcomes }: Memory): string => `## Memory

Twice ${mutations.count.toLocaleString('en')} mutations without a token, each with ${mutations.bytes / 1_000_000} MB of variables and another name, 4 at a time, on the embedded
database. By the first ones the heap of Node grows to what requests of this size need. Goal: the second add at most ${goals.addedMb} MB: ${afterSecond - afterFirst <= goals.addedMb ? 'met' : 'not met'}.

| answers | before, MB | highest | after ${mutations.count.toLocaleString('en')} | after ${(2 * mutations.count).toLocaleString('en')} |
|---|---|---|---|---|
| ${Object.entries(outcomes)
  .map(([outcome, count]) => `${count} × ${outcome}`)
  .join(', ')} | ${[before, highest, afterFirst, afterSecond].map(mb => mb.toFixed(0)).join(' | ')} |
`;

const databaseUrl = process.env.QUERY_DATABASE_URL ?? (await createDatabase());
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
const insertIntoPostgresql: Insert = async (sql, values) => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(sql, values);
  await client.query('analyze');
  await client.end();
};
const insertIntoEmbedded: Insert = async (sql, values) => {
  const database = await PGlite.create(join(folder, 'embedded', 'database'));
  await database.query(sql, values);
  await database.query('analyze');
  await database.close();
};
try {
  const postgresql = await run({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'pg') }, insertIntoPostgresql);
  const embedded = await run({ DATA_DIR: join(folder, 'embedded') }, insertIntoEmbedded);
  const memory = await measureMemory({ DATA_DIR: join(folder, 'memory') });
  const hold = [...postgresql, ...embedded].every(
    ({ visits, writes }) => visits.p50 <= goals.visitMs && writes.p50 <= goals.writeMs,
  );
  writeDocument(
    'anonymous-queries',
    `# Expensive queries without a token

Generated by \`npm run bench -- anonymous-queries\`.

${perSecond} GraphQL queries a second for ${seconds} seconds, without a token, about a page of ${noticeCount.toLocaleString('en')} notices, with \`RATE_LIMIT=0\`, as if each came from
an address of its own. Goals: half of the visits of a page take at most ${goals.visitMs} ms, and half of the writes at most
${goals.writeMs} ms: ${hold ? 'met' : 'not met'}. A write opens an incident on another page.

${renderTable('PostgreSQL', postgresql)}
${renderTable('Embedded database', embedded)}
${renderMemory(memory)}`,
  );
} finally {
  agent.destroy();
  if (!process.env.QUERY_DATABASE_URL) removeDatabase();
}
