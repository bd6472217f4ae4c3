import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase, removeDatabase } from './database.ts';
import { toFigures, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Measures the import of subscribers: how long 100,000 rows take, in lists of 10,000, and how long `openIncident` on the
 * same page takes meanwhile. On PostgreSQL with statistics from before the page had subscribers, and with fresh ones.
 * Checks that all rows take at most 30 seconds, and that `openIncident` takes at most 200 ms.
 */
const lists = Number(process.env.IMPORT_LISTS ?? 10);
const listSize = 10_000;
const port = 25475;
const token = randomBytes(24).toString('base64url');
const limits = { seconds: 30, openIncidentMs: 200 };

async function graphql<Data>(query: string, variables: object): Promise<Data> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 1_000));
  return data;
}

async function createPage(): Promise<string> {
  const query = 'mutation { createPage(input: { name: "Large" }) { page { id } } }';
  return (await graphql<{ createPage: { page: { id: string } } }>(query, {})).createPage.page.id;
}

interface Counts {
  added: number;
  existing: number;
}

async function importList(page: string, from: number, dryRun = false): Promise<Counts> {
  const rows = Array.from({ length: listSize }, (_, index) => {
    const number = from + index;
    return `person.${number}@example.com,+49301${String(number).padStart(7, '0')},Person,${number}`;
  });
  const csv = `email,phone_number,first_name,last_name\n${rows.join('\n')}`;
  const query = `mutation($page: ID!, $dryRun: Boolean!, $input: ImportSubscribersInput!) {
    importSubscribers(pageId: $page, dryRun: $dryRun, input: $input) { added existing }
  }`;
  const input = { csv, consentSource: 'a measurement' };
  return (await graphql<{ importSubscribers: Counts }>(query, { page, dryRun, input })).importSubscribers;
}

const openIncident = (page: string) =>
  graphql(
    `mutation($page: ID!) {
      openIncident(pageId: $page, input: { subject: "Payments fail", state: RESOLVED, shouldPublish: false }) { notice { id } }
    }`,
    { page },
  );

/** Does the work for each list in turn, with `openIncident` beside it. Returns a row of the document. */
async function measureLists(label: string, page: string, work: (from: number) => Promise<unknown>): Promise<string> {
  let isDone = false;
  const times: number[] = [];
  const beside = (async () => {
    while (!isDone) {
      const startedAt = performance.now();
      await openIncident(page);
      times.push(performance.now() - startedAt);
      await sleep(50);
    }
  })();
  const startedAt = performance.now();
  for (let list = 0; list < lists; list++) await work(list * listSize);
  const seconds = (performance.now() - startedAt) / 1000;
  isDone = true;
  await beside;
  const { p50, p95, max, count } = toFigures(times);
  if (seconds > limits.seconds || max > limits.openIncidentMs) process.exitCode = 1;
  const openIncidentMs = `${p50.toFixed(0)} / ${p95.toFixed(0)} / ${max.toFixed(0)} (${count})`;
  return `| ${label} | ${seconds.toFixed(1)} s | ${openIncidentMs} |`;
}

type Analyze = (client: pg.Client) => Promise<unknown>;

async function run(url: string | undefined, analyze: Analyze): Promise<string[]> {
  const service = await startServer('dist/cli.js start', port, {
    DATA_DIR: mkdtempSync(join(tmpdir(), 'all-clear-bench-')),
    BOOTSTRAP_TOKEN: token,
    LOG_LEVEL: 'silent',
    WORKER: 'false',
    ...(url && { DATABASE_URL: url }),
  });
  const client = url ? new pg.Client(url) : undefined;
  try {
    await client?.connect();
    // A page that the statistics know, with as many subscribers as several lists.
    const known = await createPage();
    for (let list = 0; list < 3; list++) await importList(known, list * listSize);
    if (client) await analyze(client);
    const page = await createPage();
    await openIncident(page);
    return [
      await measureLists('dry run', page, from => importList(page, from, true)),
      await measureLists('import', page, from => importList(page, from)),
      await measureLists('the same again: all exist', page, from => importList(page, from)),
    ];
  } finally {
    await client?.end();
    service.kill();
    await once(service, 'exit');
  }
}

/** Statistics that know nothing of later pages: nothing analyzes the table by itself any more. */
const freeze: Analyze = client =>
  client.query('alter table subscriber set (autovacuum_enabled = false); analyze subscriber');
const keepFresh: Analyze = client =>
  client.query('alter table subscriber set (autovacuum_enabled = true); analyze subscriber');

const givenUrl = process.env.IMPORT_DATABASE_URL;
try {
  const sections: string[] = [];
  for (const [name, analyze] of [
    ['PostgreSQL, with statistics from before the page had subscribers', freeze],
    ['PostgreSQL, with statistics by autovacuum', keepFresh],
  ] as const)
    sections.push(formatSection(name, await run(givenUrl ?? (await createDatabase()), analyze)));
  sections.push(formatSection('The embedded database', await run(undefined, async () => {})));
  writeDocument(
    'imports',
    `# Importing subscribers

Generated by \`npm run bench -- imports\`.

${lists} lists of ${listSize.toLocaleString('en')} rows, each with an e-mail address, a telephone number and a name, are imported one after the other into one
page, while \`openIncident\` is called on the same page, 50 ms after the one before. Goals: ${limits.seconds} s at most for all
rows, and ${limits.openIncidentMs} ms at most for each \`openIncident\`: ${process.exitCode ? 'not met' : 'met'}.

${sections.join('\n\n')}
`,
  );
} finally {
  if (!givenUrl) removeDatabase();
}

function formatSection(name: string, rows: string[]): string {
  return `## ${name}

| what | all rows | \`openIncident\`, p50 / p95 / max ms (calls) |
|---|---|---|
${rows.join('\n')}`;
}
