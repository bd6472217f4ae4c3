import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { build, preview, type PreviewServer } from 'vite';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { createComponent, createPage } from '../support/factories.js';
import { propertyRuns } from '../support/property-runs.js';
import { useOwnService } from '../support/service.js';

/** examples/frontend, built as its README says and served from another origin than the service. */
describeInBrowser('the example of a frontend', () => {
  const root = fileURLToPath(new URL('../../examples/frontend/', import.meta.url));
  const browser = useBrowser();
  const service = useOwnService();
  let server: PreviewServer;
  let origin: string;
  let outDir: string;
  const problems: string[] = [];
  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'frontend-'));
    const define = { 'import.meta.env.VITE_SERVICE_URL': JSON.stringify(service.url) };
    await build({ root, define, logLevel: 'silent', build: { outDir, emptyOutDir: true } });
    server = await preview({ root, logLevel: 'silent', build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
    origin = new URL(server.resolvedUrls!.local[0]!).origin;
  });
  afterAll(async () => {
    await server.close();
    await rm(outDir, { recursive: true });
  });

  async function show(path: string): Promise<Page> {
    const page = await browser.newPage();
    page.on('console', message => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', error => problems.push(error.message));
    await page.goto(`${origin}${path}`);
    return page;
  }

  test('shows a page, and its changes when they happen, without a token', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    const api = await createComponent(service, path, { name: 'Booking API' });
    const page = await show(`/?page=${id}`);
    await page.locator('h1', { hasText: 'Meridian Freight' }).waitFor();
    await page.locator('li[data-status=OPERATIONAL]', { hasText: 'Booking API' }).waitFor();
    expect(await page.locator('.banner').getAttribute('data-status')).toBe('OPERATIONAL');

    const input = {
      subject: 'Bookings fail',
      content: 'We are **looking**.',
      componentIds: [api.id],
      shouldPublish: false,
    };
    const { json } = await service.graphql(
      'mutation($page: ID!, $input: OpenIncidentInput!) { openIncident(pageId: $page, input: $input) { notice { id link } } }',
      { page: id, input },
    );
    const { notice } = json.data.openIncident;
    await page.locator('article', { hasText: 'Bookings fail' }).waitFor();
    expect(await page.locator('article strong').textContent()).toBe('looking');
    expect(await page.locator('article a').first().getAttribute('href')).toBe(notice.link);
    expect(await page.locator('li').getAttribute('data-status')).toBe('DEGRADED');
    expect(await page.locator('.banner').getAttribute('data-status')).toBe('DEGRADED');

    const solved =
      'mutation($id: ID!) { advanceNotice(id: $id, input: { state: RESOLVED, shouldPublish: false }) { notice { id } } }';
    await service.graphql(solved, { id: notice.id });
    await page.locator('.banner[data-status=OPERATIONAL]').waitFor();
    expect(await page.locator('article').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('keeps what it shows while the service is busy, and reads it again', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    const page = await browser.newPage();
    const body = (code: string) =>
      JSON.stringify({ errors: [{ message: 'Busy.', extensions: { code, retryAfter: 0.1 } }] });
    const headers = { 'access-control-allow-origin': '*' };
    const json = { ...headers, 'content-type': 'application/json' };
    const events = { ...headers, 'content-type': 'text/event-stream' };
    const refusals = [
      { to: '/graphql', status: 503, headers: json, body: body('UNAVAILABLE') },
      { to: '/graphql', status: 429, headers: json, body: body('THROTTLED') },
      {
        to: '/graphql/stream',
        headers: events,
        body: `event: next\ndata: ${body('UNAVAILABLE')}\n\nevent: complete\n\n`,
      },
    ];
    await page.route(`${service.url}/**`, route => {
      const { pathname } = new URL(route.request().url());
      const index = route.request().method() !== 'OPTIONS' ? refusals.findIndex(({ to }) => to === pathname) : -1;
      return index < 0 ? route.fallback() : route.fulfill(refusals.splice(index, 1)[0]);
    });
    await page.addInitScript(`new MutationObserver(() => {
      const alert = document.querySelector('[role=alert]');
      if (alert) document.documentElement.dataset.alert = alert.textContent;
    }).observe(document, { childList: true, subtree: true })`);
    const followed = page.waitForResponse(
      async response => response.url().endsWith('/stream') && (await response.headerValue('x-request-id')) !== null,
    );
    await page.goto(`${origin}/?page=${id}`);
    await page.locator('h1', { hasText: 'Meridian Freight' }).waitFor();
    await followed;
    expect([refusals, await page.locator('html').getAttribute('data-alert')]).toEqual([[], null]);
    await service.patch(path, { name: 'Later' });
    await page.locator('h1', { hasText: 'Later' }).waitFor();
    await page.close();
  });

  test('shows each change beside ten readers', async () => {
    const changes = propertyRuns(50).numRuns;
    const { id, path } = await createPage(service, { name: 'Change 0' });
    const page = await show(`/?page=${id}`);
    await page.locator('h1', { hasText: 'Change 0' }).waitFor();
    let isOver = false;
    const parameters = new URLSearchParams({ query: `{ page(id: "${id}") { name openNoticesCount } }` });
    const readers = Array.from({ length: 10 }, async () => {
      while (!isOver) await (await fetch(`${service.url}/graphql?${parameters}`)).text();
    });
    const shown: number[] = [];
    for (let change = 1; change <= changes; change++) {
      await service.patch(path, { name: `Change ${change}` });
      await page.locator('h1', { hasText: new RegExp(`^Change ${change}$`) }).waitFor();
      shown.push(change);
    }
    isOver = true;
    await Promise.all(readers);
    expect([shown.length, problems]).toEqual([changes, []]);
    await page.close();
  });

  test('says that there is no page, or that none is named', async () => {
    for (const [path, text] of [
      ['/?page=ffffffff', "We couldn't find the page"],
      ['/', 'Name a page'],
    ] as const) {
      const page = await show(path);
      await page.getByRole('alert').filter({ hasText: text }).waitFor();
      await page.close();
    }
  });
});
