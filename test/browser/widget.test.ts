/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { readBrowserScript } from '../../src/core/browser-script.js';
import { createPalette } from '../../src/status-page/html/style/palette.js';
import { widget } from '../../src/status-page/widget/widget.js';
import { describeInBrowser } from '../support/browser.js';
import type { RenderedResponse } from '../../src/status-page/routing/public-route.js';
import { type BrowserChecks, startBrowserChecks, findAccessibilityViolations } from '../support/page-checks.js';
import { minutesAgo, renderBody, component, notice, createView } from '../support/page-views.js';
import { payloads } from '../support/payloads.js';
import { createPage } from '../support/factories.js';
import { useOwnService } from '../support/service.js';

const script = readBrowserScript('widget');
const components = [component(1, 'Shop'), component(2, 'Checkout', 1), component(3, 'Search')];
const incident = notice(7, 'unplanned', 'identified', { subject: 'Payments fail', componentIds: [2] });
const maintenance = notice(8, 'planned', 'underway', { subject: 'New disks', componentIds: [3] });
const view = createView({
  components,
  notices: [incident, maintenance, notice(9, 'planned', 'scheduled'), notice(6, 'unplanned', 'resolved')],
});

describe('widget.json', () => {
  const renderJson = async (...args: Parameters<typeof renderBody> extends [unknown, ...infer Rest] ? Rest : never) =>
    JSON.parse(await renderBody(widget, ...args));

  const hex = expect.stringMatching(/^#[0-9a-f]{6}$/);
  const palette = Object.fromEntries(
    ['page', 'text', 'quiet', 'line', 'link', 'panel', 'panel-text', 'down', 'warn', 'plan'].map(name => [name, hex]),
  );

  test('lists the current notices, incidents first', async () => {
    expect(await renderJson(view)).toEqual({
      page: 'Acme',
      url: 'https://status.example.com',
      lang: 'en',
      dir: 'ltr',
      close: 'Close',
      more: null,
      banner: { status: 'degraded', text: 'Degraded: Checkout', tone: 'warn', icon: expect.stringContaining('M') },
      colours: { light: palette, dark: palette },
      notices: [
        {
          id: 7,
          type: 'unplanned',
          title: 'Payments fail',
          state: 'Identified',
          tone: 'warn',
          link: 'https://status.example.com/notices/token00000000007-payments-fail',
        },
        {
          id: 8,
          type: 'planned',
          title: 'New disks',
          state: 'In progress',
          tone: 'plan',
          link: 'https://status.example.com/notices/token00000000008-new-disks',
        },
      ],
    });
    expect((await renderJson(createView())).notices).toEqual([]);
  });

  test('says how many notices the script leaves out', async () => {
    const notices = [1, 2, 3, 4, 5].map(id => notice(id, 'unplanned', 'identified'));
    expect((await renderJson(createView({ notices }))).more).toBe('2 more notices');
    expect((await renderJson(createView({ notices: notices.slice(2) }))).more).toBeNull();
  });

  test('lists notices of a type by begin, latest first, whatever their ids', async () => {
    const notices = [
      notice(7, 'unplanned', 'identified'),
      notice(8, 'unplanned', 'identified', { beganAt: minutesAgo(90) }),
      notice(9, 'planned', 'underway'),
    ];
    const { notices: shown } = await renderJson(
      createView({ notices: [...notices, notice(10, 'planned', 'underway', { beganAt: minutesAgo(91) })] }),
    );
    expect(shown.map(({ id }: { id: number }) => id)).toEqual([7, 8, 9, 10]);
  });

  test.each([
    ['1', [7]],
    ['2', [7]],
    ['3', [8]],
  ])('for component %s lists notices of it, its ancestors and its descendants', async (id, ids) => {
    expect((await renderJson(view, { component: id })).notices.map((one: { id: number }) => one.id)).toEqual(ids);
  });

  test('has the sentence of the page, or of the component by what is shown of it', async () => {
    const outage = notice(7, 'unplanned', 'identified', { componentIds: [2], impacts: { 2: 'major-outage' } });
    const both = createView({ components, notices: [outage, maintenance] });
    const read = async (query = {}) => {
      const { banner, notices } = await renderJson(both, query);
      return [banner.text, banner.tone, ...notices.map(({ tone }: { tone: string }) => tone)];
    };
    expect(await read()).toEqual(['Major outage: Checkout', 'down', 'down', 'plan']);
    expect(await read({ component: '1' })).toEqual(['Major outage: Shop', 'down', 'down']);
    expect(await read({ component: '3' })).toEqual(['Under maintenance: Search', 'plan', 'plan']);
  });

  test('is in the requested language, and a 404 for an unknown component', async () => {
    expect(await renderJson(createView({ components, notices: [incident], locale: 'ar' }))).toMatchObject({
      lang: 'ar',
      dir: 'rtl',
      notices: [{ state: 'تم تحديد السبب' }],
    });
    expect(widget.render(view, { path: {}, query: { component: '99' } })).toBeNull();
  });
});

describe('widget.js of a service', () => {
  const service = useOwnService();

  test('is cacheable and usable from every origin', async () => {
    const response = await fetch(`${service.url}/widget.js`);
    expect([response.status, await response.text()]).toEqual([200, script]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const etag = response.headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(`${service.url}/widget.js`, { headers: { 'If-None-Match': known } });
      expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
    }
    expect((await fetch(`${service.url}/widget.js`, { method: 'POST' })).status).toBe(404);
  });

  test('reads a widget.json that every origin may read', async () => {
    const { id } = await createPage(service);
    const response = await fetch(`${service.url}/status/${id}/widget.json`);
    expect([
      response.status,
      response.headers.get('access-control-allow-origin'),
      ((await response.json()) as { notices: object[] }).notices,
    ]).toEqual([200, '*', []]);
  });
});

describeInBrowser('widget.js on another site', () => {
  let checks: BrowserChecks;
  beforeAll(async () => {
    checks = await startBrowserChecks();
    checks.server.serve('/widget.js', () => ({ type: 'text/javascript; charset=utf-8', body: script }));
  });
  afterAll(() => checks.close());

  /** Serves a site whose policy allows scripts and connections of the service, and no styles. */
  const serveSite = (shown: { view: typeof view }, attributes = '') => {
    checks.server.serve(
      '/status/a1b2c3d4/widget.json',
      query => widget.render(shown.view, { path: {}, query }) as RenderedResponse | null,
    );
    return checks.server.serve('/elsewhere', () => ({
      type: 'text/html',
      headers: { 'Content-Security-Policy': "default-src 'none'; script-src 'self'; connect-src 'self'" },
      body: `<!doctype html><html lang="en"><title>A shop</title><main><h1>A shop</h1></main>
<script src="/widget.js" data-page="a1b2c3d4" ${attributes} async></script>`,
    }));
  };
  const box = (page: Page) => page.getByRole('status');
  const readTexts = async (page: Page) => (await box(page).innerText()).split(/\n+/);
  const waitForWidgetJson = (page: Page) => page.waitForResponse(response => response.url().includes('widget.json'));

  test('shows the current notices with links, visually and to screen readers, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await checks.withPage({ viewport: { width: 360, height: 740 }, colorScheme }, async (page, errors) => {
        await page.goto(serveSite({ view }));
        await page.getByRole('link', { name: 'New disks' }).waitFor();
        expect(await readTexts(page)).toEqual([
          'Degraded: Checkout',
          '×',
          'Payments fail',
          'Identified',
          'New disks',
          'In progress',
          'Acme',
        ]);
        expect(await page.getByRole('link', { name: 'Payments fail' }).getAttribute('href')).toBe(
          'https://status.example.com/notices/token00000000007-payments-fail',
        );
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        expect(errors).toEqual([]);
      });
    }
  });

  test.each([
    ['', 'light', 'light'],
    ['', 'dark', 'dark'],
    ['data-theme="light"', 'dark', 'light'],
    ['data-theme="dark"', 'light', 'dark'],
    ['data-theme="other"', 'dark', 'dark'],
  ] as const)(
    'with %j has the colours of the page for its site in the scheme %s',
    async (attributes, colorScheme, expected) => {
      await checks.withPage({ colorScheme }, async page => {
        await page.goto(serveSite({ view }, attributes));
        await page.getByRole('link', { name: 'New disks' }).waitFor();
        const styles = await box(page).evaluate(element => {
          const read = (name: string) => getComputedStyle(element).getPropertyValue(name);
          const [head] = element.children;
          return [read('--page'), read('--warn'), read('--panel'), getComputedStyle(head!).fontFamily];
        });
        const { page: background, warn, panel } = createPalette(view, expected);
        expect(styles).toEqual([background, warn, panel, 'system-ui, sans-serif']);
      });
    },
  );

  test.each([
    [320, 480],
    [844, 390],
  ])('leaves a site of %i × %i pixels usable, whatever its style sheet says', async (width, height) => {
    const many = [7, 8, 10].map(id =>
      notice(id, 'unplanned', 'identified', { subject: 'A subject of a hundred characters and more. '.repeat(4) }),
    );
    await checks.withPage({ viewport: { width, height } }, async page => {
      await page.goto(serveSite({ view: createView({ components, notices: many }) }));
      await page
        .addStyleTag({ content: 'html { font-size: 62.5% } body { text-transform: uppercase }' })
        .catch(() => {});
      await box(page).waitFor();
      const { top, left, right, bottom } = await box(page).evaluate(element =>
        element.getBoundingClientRect().toJSON(),
      );
      expect([left >= 8, right <= width - 8, top >= 0, bottom <= height - 8]).toEqual([true, true, true, true]);
      await page.getByRole('button', { name: 'Close' }).click();
      expect(await box(page).isVisible()).toBe(false);
    });
  });

  test('has no accessibility violations', async () => {
    await checks.withPage({}, async page => {
      const address = serveSite({ view });
      await page.goto(address.replace('/elsewhere', '/open/elsewhere'));
      await page.getByRole('link', { name: 'New disks' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  test('shows nothing without notices, for unaffected components and for unknown ones', async () => {
    for (const [shown, attributes] of [
      [createView({ components }), ''],
      [createView({ components, notices: [incident] }), 'data-component="3"'],
      [view, 'data-component="99"'],
    ] as const) {
      await checks.withPage({}, async page => {
        const loaded = waitForWidgetJson(page);
        await page.goto(serveSite({ view: shown }, attributes));
        await loaded;
        await page.evaluate(() => new Promise(requestAnimationFrame));
        expect(await page.evaluate(() => document.body.lastElementChild!.tagName)).toBe('SCRIPT');
      });
    }
  });

  test('appears and disappears while the page is open, and stays closed once dismissed', async () => {
    await checks.withPage({}, async page => {
      await page.clock.install();
      const shown = { view: createView({ components }) };
      const first = waitForWidgetJson(page);
      await page.goto(serveSite(shown));
      await first;
      const aMinuteLater = () => Promise.all([waitForWidgetJson(page), page.clock.fastForward(60_000)]);
      shown.view = createView({ components, notices: [incident] });
      await aMinuteLater();
      const link = (await page.getByRole('link', { name: 'Payments fail' }).elementHandle())!;
      await aMinuteLater();
      await aMinuteLater();
      expect(await link.evaluate(element => element.isConnected)).toBe(true);
      shown.view = createView({ components });
      await aMinuteLater();
      await page.getByRole('link').first().waitFor({ state: 'detached' });
      shown.view = view;
      await aMinuteLater();
      await page.getByRole('button', { name: 'Close' }).click();
      expect(await box(page).isVisible()).toBe(false);
      shown.view = createView({
        components,
        notices: [incident, maintenance, notice(10, 'unplanned', 'investigating', { subject: 'Another' })],
      });
      const next = waitForWidgetJson(page);
      await page.reload();
      await next;
      await page.getByRole('link', { name: 'Another' }).waitFor();
      expect(await readTexts(page)).toEqual(['Degraded: Checkout', '×', 'Another', 'Investigating', 'Acme']);
    });
  });

  test('renders hostile subjects as text', async () => {
    const scripts = Array.from({ length: Math.ceil(payloads.length / 3) }, (_, index) => {
      const notices = payloads
        .slice(3 * index, 3 * index + 3)
        .map((subject, offset) => notice(20 + offset, 'unplanned', 'identified', { subject }));
      checks.server.serve(
        `/status/${index}/widget.json`,
        () => widget.render(createView({ notices }), { path: {}, query: {} }) as RenderedResponse,
      );
      return `<script src="/widget.js" data-page="${index}"></script>`;
    });
    const address = checks.server.serve('/hostile', () => ({
      type: 'text/html',
      body: `<!doctype html><title>A shop</title><body>${scripts.join('')}`,
    }));
    await checks.withPage({}, async (page, errors) => {
      await page.addInitScript(() => {
        window.alert = () => console.error('a script ran');
      });
      await page.goto(address);
      await page.waitForFunction(many => document.querySelectorAll('body > div').length === many, scripts.length);
      // Each box has a link to its page, too.
      expect(await page.getByRole('link').count()).toBe(payloads.length + scripts.length);
      expect(errors).toEqual([]);
    });
  });
});
