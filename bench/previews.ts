import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, removeDatabase } from './database.ts';
import { type Figures, measure, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Measures what previews cost everybody else: how long `openIncident` and the public page take while clients preview a
 * publication again and again, with everything selected. The page has 120 components and 500 notices with 4 updates
 * each. Checks that `openIncident` takes less than 200 ms, and that 19 of 20 visits are no slower by more than 20 ms.
 */
const seconds = Number(process.env.PREVIEW_SECONDS ?? 20);
const clients = 3;
const port = 25473;
const token = randomBytes(24).toString('base64url');
const base = `http://127.0.0.1:${port}`;
const limits = { openIncidentMs: 200, visitDelayMs: 20 };

const everything = `event text noticeState pageState
  audience { channel count sample } excluded { channel reason count sample }
  components { component { name } before after } warnings { code message }
  messages { page mail { subject text html } sms slack teams mastodon }`;

async function graphql<Data>(query: string, variables: object = {}): Promise<Data> {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 1_000));
  return data;
}

/** While the machine is busy the service refuses previews, so that it can answer the rest. */
async function waitIfRefused(error: Error): Promise<void> {
  if (!error.message.includes('UNAVAILABLE')) throw error;
  await sleep(100);
}

/** Sends as many fields in one document as the limits allow. */
async function writeAll<Payload>(fields: string[]): Promise<Payload[]> {
  const payloads: Payload[] = [];
  for (let start = 0; start < fields.length; start += 20) {
    const part = fields.slice(start, start + 20).map((field, index) => `a${index}: ${field}`);
    payloads.push(...Object.values(await graphql<Record<string, Payload>>(`mutation { ${part.join(' ')} }`)));
  }
  return payloads;
}

async function fillPage(): Promise<string> {
  const { createPage } = await graphql<{ createPage: { page: { id: string } } }>(
    'mutation { createPage(input: { name: "Large" }) { page { id } } }',
  );
  const page = createPage.page.id;
  const list = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, i) => write(i));
  const components = await writeAll<{ component: { id: string } }>(
    list(120, i => `createComponent(pageId: "${page}", input: { name: "Component ${i}" }) { component { id } }`),
  );
  const notices = await writeAll<{ notice: { id: string } }>(
    list(500, i => {
      const named = JSON.stringify([components[i % 120]!.component.id]);
      const state = i % 50 ? 'RESOLVED' : 'INVESTIGATING';
      return `openIncident(pageId: "${page}", input: {
        subject: "Elevated error rates ${i}", componentIds: ${named}, content: "The *first* update.", state: ${state}, shouldPublish: false
      }) { notice { id } }`;
    }),
  );
  await writeAll(
    notices.flatMap(({ notice }) =>
      list(3, i => {
        const input = `{ content: "Update ${i}: a **likely** cause was found.", shouldPublish: false }`;
        return `createNoticeUpdate(pageId: "${page}", noticeId: "${notice.id}", input: ${input}) { update: noticeUpdate { id } }`;
      }),
    ),
  );
  return page;
}

async function measureAll(page: string, previewers: number) {
  const until = performance.now() + seconds * 1000;
  const openIncident = `mutation($page: ID!) {
    openIncident(pageId: $page, input: { subject: "Real", state: RESOLVED, shouldPublish: true }) { notice { id } }
  }`;
  const preview = `query($page: ID!) {
    previewPublication(pageId: $page, input: { openIncident: { subject: "Search is slow", content: "We *look*.", shouldPublish: true } }) { ${everything} }
  }`;
  const [incidents, visits, ...previews] = await Promise.all([
    measure(until, 100, () => graphql(openIncident, { page })),
    measure(until, 10, async () => {
      const response = await fetch(`${base}/status/${page}/`);
      if (response.status !== 200) throw new Error(`visit: ${response.status}`);
      await response.arrayBuffer();
    }),
    ...Array.from({ length: previewers }, () =>
      measure(until, 0, () => graphql(preview, { page }).catch(waitIfRefused)),
    ),
  ]);
  return { incidents: incidents!, visits: visits!, previews };
}

/** Returns the rows of the document. */
async function run(environment: Record<string, string>): Promise<string> {
  const service = await startServer('dist/cli.js start', port, {
    DATA_DIR: mkdtempSync(join(tmpdir(), 'all-clear-bench-')),
    BOOTSTRAP_TOKEN: token,
    LOG_LEVEL: 'silent',
    WORKER: 'false',
    ...environment,
  });
  try {
    const page = await fillPage();
    await fetch(`${base}/status/${page}/`);
    await measureAll(page, 1);
    const without = await measureAll(page, 0);
    const during = await measureAll(page, clients);
    const isOpenedInTime = during.incidents.max < limits.openIncidentMs;
    const isPageInTime = during.visits.p95 - without.visits.p95 < limits.visitDelayMs;
    if (!isOpenedInTime || !isPageInTime) process.exitCode = 1;
    const row = (label: string, { p50, p95, max, count }: Figures, goal = '') =>
      `| ${label} | ${p50.toFixed(0)} / ${p95.toFixed(0)} / ${max.toFixed(0)} | ${count} | ${goal} |`;
    const state = (isMet: boolean) => (isMet ? 'met' : 'not met');
    return [
      row('`openIncident`', without.incidents),
      row(
        '`openIncident` during previews',
        during.incidents,
        `max ${limits.openIncidentMs} ms: ${state(isOpenedInTime)}`,
      ),
      row('the public page', without.visits),
      row(
        'the public page during previews',
        during.visits,
        `p95 ${limits.visitDelayMs} ms more: ${state(isPageInTime)}`,
      ),
      ...during.previews.map(figures => row('a preview', figures)),
    ].join('\n');
  } finally {
    service.kill();
    await once(service, 'exit');
  }
}

const databaseUrl = process.env.PREVIEW_DATABASE_URL ?? (await createDatabase());
try {
  const head = '| what | p50 / p95 / max ms | calls | goal |\n|---|---|---|---|';
  const onPostgres = await run({ DATABASE_URL: databaseUrl });
  const embedded = await run({});
  writeDocument(
    'previews',
    `# Beside previews

Generated by \`npm run bench -- previews\`.

${clients} clients preview everything that a publication sends, one preview after another. Meanwhile incidents are opened on the same page, and
its public page is requested.

## PostgreSQL

${head}
${onPostgres}

## The embedded database

${head}
${embedded}
`,
  );
} finally {
  if (!process.env.PREVIEW_DATABASE_URL) removeDatabase();
}
