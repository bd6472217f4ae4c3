/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { type Looking, openAll, startLooking, violationsOn } from '../support/page-checks.js';
import { payloads } from '../support/payloads.js';
import { createHostilePage } from '../support/hostile-page.js';
import { incident, type SamplePage, samplePages } from '../support/sample-pages.js';

let looking: Looking;

beforeAll(async () => {
  if (process.env.TEST_BROWSER) looking = await startLooking();
});
afterAll(async () => {
  await looking?.close();
});

const show = (name: string, situation: SamplePage) => looking.show(name, situation);
const withPage: Looking['withPage'] = (options, look) => looking.withPage(options, look);

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 900 };
describeInBrowser('axe finds nothing to say', () => {
  const screens = [phone, desktop].flatMap(size =>
    (['light', 'dark'] as const).map(colorScheme => ({ size, colorScheme })),
  );
  const directions = [
    ['left to right', ''],
    ['right to left', '?lang=ar'],
  ] as const;
  const cases = Object.entries(samplePages).flatMap(([name, situation]) =>
    directions.map(([direction, query]) => ({ name, situation, direction, query })),
  );
  // One document for all screens: to load it and axe takes longer than to look.
  test.each(cases)(
    'of $name from $direction, on a phone and a desktop, light and dark',
    async ({ name, situation, query }) => {
      await withPage({ timezoneId: 'America/New_York' }, async (page, complaints) => {
        await page.goto(show(name, situation).front + query);
        await openAll(page);
        for (const { size, colorScheme } of screens) {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme });
          expect([size.width, colorScheme, await violationsOn(page)]).toEqual([size.width, colorScheme, []]);
        }
        expect(complaints).toEqual([]);
      });
    },
  );

  test.each(['light', 'dark'] as const)('of a notice and of the history, %s', async colorScheme => {
    const { notice, month } = show('incident', incident);
    await withPage({ viewport: desktop, colorScheme }, async page => {
      for (const address of [notice!, month]) {
        await page.goto(address);
        expect(await violationsOn(page)).toEqual([]);
      }
    });
  });

  test('of sections in a frame', async () => {
    const { front } = show('incident', incident);
    await withPage({ viewport: phone }, async page => {
      await page.goto(`${front}?embed=banner,components,notices,maintenance,announcements,past`);
      await openAll(page);
      expect(await violationsOn(page)).toEqual([]);
    });
  });

  test('but would find what is wrong', async () => {
    const { front } = show('incident', incident);
    await withPage({}, async page => {
      await page.goto(front);
      await page.evaluate(() => document.querySelector('h1')!.replaceWith(document.createElement('img')));
      expect((await violationsOn(page)).join()).toContain('image-alt');
    });
  });
});

describeInBrowser('the page', () => {
  test('is shown in a frame of another site, from where its links lead to a place of their own', async () => {
    const { front } = show('incident', incident);
    await withPage({}, async page => {
      const body = `<!doctype html><iframe src="${front}?embed=notices,banner" width="600" height="400"></iframe>`;
      const portal = looking.server.serve('/portal', () => ({ type: 'text/html; charset=utf-8', body }));
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
    'is enlarged to 400 %% without scrolling sideways: %s',
    async (name, situation) => {
      const addresses = Object.values(show(name, situation));
      await withPage({ viewport: { width: 320, height: 256 } }, async page => {
        for (const address of addresses.flatMap(one => [one, `${one}?lang=ar`, `${one}?lang=fi`])) {
          await page.goto(address);
          await openAll(page);
          expect([address, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([address, 320]);
        }
      });
    },
  );

  test('is whole without script: it unfolds, changes its language and narrows its history', async () => {
    const { front, month } = show('incident', incident);
    looking.show('', incident);
    await withPage({ javaScriptEnabled: false }, async page => {
      await page.goto(front);
      expect(await page.locator('.banner').innerText()).toContain('Card payments is degraded');
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

  test('adds the time of the visitor where their clock differs from the page, and nowhere else', async () => {
    const { front } = show('incident', incident);
    await withPage({ timezoneId: 'America/New_York' }, async (page, complaints) => {
      await page.goto(front);
      const moments = page.locator('time[datetime*=T]');
      expect(await page.locator('.yours').count()).toBe(await moments.count());
      expect(await page.locator('.banner .yours').innerText()).toMatch(/20 Nov, 09:30 (?:GMT-5|EST)/);
      expect(complaints).toEqual([]);
    });
    await withPage({ timezoneId: 'Europe/Paris' }, async page => {
      await page.goto(front);
      expect(await page.locator('.yours').count()).toBe(0);
    });
    await withPage({ timezoneId: 'UTC' }, async page => {
      await page.goto(show('maintenance', samplePages.maintenance).front);
      expect(await page.locator('time[data-end]').count()).toBeGreaterThan(0);
      expect(await page.locator('time[data-end] + .yours').count()).toBe(0);
      expect(await page.locator('time:not([data-end]) + .yours').count()).toBeGreaterThan(0);
    });
  });

  test('is walked through with the keyboard alone, in the order it is read, and each stop is seen', async () => {
    const { front } = show('incident', incident);
    await withPage({ viewport: desktop }, async page => {
      await page.goto(front);
      const stops = await page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLElement>('a[href], summary, select, button')].filter(one =>
            one.checkVisibility({ contentVisibilityAuto: true }),
          ).length,
      );
      const walked: number[] = [];
      for (let step = 0; step < stops; step++) {
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
        walked.push(index);
      }
      expect(walked).toEqual(walked.toSorted((one, other) => one - other));
      expect(new Set(walked).size).toBe(stops);
    });
  });

  test('skips to its content, and unfolds by a key', async () => {
    const { front } = show('incident', incident);
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

  test('is light on paper, without what cannot be used there', async () => {
    const { front } = show('incident', incident);
    await withPage({ colorScheme: 'dark' }, async page => {
      await page.goto(front);
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await ground()).toBe('rgb(20, 24, 29)');
      await page.emulateMedia({ media: 'print' });
      expect(await ground()).toBe('rgb(255, 255, 255)');
      expect(await page.locator('.menu').isVisible()).toBe(false);
    });
  });

  test('has nothing in it that moves for who does not want it', async () => {
    const { front } = show('incident', incident);
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

  test('shows less of the past on a smaller screen, each day as wide', async () => {
    const { front } = show('operational', samplePages.operational);
    const days = async (width: number) => {
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
    expect([await days(1280), await days(700), await days(390)]).toEqual([90, 60, 30]);
  });
});

describeInBrowser('no text that anybody may write', () => {
  const watch = (page: Page) =>
    page.addInitScript(() => {
      const found: string[] = [];
      Object.assign(window, {
        found,
        alert: () => found.push(location.href),
        confirm: () => found.push(location.href),
        prompt: () => found.push(location.href),
      });
    });
  const foundOn = (page: Page) => page.evaluate(() => (window as unknown as { found: string[] }).found);
  const foreignOn = (page: Page) =>
    page.evaluate(() => {
      const attributes = [...document.querySelectorAll('*')].flatMap(element =>
        [...element.attributes].map(({ name, value }) => `${name}=${value}`),
      );
      return [
        ...attributes.filter(one =>
          /^on|^style=|^(?:href|src|action|formaction|xlink:href)=\s*(?:javascript|data|vbscript):/i.test(one),
        ),
        ...[
          ...document.querySelectorAll(
            'main :is(script, style, iframe, object, embed, img, link, meta, base, input:not([type=hidden]), video, audio)',
          ),
        ].map(one => one.outerHTML),
      ];
    });

  test.each([
    ['with the policy', ''],
    ['without it', '/open'],
  ])('runs or fetches anything: %s', async (_, root) => {
    expect(new Set(payloads).size).toBe(200);
    await withPage({}, async (page, complaints) => {
      await watch(page);
      for (let start = 0; start < payloads.length; start += 40) {
        const addresses = show(`poisoned-${start}`, createHostilePage(payloads.slice(start, start + 40)));
        for (const address of Object.values(addresses)) {
          const response = await page.goto(address.replace(looking.server.url, looking.server.url + root), {
            waitUntil: 'load',
          });
          expect(response!.status()).toBe(200);
          expect([address, await foundOn(page), await foreignOn(page)]).toEqual([address, [], []]);
          for (const element of await page.locator('main summary').all()) await element.dispatchEvent('click');
          expect(await foundOn(page)).toEqual([]);
        }
      }
      expect(complaints).toEqual([]);
    });
  });

  test('and the same texts do run where nothing is escaped', async () => {
    looking.server.serve('/raw', () => ({
      type: 'text/html',
      body: `<!doctype html><main>${payloads.find(one => one.startsWith('<svg src')) ?? ''}<img src=x onerror=alert(1)></main>`,
    }));
    await withPage({}, async page => {
      await watch(page);
      await page.goto(`${looking.server.url}/raw`);
      await page.waitForFunction(() => (window as unknown as { found: string[] }).found.length > 0);
      expect(await foundOn(page)).not.toEqual([]);
      expect(await foreignOn(page)).not.toEqual([]);
    });
  });
});
