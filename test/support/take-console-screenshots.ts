import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser } from './find-browser.js';
import { startMailServer } from './mail-server.js';

/** Part of `npm run screenshots`: pictures of the console of a service with the demonstration page. */
const folder = process.argv[2] ?? 'docs/screenshots';
const only = process.argv[3];
const dataDir = mkdtempSync(join(tmpdir(), 'all-clear-console-'));
const port = await findFreePort();
const url = `http://localhost:${port}`;
const token = 'bootstrap-token-of-the-screenshots-0123456789';
// Some addresses are refused, as everywhere.
const mailServer = await startMailServer({
  refuse: to => (/^reader-\d*77@/.test(to) ? '550 5.1.1 No such user' : undefined),
});
const env = {
  ...process.env,
  PORT: String(port),
  HOST: 'localhost',
  PUBLIC_URL: url,
  DATA_DIR: dataDir,
  BOOTSTRAP_TOKEN: token,
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'status@meridian.example',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '0',
};
const service = spawn(process.execPath, ['dist/cli.js', 'start'], { env, stdio: 'ignore' });

interface Screenshot {
  path: string;
  prepare?(page: Page): Promise<unknown>;
}

try {
  await waitUntilReady();
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['dist/cli.js', ...args], { env, encoding: 'utf8' });
  const [link] = /http\S+/.exec(run('people', 'invite', 'ines@meridian.example', '--role', 'owner'))!;
  const browser = await chromium.launch(await findBrowser());
  const context = await browser.newContext();
  const signInPage = await context.newPage();
  await signInPage.goto(link);
  await signInPage.getByRole('button').click();
  await signInPage.waitForURL('**/console/**');
  const storageState = await context.storageState();
  const firstRun = { path: '/', prepare: (page: Page) => page.getByLabel('Name').fill('Meridian Freight') };
  await take(browser, storageState, { 'first-run': firstRun });
  run('demo');
  const { pageId, noticeId, draftId } = await addContent();
  /** On a phone it opens by a button. */
  const waitForPreview = async (page: Page, text: string) => {
    if (await page.getByRole('button', { name: 'Preview' }).isVisible()) return;
    await page.frameLocator('iframe').getByText(text).filter({ visible: true }).first().waitFor();
  };
  const compose = async (page: Page) => {
    await page.getByLabel('Subject').fill('Some card payments fail');
    await page.getByRole('button', { name: 'components of Billing' }).click();
    await page.getByLabel('Card payments', { exact: true }).check();
    await page.getByRole('button', { name: /notify \d/ }).waitFor();
    await waitForPreview(page, 'Some card payments fail');
    await page.evaluate('scrollTo(0, 0)');
  };
  const waitForRows = (page: Page) => page.locator('main li').first().waitFor();
  const screenshots: Record<string, Screenshot> = {
    home: {
      path: '/',
      prepare: (page: Page) => page.getByRole('list', { name: 'What visitors see' }).waitFor(),
    },
    compose: { path: '/new/incident', prepare: compose },
    maintenance: {
      path: '/new/maintenance',
      prepare: async page => {
        await page.getByLabel('Subject').fill('Invoices move to a new database');
        await page.getByText('Page (').waitFor();
        await waitForPreview(page, 'Invoices move');
        await page.evaluate('scrollTo(0, 0)');
      },
    },
    notice: {
      path: `/pages/${pageId}/notices/${noticeId}`,
      prepare: async page => {
        await page.getByText('Resolved', { exact: true }).last().click();
        await page.getByRole('button', { name: /notify \d/ }).waitFor();
      },
    },
    notices: { path: `/pages/${pageId}/notices`, prepare: waitForRows },
    drafts: { path: `/pages/${pageId}/drafts`, prepare: waitForRows },
    review: { path: `/pages/${pageId}/drafts/${draftId}`, prepare: page => page.locator('iframe').waitFor() },
    appearance: {
      path: `/pages/${pageId}/appearance`,
      prepare: async page => {
        await page.getByLabel('Links', { exact: true }).fill('#7fb2d9');
        await page.getByText('Incident', { exact: true }).first().click();
        await page.frameLocator('iframe').getByText('Some requests fail').first().waitFor();
        await page.evaluate('scrollTo(0, 0)');
      },
    },
    channels: { path: `/pages/${pageId}/channels` },
    domain: { path: `/pages/${pageId}/domain` },
    components: { path: `/pages/${pageId}/components`, prepare: waitForRows },
    subscribers: { path: `/pages/${pageId}/subscribers`, prepare: waitForRows },
    deliveries: { path: `/pages/${pageId}/deliveries`, prepare: page => page.getByText('0 waiting').waitFor() },
    metrics: { path: `/pages/${pageId}/metrics`, prepare: waitForRows },
    templates: { path: `/pages/${pageId}/templates`, prepare: waitForRows },
    settings: { path: `/pages/${pageId}/settings` },
    tokens: { path: '/tokens' },
    account: { path: '/account' },
    audit: { path: '/audit', prepare: waitForRows },
  };
  await take(browser, storageState, screenshots);
  await browser.close();
} finally {
  service.kill();
  await mailServer.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function take(
  browser: Browser,
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>,
  screenshots: Record<string, Screenshot>,
): Promise<void> {
  const views = {
    '': { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    '-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
    '-phone': { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
    '-phone-dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  } as const;
  for (const [suffix, view] of Object.entries(views)) {
    const viewed = await browser.newContext({ ...view, storageState, timezoneId: 'America/New_York', locale: 'en-GB' });
    for (const [name, { path, prepare }] of Object.entries(screenshots)) {
      if (only && !only.split(',').includes(name)) continue;
      const page = await viewed.newPage();
      await page.goto(`${url}/console${path}`);
      await page.locator('h1').waitFor();
      await prepare?.(page);
      await page.screenshot({
        path: `${folder}/console-${name}${suffix}.png`,
        fullPage: Boolean(process.env.FULL_PAGE),
      });
      await page.close();
    }
    await viewed.close();
  }
}

async function addContent(): Promise<{ pageId: string; noticeId: string; draftId: string }> {
  const ask = async (query: string, variables: object = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a script reads what it asked for
    return (await response.json()) as any;
  };
  const { data } = await ask(
    '{ pages { nodes { id notices(filter: { type: { eq: UNPLANNED }, timelineState: { eq: PRESENT } }) { nodes { id } } } } }',
  );
  const [page] = data.pages.nodes;
  const csv = ['email', ...Array.from({ length: 1_204 }, (_, index) => `reader-${index}@customer.example`)].join('\n');
  await ask(
    'mutation($page: ID!, $csv: String!) { importSubscribers(pageId: $page, input: { csv: $csv, consentSource: "demo" }, dryRun: false) { added userErrors { message } } }',
    { page: page.id, csv },
  );
  await ask(
    'mutation($page: ID!) { createNoticeTemplate(pageId: $page, input: { name: "Card payments", type: UNPLANNED, subject: "Some card payments fail" }) { template: noticeTemplate { id } } }',
    { page: page.id },
  );
  await ask(
    'mutation($page: ID!) { announce(pageId: $page, input: { subject: "Invoices of October are ready", content: "You find them in the portal.", shouldPublish: true }) { notice { id } } }',
    { page: page.id },
  );
  for (const [name, unit] of [
    ['Response time', 'ms'],
    ['Orders waiting', ''],
  ])
    await ask(
      'mutation($page: ID!, $name: String!, $unit: String) { createMetric(pageId: $page, input: { name: $name, unit: $unit }) { metric { id } } }',
      { page: page.id, name, unit },
    );
  const draft = await ask(
    'mutation($page: ID!) { saveDraft(pageId: $page, input: { announce: { subject: "Opening hours in December", content: "We answer from 8:00 to 18:00 until 23 December.", shouldPublish: false } }) { draft { id } } }',
    { page: page.id },
  );
  return { pageId: page.id, noticeId: page.notices.nodes[0].id, draftId: draft.data.saveDraft.draft.id };
}

async function waitUntilReady(): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await new Promise(done => setTimeout(done, 100))) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error('The service does not start.');
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, 'localhost', () => {
      const { port: free } = server.address() as AddressInfo;
      server.close(() => resolve(free));
    });
  });
}
