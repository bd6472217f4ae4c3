/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import {
  type BrowserChecks,
  openAllDetails,
  startBrowserChecks,
  findAccessibilityViolations,
} from '../support/page-checks.js';
import { payloads } from '../support/payloads.js';
import { createHostilePage } from '../support/hostile-page.js';
import { crowded, incident, type SamplePage, samplePages } from '../support/sample-pages.js';

let checks: BrowserChecks;

beforeAll(async () => {
  if (process.env.TEST_BROWSER) checks = await startBrowserChecks();
});
afterAll(async () => {
  await checks?.close();
});

const serveSamplePage = (name: string, samplePage: SamplePage) => checks.serveSamplePage(name, samplePage);
const withPage: BrowserChecks['withPage'] = (options, check) => checks.withPage(options, check);

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 900 };
describeInBrowser('axe finds no violation', () => {
  const screens = [phone, desktop].flatMap(size =>
    (['light', 'dark'] as const).map(colorScheme => ({ size, colorScheme })),
  );
  const directions = [
    ['left to right', ''],
    ['right to left', '?lang=ar'],
  ] as const;
  const cases = Object.entries(samplePages).flatMap(([name, samplePage]) =>
    directions.map(([direction, query]) => ({ name, samplePage, direction, query })),
  );
  // One document for all screens: loading it and axe takes longer than the check.
  test.each(cases)(
    'on the page $name, $direction, on a phone and a desktop, light and dark',
    async ({ name, samplePage, query }) => {
      await withPage({ timezoneId: 'America/New_York' }, async (page, errors) => {
        await page.goto(serveSamplePage(name, samplePage).front + query);
        await openAllDetails(page);
        for (const { size, colorScheme } of screens) {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme });
          expect([size.width, colorScheme, await findAccessibilityViolations(page)]).toEqual([
            size.width,
            colorScheme,
            [],
          ]);
        }
        expect(errors).toEqual([]);
      });
    },
  );

  test.each(['light', 'dark'] as const)('on a notice and the history, %s', async colorScheme => {
    const { notice, month } = serveSamplePage('incident', incident);
    await withPage({ viewport: desktop, colorScheme }, async page => {
      for (const url of [notice!, month]) {
        await page.goto(url);
        expect(await findAccessibilityViolations(page)).toEqual([]);
      }
    });
  });

  test('on embedded sections', async () => {
    const { front } = serveSamplePage('incident', incident);
    await withPage({ viewport: phone }, async page => {
      await page.goto(`${front}?embed=banner,components,notices,maintenance,announcements,past`);
      await openAllDetails(page);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  test('but does find an injected one', async () => {
    const { front } = serveSamplePage('incident', incident);
    await withPage({}, async page => {
      await page.goto(front);
      await page.evaluate(() => document.querySelector('h1')!.replaceWith(document.createElement('img')));
      expect((await findAccessibilityViolations(page)).join()).toContain('image-alt');
    });
  });
});

describeInBrowser('the status page', () => {
  test('can be framed by another site, and opens its links in a new tab', async () => {
    const { front } = serveSamplePage('incident', incident);
    await withPage({}, async page => {
      const body = `<!doctype html><iframe src="${front}?embed=notices,banner" width="600" height="400"></iframe>`;
      const portal = checks.server.serve('/portal', () => ({ type: 'text/html; charset=utf-8', body }));
      await page.goto(portal.replace('127.0.0.1', 'localhost'));
      const frame = page.frameLocator('iframe');
      await frame.locator('.banner').waitFor();
      const opened = page.context().waitForEvent('page');
      await frame.locator('a[href*="/notices/"]').first().click();
      expect((await opened).url()).not.toContain('/portal');
      expect(page.url()).toContain('/portal');
      expect(await frame.locator('header, footer, #components').count()).toBe(0);
    });
  });

  test.each(Object.entries(samplePages))(
    'zooms to 400 %% without horizontal scrolling: %s',
    async (name, samplePage) => {
      const urls = Object.values(serveSamplePage(name, samplePage));
      await withPage({ viewport: { width: 320, height: 256 } }, async page => {
        for (const url of urls.flatMap(one => [one, `${one}?lang=ar`, `${one}?lang=fi`])) {
          await page.goto(url);
          await openAllDetails(page);
          expect([url, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([url, 320]);
        }
      });
    },
  );

  test('works without scripts: it unfolds, changes its language and filters its history', async () => {
    const { front, month } = serveSamplePage('incident', incident);
    checks.serveSamplePage('', incident);
    await withPage({ javaScriptEnabled: false }, async page => {
      await page.goto(front);
      expect(await page.locator('.banner').innerText()).toContain('Degraded: Card payments');
      expect(await page.locator('.yours').count()).toBe(0);
      await page.locator('#c2 > details > summary').click();
      expect(await page.locator('#c3').isVisible()).toBe(true);
      await page.locator('footer summary').click();
      await page.locator('footer a[lang=ar]').click();
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      await page.goto(month);
      await page.locator('select').selectOption({ label: 'Billing' });
      await page.locator('form button').click();
      await page.waitForURL('**/history/2026-11?component=12');
      expect(await page.locator('article').count()).toBe(3);
    });
  });

  test('prints without menus, filters and pagination', async () => {
    const { front, month } = serveSamplePage('incident', incident);
    await withPage({}, async page => {
      await page.emulateMedia({ media: 'print' });
      for (const url of [front, month]) {
        await page.goto(url);
        const shown = page.locator('.menu, .filter, .pages, .back a, .more, .scheme, footer details');
        expect(await shown.filter({ visible: true }).allInnerTexts()).toEqual([]);
      }
    });
  });

  test('shows times in the zone of the visitor, and the others as titles, only where it differs', async () => {
    const { front, month } = serveSamplePage('incident', incident);
    await withPage({ timezoneId: 'America/New_York' }, async (page, errors) => {
      await page.goto(front);
      expect(await page.locator('time[datetime*=T]:not([data-end], [title])').count()).toBe(0);
      expect(await page.locator('time[data-end] + .yours').count()).toBe(await page.locator('time[data-end]').count());
      const updated = page.locator('.banner time');
      expect(await updated.innerText()).toMatch(/20 Nov, 09:12 (?:GMT-5|EST)/);
      expect(await updated.getAttribute('title')).toBe('20 Nov, 15:12 CET');
      expect(await page.locator('footer').innerText()).toMatch(/time zone Eastern Time$/m);
      // Past notices are listed by days of the page.
      const ended = page.locator('.day time[datetime*=T]').first();
      expect(await ended.innerText()).toMatch(/ CET$/);
      expect(await ended.getAttribute('title')).toMatch(/GMT-5|EST/);
      expect(errors).toEqual([]);
      await page.goto(month);
      expect(await page.locator('time[datetime*=T]').count()).toBeGreaterThan(0);
      expect(await page.locator('footer').innerText()).toContain('time zone Central European');
    });
    await withPage({ timezoneId: 'Europe/Paris' }, async page => {
      await page.goto(front);
      expect(await page.locator('.yours, time[title]').count()).toBe(0);
      expect(await page.locator('footer').innerText()).toContain('time zone Central European');
    });
    await withPage({ timezoneId: 'UTC' }, async page => {
      await page.goto(serveSamplePage('maintenance', samplePages.maintenance).front);
      expect(await page.locator('time[data-end]').count()).toBeGreaterThan(0);
      // The visitor's first, and that of the page in place of UTC.
      expect(await page.locator('time[data-end]').first().innerText()).toMatch(/UTC|GMT/);
      expect(await page.locator('footer').innerText()).toMatch(/time zone UTC$/m);
      expect(await page.locator('time[data-end] + .yours').first().innerText()).toContain('CET');
      expect(await page.locator('.window .quiet').count()).toBe(0);
      const [own, ofPage] = await Promise.all(
        ['time[data-end]', 'time[data-end] + .yours'].map(each => page.locator(each).first().boundingBox()),
      );
      expect(ofPage!.y).toBeGreaterThanOrEqual(own!.y + own!.height);
      expect(await page.locator('time[title]').count()).toBeGreaterThan(0);
    });
  });

  test('has a visible focus at every stop, in reading order', async () => {
    const { front } = serveSamplePage('incident', incident);
    await withPage({ viewport: desktop }, async page => {
      await page.goto(front);
      const stopCount = await page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLElement>('a[href], summary, select, button')].filter(one =>
            one.checkVisibility({ contentVisibilityAuto: true }),
          ).length,
      );
      const visited: number[] = [];
      for (let step = 0; step < stopCount; step++) {
        await page.keyboard.press('Tab');
        const { index, isSeen } = await page.evaluate(() => {
          const here = document.activeElement as HTMLElement;
          const { top, bottom, width } = here.getBoundingClientRect();
          return {
            index: [...document.querySelectorAll('*')].indexOf(here),
            isSeen: getComputedStyle(here).outlineStyle !== 'none' && width > 0 && bottom > 0 && top < innerHeight,
          };
        });
        expect(isSeen).toBe(true);
        visited.push(index);
      }
      expect(visited).toEqual(visited.toSorted((one, other) => one - other));
      expect(new Set(visited).size).toBe(stopCount);
    });
  });

  test('has a skip link, and unfolds by the keyboard', async () => {
    const { front } = serveSamplePage('incident', incident);
    await withPage({}, async page => {
      await page.goto(front);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement!.id)).toBe('main');
      await page.locator('#c2 > details > summary').focus();
      await page.keyboard.press('Enter');
      expect(await page.locator('#c3').isVisible()).toBe(true);
    });
  });

  test('prints in the light scheme, without interactive elements', async () => {
    const { front } = serveSamplePage('incident', incident);
    await withPage({ colorScheme: 'dark' }, async page => {
      await page.goto(front);
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await background()).toBe('rgb(20, 24, 29)');
      await page.emulateMedia({ media: 'print' });
      expect(await background()).toBe('rgb(255, 255, 255)');
      expect(await page.locator('.menu').isVisible()).toBe(false);
      expect(await page.locator('.fold .update').first().isVisible()).toBe(true);
    });
  });

  test('keeps the bullets of English lists beside their words on an Arabic page', async () => {
    const { front } = serveSamplePage('crowded', crowded);
    await withPage({ viewport: desktop }, async page => {
      await page.goto(`${front}?lang=ar`);
      await openAllDetails(page);
      const style = await page
        .locator('.prose li')
        .first()
        .evaluate(item => [getComputedStyle(item).direction, getComputedStyle(item).textAlign]);
      expect(style).toEqual(['ltr', 'start']);
    });
  });

  test('has a button for the dark scheme, which other pages follow, until the system prefers the same', async () => {
    const { front, notice } = serveSamplePage('incident', incident);
    await withPage({ colorScheme: 'light' }, async (page, errors) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = 'rgb(255, 255, 255)';
      const dark = 'rgb(20, 24, 29)';
      const button = page.getByRole('button', { name: 'Dark mode' });
      await page.goto(front);
      expect([await background(), await button.getAttribute('aria-pressed')]).toEqual([light, 'false']);
      await button.click();
      expect([await background(), await button.getAttribute('aria-pressed')]).toEqual([dark, 'true']);
      await page.goto(notice!);
      expect([await background(), await button.getAttribute('aria-pressed')]).toEqual([dark, 'true']);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect(await background()).toBe(light);
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
      await button.click();
      expect([await background(), await page.evaluate(() => localStorage.scheme)]).toEqual([light, 'light']);
      await button.click();
      expect([await background(), await page.evaluate(() => localStorage.scheme)]).toEqual([dark, undefined]);
      expect(errors).toEqual([]);
    });
    await withPage({ javaScriptEnabled: false }, async page => {
      await page.goto(front);
      expect(await page.locator('.scheme').isVisible()).toBe(false);
    });
  });

  test('has no transitions when reduced motion is preferred', async () => {
    const { front } = serveSamplePage('incident', incident);
    await withPage({ reducedMotion: 'reduce' }, async page => {
      await page.goto(front);
      expect(
        await page.evaluate(
          () =>
            [...document.querySelectorAll('*')].filter(
              one => getComputedStyle(one, '::after').transitionDuration !== '0s',
            ).length,
        ),
      ).toBe(0);
    });
  });

  test('shows fewer days on a smaller screen', async () => {
    const { front } = serveSamplePage('operational', samplePages.operational);
    const countDays = async (width: number) => {
      let shown = 0;
      await withPage({ viewport: { width, height: 900 } }, async page => {
        await page.goto(front);
        shown = await page.evaluate(() => {
          const bar = document.querySelector('.bar')!;
          return Math.round((bar.clientWidth / bar.firstElementChild!.clientWidth) * 90);
        });
        expect(await page.locator('.title .quiet').innerText()).toBe(`Last ${shown} days`);
      });
      return shown;
    };
    expect([await countDays(1280), await countDays(700), await countDays(390)]).toEqual([90, 60, 30]);
  });
});

describeInBrowser('hostile text', () => {
  const recordDialogs = (page: Page) =>
    page.addInitScript(() => {
      const dialogs: string[] = [];
      Object.assign(window, {
        dialogs,
        alert: () => dialogs.push(location.href),
        confirm: () => dialogs.push(location.href),
        prompt: () => dialogs.push(location.href),
      });
    });
  const getDialogs = (page: Page) => page.evaluate(() => (window as unknown as { dialogs: string[] }).dialogs);
  const findInjectedMarkup = (page: Page) =>
    page.evaluate(() => {
      const attributes = [...document.querySelectorAll('*')].flatMap(element =>
        [...element.attributes].map(({ name, value }) => `${name}=${value}`),
      );
      const elements =
        'script, style, iframe, object, embed, img, link, meta, base, input:not([type=hidden]), video, audio';
      return [
        ...attributes.filter(one =>
          /^on|^style=|^(?:href|src|action|formaction|xlink:href)=\s*(?:javascript|data|vbscript):/i.test(one),
        ),
        ...[...document.querySelectorAll(`main :is(${elements})`)].map(one => one.outerHTML),
      ];
    });

  test.each([
    ['with the content security policy', ''],
    ['without a policy', '/open'],
  ])('runs and fetches nothing %s', async (_, root) => {
    expect(new Set(payloads).size).toBe(200);
    await withPage({}, async (page, errors) => {
      await recordDialogs(page);
      for (let start = 0; start < payloads.length; start += 40) {
        const urls = serveSamplePage(`hostile-${start}`, createHostilePage(payloads.slice(start, start + 40)));
        for (const url of Object.values(urls)) {
          const response = await page.goto(url.replace(checks.server.url, checks.server.url + root), {
            waitUntil: 'load',
          });
          expect(response!.status()).toBe(200);
          expect([url, await getDialogs(page), await findInjectedMarkup(page)]).toEqual([url, [], []]);
          await page.evaluate(async () => {
            for (const summary of document.querySelectorAll<HTMLElement>('main summary')) summary.click();
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          });
          expect(await getDialogs(page)).toEqual([]);
        }
      }
      expect(errors).toEqual([]);
    });
  });

  test('runs where nothing is escaped, which proves the check', async () => {
    const payload = payloads.find(one => one.startsWith('<svg src')) ?? '';
    checks.server.serve('/raw', () => ({
      type: 'text/html',
      body: `<!doctype html><main>${payload}<img src=x onerror=alert(1)></main>`,
    }));
    await withPage({}, async page => {
      await recordDialogs(page);
      await page.goto(`${checks.server.url}/raw`);
      await page.waitForFunction(() => (window as unknown as { dialogs: string[] }).dialogs.length > 0);
      expect(await getDialogs(page)).not.toEqual([]);
      expect(await findInjectedMarkup(page)).not.toEqual([]);
    });
  });
});
