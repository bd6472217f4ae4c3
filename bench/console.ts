import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { findBrowser } from '../test/support/find-browser.ts';
import { createDatabase, removeDatabase } from './database.ts';
import { toFigures, writeDocument } from './figures.ts';
import { startServer } from './servers.ts';

/**
 * Measures an incident in the console, from the first look to resolved, on the screen of a phone with a slow processor
 * and a slow network. The browser begins each run with an empty cache.
 */
const runs = Number(process.env.BENCH_RUNS ?? 20);
const subject = 'Card payments are declined for some customers since 2:00 pm.';
const msPerKey = 200;
const slowdown = 4;
/** The slow 4G of Lighthouse. */
const network = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 };
const goals = { seconds: 30, taps: 6 };
const port = 25480;
const url = `http://localhost:${port}`;
const token = randomBytes(24).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));

/** Seconds since the first look. */
interface Run {
  opened: number;
  typed: number;
  published: number;
  notified: number;
  resolved: number;
  taps: number;
}

const children: ChildProcess[] = [];
let browser: Browser | undefined;
try {
  const sink = fork(new URL('mail-sink.ts', import.meta.url));
  children.push(sink);
  const [{ port: smtpPort }] = (await once(sink, 'message')) as [{ port: number }];
  const mail = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: 'status@example.com' };
  const environment = { DATABASE_URL: await createDatabase(), DATA_DIR: folder, PUBLIC_URL: url, ...mail };
  const service = { ...environment, HOST: 'localhost', BOOTSTRAP_TOKEN: token };
  children.push(await startServer('dist/cli.js start', port, service));
  await createContent();
  browser = await chromium.launch(await findBrowser());
  const storageState = await signIn(browser, environment);
  const measured: Run[] = [];
  for (let number = 0; number < runs; number++) {
    const context = await browser.newContext({ storageState, viewport: { width: 360, height: 740 }, hasTouch: true });
    measured.push(await resolveIncident(await context.newPage()));
    await context.close();
  }
  report(measured);
} finally {
  await browser?.close();
  for (const child of children) child.kill();
  removeDatabase();
  rmSync(folder, { recursive: true, force: true });
}

async function createContent(): Promise<void> {
  const ask = async (query: string, variables: object) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a script reads what it asked for
    const { data, errors } = (await response.json()) as any;
    if (errors) throw new Error(JSON.stringify(errors).slice(0, 1_000));
    return data;
  };
  const create =
    'mutation { createPage(input: { name: "Meridian", shouldSendNotificationsByEmail: true }) { page { id } } }';
  const { id } = (await ask(create, {})).createPage.page;
  for (const name of ['Website', 'Card payments', 'Invoices', 'Tracking'])
    await ask(
      'mutation($page: ID!, $name: String!) { createComponent(pageId: $page, input: { name: $name }) { component { id } } }',
      { page: id, name },
    );
  const csv = ['email', ...Array.from({ length: 100 }, (_, index) => `reader-${index}@example.com`)].join('\n');
  await ask(
    `mutation($page: ID!, $csv: String!) {
      importSubscribers(pageId: $page, input: { csv: $csv, consentSource: "a measurement" }, dryRun: false) { added } }`,
    { page: id, csv },
  );
}

async function signIn(inside: Browser, environment: Record<string, string>) {
  const invitation = ['dist/cli.js', 'people', 'invite', 'anna@example.com', '--role', 'publisher'];
  const env = { ...process.env, ...environment };
  const output = execFileSync(process.execPath, invitation, { env, encoding: 'utf8' });
  const context = await inside.newContext();
  const page = await context.newPage();
  await page.goto(/http\S+/.exec(output)![0]);
  await page.getByRole('button').click();
  await page.waitForURL('**/console/**');
  const state = await context.storageState();
  await context.close();
  return state;
}

/** From the first look at the console until the incident is resolved, with the seconds until each step. */
async function resolveIncident(page: Page): Promise<Run> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  let taps = 0;
  const tap = (target: Locator) => {
    taps += 1;
    return target.tap();
  };
  await page.goto(`${url}/console/`);
  await tap(page.getByRole('link', { name: 'Report an incident' }));
  await page.getByLabel('Subject').waitFor();
  const opened = elapsed();
  await page.keyboard.type(subject, { delay: msPerKey });
  const typed = elapsed();
  await tap(page.getByLabel('Card payments'));
  await tap(page.getByRole('button', { name: 'Publish and notify 100 people' }));
  await page.waitForURL(/\/notices\/\d+\?publication=\d+$/);
  const published = elapsed();
  const tapsToPublish = taps;
  await page.getByText('Done: 100 of 100 sent').waitFor();
  const notified = elapsed();
  await tap(page.getByText('Resolved', { exact: true }));
  await tap(page.getByRole('button', { name: 'Publish and notify 100 people' }));
  await page.locator('ol').getByText('This is resolved.').waitFor();
  return { opened, typed, published, notified, resolved: elapsed(), taps: tapsToPublish };
}

function report(measured: Run[]): void {
  const secondsOf = (select: (run: Run) => number) => toFigures(measured.map(select));
  const row = (what: string, { p50, max }: { p50: number; max: number }, goal: number | null) =>
    `| ${what} | ${goal ?? ''} | ${p50.toFixed(1)} | ${max.toFixed(1)} | ${goal === null ? '' : p50 <= goal ? 'met' : 'not met'} |`;
  const taps = Math.max(...measured.map(run => run.taps));
  writeDocument(
    'console',
    `# An incident in the console, on a phone

Generated by \`npm run bench -- console\`.

A person opens the console on a screen of 360 px, reports an incident, and resolves it when all 100 subscribers are
notified. The processor is slowed down ${slowdown} times, the network has a latency of ${network.latency} ms and ${(network.downloadThroughput * 8) / 1_024_000} Mbit/s, and the
cache is empty. The subject has ${subject.length} characters, typed at ${msPerKey} ms a key: ${(subject.length * msPerKey) / 1_000} s of the time. The text stands there
already. Messages of a person wait 10 s before they leave, so that they can be stopped: that is in the time, too. ${measured.length} runs.

| seconds from the first look | goal | p50 | slowest | |
|---|---|---|---|---|
${row(
  'published on the page',
  secondsOf(run => run.published),
  null,
)}
${row(
  'everybody is notified',
  secondsOf(run => run.notified),
  goals.seconds,
)}
${row(
  'resolved',
  secondsOf(run => run.resolved),
  null,
)}

Taps until it is published and everybody is being notified: ${taps}, of at most ${goals.taps}${taps <= goals.taps ? '' : ': not met'}.
`,
  );
}
