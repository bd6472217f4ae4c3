/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { script } from '../../src/status-page/widget/script.js';
import { widget } from '../../src/status-page/widget/widget.js';
import { describeInBrowser } from '../support/browser.js';
import type { RenderedResponse } from '../../src/status-page/server/public-route.js';
import { type Looking, startLooking, violationsOn } from '../support/page-checks.js';
import { minutesAgo, renderBody, component, notice, createView } from '../support/page-views.js';
import { payloads } from '../support/payloads.js';
import { startTestService, type TestService } from '../support/service.js';

const components = [component(1, 'Shop'), component(2, 'Checkout', 1), component(3, 'Search')];
const incident = notice(7, 'unplanned', 'identified', { subject: 'Payments fail', componentIds: [2] });
const maintenance = notice(8, 'planned', 'underway', { subject: 'New disks', componentIds: [3] });
const view = createView({
  components,
  notices: [incident, maintenance, notice(9, 'planned', 'scheduled'), notice(6, 'unplanned', 'resolved')],
});

describe('widget.json', () => {
  const read = async (...asked: Parameters<typeof renderBody> extends [unknown, ...infer Rest] ? Rest : never) =>
    JSON.parse(await renderBody(widget, ...asked));

  test('says what is going on now, incidents first', async () => {
    expect(await read(view)).toEqual({
      page: 'Acme',
      lang: 'en',
      dir: 'ltr',
      close: 'Close',
      notices: [
        {
          id: 7,
          type: 'unplanned',
          title: 'Payments fail',
          state: 'Identified',
          link: 'https://status.example.com/notices/token00000000007-payments-fail',
        },
        {
          id: 8,
          type: 'planned',
          title: 'New disks',
          state: 'Under way',
          link: 'https://status.example.com/notices/token00000000008-new-disks',
        },
      ],
    });
    expect((await read(createView())).notices).toEqual([]);
  });

  test('says of several of a kind the one first that began last, whatever the order in which they were written down', async () => {
    const notices = [
      notice(7, 'unplanned', 'identified'),
      notice(8, 'unplanned', 'identified', { beganAt: minutesAgo(90) }),
      notice(9, 'planned', 'underway'),
    ];
    const { notices: shown } = await read(
      createView({ notices: [...notices, notice(10, 'planned', 'underway', { beganAt: minutesAgo(91) })] }),
    );
    expect(shown.map(({ id }: { id: number }) => id)).toEqual([7, 8, 9, 10]);
  });

  test.each([
    ['1', [7]],
    ['2', [7]],
    ['3', [8]],
  ])('of component %s: what names it, one above or one below', async (id, ids) => {
    expect((await read(view, { component: id })).notices.map((one: { id: number }) => one.id)).toEqual(ids);
  });

  test('is in the language that is asked for, and there is none of a component that is not', async () => {
    expect(await read(createView({ components, notices: [incident], locale: 'ar' }))).toMatchObject({
      lang: 'ar',
      dir: 'rtl',
      notices: [{ state: 'تم تحديد السبب' }],
    });
    expect(widget.render(view, { path: {}, query: { component: '99' } })).toBeNull();
  });
});

describe('widget.js of a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  test('may be kept by everybody and used on every site', async () => {
    const answer = await fetch(`${service.url}/widget.js`);
    expect([answer.status, await answer.text()]).toEqual([200, script]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const etag = answer.headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(`${service.url}/widget.js`, { headers: { 'If-None-Match': known } });
      expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
    }
    expect((await fetch(`${service.url}/widget.js`, { method: 'POST' })).status).toBe(404);
  });

  test('reads what other sites may read', async () => {
    const { id } = (await service.post('/v1/pages', { name: 'Acme' })).json.response;
    const answer = await fetch(`${service.url}/status/${id}/widget.json`);
    expect([
      answer.status,
      answer.headers.get('access-control-allow-origin'),
      ((await answer.json()) as { notices: object[] }).notices,
    ]).toEqual([200, '*', []]);
  });
});

describeInBrowser('widget.js on another site', () => {
  let looking: Looking;
  beforeAll(async () => {
    looking = await startLooking();
    looking.server.serve('/widget.js', () => ({ type: 'text/javascript', body: script }));
  });
  afterAll(() => looking.close());

  /** A site that lets nothing in but scripts and answers of the service, and no style at all. */
  const site = (shown: { view: typeof view }, attributes = '') => {
    looking.server.serve(
      '/status/a1b2c3d4/widget.json',
      query => widget.render(shown.view, { path: {}, query }) as RenderedResponse | null,
    );
    return looking.server.serve('/elsewhere', () => ({
      type: 'text/html',
      headers: { 'Content-Security-Policy': "default-src 'none'; script-src 'self'; connect-src 'self'" },
      body: `<!doctype html><html lang="en"><title>A shop</title><main><h1>A shop</h1></main><script src="/widget.js" data-page="a1b2c3d4" ${attributes} async></script>`,
    }));
  };
  const box = (page: Page) => page.getByRole('status');
  const wordsIn = async (page: Page) => (await box(page).innerText()).split(/\n+/);
  const asked = (page: Page) => page.waitForResponse(answer => answer.url().includes('widget.json'));

  test('shows what is going on, with a link, to the eye and to a screen reader, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await looking.withPage({ viewport: { width: 360, height: 740 }, colorScheme }, async (page, complaints) => {
        await page.goto(site({ view }));
        await page.getByRole('link', { name: 'New disks' }).waitFor();
        expect(await wordsIn(page)).toEqual(['Identified', 'Payments fail', 'Under way', 'New disks', '×']);
        expect(await page.getByRole('link', { name: 'Payments fail' }).getAttribute('href')).toBe(
          'https://status.example.com/notices/token00000000007-payments-fail',
        );
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        expect(complaints).toEqual([]);
      });
    }
  });

  test('breaks no rule of WCAG', async () => {
    await looking.withPage({}, async page => {
      const address = site({ view });
      await page.goto(address.replace('/elsewhere', '/open/elsewhere'));
      await page.getByRole('link', { name: 'New disks' }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
    });
  });

  test('is silent where all is well, and where the component has nothing to do with it', async () => {
    for (const [shown, attributes] of [
      [createView({ components }), ''],
      [createView({ components, notices: [incident] }), 'data-component="3"'],
      [view, 'data-component="99"'],
    ] as const) {
      await looking.withPage({}, async page => {
        const answered = asked(page);
        await page.goto(site({ view: shown }, attributes));
        await answered;
        await page.evaluate(() => new Promise(requestAnimationFrame));
        expect(await page.evaluate(() => document.body.lastElementChild!.tagName)).toBe('SCRIPT');
      });
    }
  });

  test('comes and goes while the page is open, and what was closed stays closed', async () => {
    await looking.withPage({}, async page => {
      await page.clock.install();
      const shown = { view: createView({ components }) };
      const first = asked(page);
      await page.goto(site(shown));
      await first;
      const aMinuteLater = () => Promise.all([asked(page), page.clock.fastForward(60_000)]);
      shown.view = createView({ components, notices: [incident] });
      await aMinuteLater();
      const said = (await page.getByRole('link', { name: 'Payments fail' }).elementHandle())!;
      await aMinuteLater();
      await aMinuteLater();
      expect(await said.evaluate(link => link.isConnected)).toBe(true);
      shown.view = createView({ components });
      await aMinuteLater();
      await page.getByRole('link').waitFor({ state: 'detached' });
      shown.view = view;
      await aMinuteLater();
      await page.getByRole('button', { name: 'Close' }).click();
      expect(await box(page).isVisible()).toBe(false);
      shown.view = createView({
        components,
        notices: [incident, maintenance, notice(10, 'unplanned', 'investigating', { subject: 'Another' })],
      });
      const next = asked(page);
      await page.reload();
      await next;
      await page.getByRole('link', { name: 'Another' }).waitFor();
      expect(await wordsIn(page)).toEqual(['Investigating', 'Another', '×']);
    });
  });

  test('takes no text for markup, whatever it holds', async () => {
    const scripts = Array.from({ length: Math.ceil(payloads.length / 3) }, (_, index) => {
      const notices = payloads
        .slice(3 * index, 3 * index + 3)
        .map((subject, offset) => notice(20 + offset, 'unplanned', 'identified', { subject }));
      looking.server.serve(
        `/status/${index}/widget.json`,
        () => widget.render(createView({ notices }), { path: {}, query: {} }) as RenderedResponse,
      );
      return `<script src="/widget.js" data-page="${index}"></script>`;
    });
    const address = looking.server.serve('/poisoned', () => ({
      type: 'text/html',
      body: `<!doctype html><title>A shop</title><body>${scripts.join('')}`,
    }));
    await looking.withPage({}, async (page, complaints) => {
      await page.addInitScript(() => {
        window.alert = () => console.error('a script ran');
      });
      await page.goto(address);
      await page.waitForFunction(many => document.querySelectorAll('body > div').length === many, scripts.length);
      expect(await page.getByRole('link').count()).toBe(payloads.length);
      expect(complaints).toEqual([]);
    });
  });
});
