import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { analyze, createDatabase, insertToken, removeDatabase, runFile } from './database.ts';
import { writeDocument } from './figures.ts';
import { load, type Run, type Target } from './load.ts';
import { startServer } from './servers.ts';

/**
 * Measures how fast incidents are created, compared with pgbench and with `node:http` and `pg` that write the same rows.
 * They get the same load in turn, round by round. Only ratios within one run are meaningful.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = 2;
const warmUpSeconds = 5;
const clients = 8;
const token = randomBytes(24).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'all-clear-writes-'));
const servicePort = 25483;
const limitPort = 25484;
const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
const comment = 'We are looking into elevated error rates for requests in this region.';

/** The bodies are made by wrk; `%d` and `%s` are the page and its components. */
const mutation =
  'mutation($page: ID!, $input: OpenIncidentInput!) { openIncident(pageId: $page, input: $input) ' +
  '{ notice { id subject state createdAt updates { nodes { id content } } components { nodes { id state } } } } }';
const randomPage = 'local page = math.random(2000)\nlocal id = string.format("%08x", page)';
const components = 'page * 10 - 9, page * 10 - 4';
const restBody = JSON.stringify({ subject: 'Elevated error rates', initial_comment: comment, component_ids: '@' });
const graphqlInput = { subject: 'Elevated error rates', content: comment, componentIds: '@', shouldPublish: false };
const graphqlBody = JSON.stringify({ query: mutation, variables: { page: '%s', input: graphqlInput } });
const quote = (text: string) => JSON.stringify(text.replace('"@"', '[%d,%d]'));
const targets: Target[] = [
  {
    name: '`node:http` and `pg`, the same statements by hand',
    url: `http://127.0.0.1:${limitPort}/`,
    headers,
    request: `${randomPage}\nreturn wrk.format("POST", "/", nil, string.format('{"page":%d}', page))`,
  },
  {
    name: 'All Clear, POST /v1',
    url: `http://127.0.0.1:${servicePort}/`,
    headers,
    request:
      `${randomPage}\nreturn wrk.format("POST", "/v1/pages/" .. id .. "/notices?include=updates,components", nil, ` +
      `string.format(${quote(restBody)}, ${components}))`,
  },
  {
    name: 'All Clear, POST /graphql',
    url: `http://127.0.0.1:${servicePort}/`,
    headers,
    request: `${randomPage}\nreturn wrk.format("POST", "/graphql", nil, string.format(${quote(graphqlBody)}, id, ${components}))`,
  },
];

const children: ChildProcess[] = [];
try {
  const url = await createDatabase();
  const environment = { DATABASE_URL: url, PUBLIC_URL: 'http://status.test:3000', DATA_DIR: folder };
  children.push(await startServer('dist/cli.js start', servicePort, environment));
  await runFile(url, new URL('writes.sql', import.meta.url));
  await insertToken(url, token, 'owner');
  children.push(await startServer('bench/write-limit.ts', limitPort, environment));
  const script = join(folder, 'create.sql');
  const { pgbenchScript } = await import('./write-statements.ts');
  writeFileSync(script, pgbenchScript);

  const many: Run[][] = targets.map(() => []);
  const single: Run[][] = targets.map(() => []);
  const pgbench: number[] = [];
  for (const target of targets) await load(target, warmUpSeconds, clients);
  await analyze(url);
  for (let round = 0; round < rounds; round++) {
    pgbench.push(await runPgbench(url, script));
    for (const [index, target] of targets.entries()) many[index]!.push(await load(target, seconds, clients));
    for (const [index, target] of targets.entries()) single[index]!.push(await load(target, seconds, 1));
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  await checkRows(url);
  report(pgbench, many, single);
} finally {
  for (const child of children) child.kill();
  removeDatabase();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the transactions per second. */
async function runPgbench(url: string, script: string): Promise<number> {
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', script, url];
  const { stdout } = await promisify(execFile)('pgbench', options);
  return Number(/^tps = ([\d.]+)/m.exec(stdout)![1]);
}

/** Every way to write has to leave at least the same rows; the audit log of All Clear also has changes of components. */
async function checkRows(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const count = (select: string) => `(select ${select} group by 1) `;
  const { rows } = await client.query(
    `select distinct updates.n as updates, components.n as components, changes.n as changes from notice
     left join ${count('notice_id as id, count(*) as n from notice_update')} updates on updates.id = notice.id
     left join ${count('notice_id as id, count(*) as n from notice_component')} components on components.id = notice.id
     left join ${count('subject_id::integer as id, count(*) as n from audit_entry e join audit_change c on c.entry_id = e.id')}
       changes on changes.id = notice.id`,
  );
  await client.end();
  const isComplete = rows.every(
    ({ updates, components, changes }) => updates === '1' && components === '2' && changes >= 20,
  );
  if (!rows.length || !isComplete) throw new Error(`Rows of incidents are missing: ${JSON.stringify(rows)}`);
}

function report(pgbench: number[], many: Run[][], single: Run[][]): void {
  const rate = (runs: Run[]) => median(runs.map(({ perSecond }) => perSecond));
  const ratio = (runs: Run[]) => median(runs.map(({ perSecond }, round) => perSecond / pgbench[round]!));
  const times = (runs: Run[]) => median(runs.map(({ p50Ms }, round) => p50Ms / single[0]![round]!.p50Ms));
  const p50 = (runs: Run[]) => median(runs.map(({ p50Ms }) => p50Ms)).toFixed(1);
  const errors = (index: number) => [...many[index]!, ...single[index]!].reduce((sum, run) => sum + run.errors, 0);
  const rows = targets.map(({ name }, index) => {
    const cells = [
      ratio(many[index]!).toFixed(2),
      rate(many[index]!).toFixed(0),
      p50(many[index]!),
      p50(single[index]!),
    ];
    return `| ${[name, ...cells, times(single[index]!).toFixed(1), errors(index)].join(' | ')} |`;
  });
  const goals = [1, 2].flatMap(index => {
    const share = ratio(many[index]!);
    const slower = times(single[index]!);
    const name = targets[index]!.name.replace('All Clear, POST ', '');
    return [
      `| ${name} to pgbench | at least 0.12 | ${share.toFixed(2)} | ${share >= 0.12 ? 'met' : 'not met'} |`,
      `| p50 of ${name} to \`node:http\` and \`pg\`, one client | at most 3.0 | ${slower.toFixed(1)} | ${slower <= 3 ? 'met' : 'not met'} |`,
    ];
  });
  writeDocument(
    'writes',
    `# How fast incidents are created

Generated by \`npm run bench -- writes\`.

An incident with a comment and two components, on a random one of 2,000 pages with 10 components each, without publishing
it. Each way writes the same rows, with 20 of the audit log (counted after the measurement), and reads the incident back. PostgreSQL does not wait for the disk (\`fsync = off\`).

| | ratio to pgbench | incidents per second, ${clients} clients | p50 ms | p50 ms of one client | ratio to \`pg\` by hand | errors |
|---|---|---|---|---|---|---|
| \`pgbench\`, prepared statements | 1.00 | ${median(pgbench).toFixed(0)} | | | | |
${rows.join('\n')}

| goal | | this run | |
|---|---|---|---|
${goals.join('\n')}

Ratios are medians of the ratios within each of ${rounds} rounds of ${seconds} s.
`,
  );
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
