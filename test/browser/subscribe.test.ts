/** @jest-environment ./test/support/isolated-environment.js */
/// <reference lib="dom" />
import { type PublicPage, linkIn, startPublicPage } from '../support/subscribe-forms.js';
import { waitForResponse } from '../support/visitor.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { openAll, violationsOn } from '../support/page-checks.js';

let page: PublicPage;
let browser: Browser;
let place: string;
let api: number;

describeInBrowser('in a browser', () => {
  beforeAll(async () => {
    page = await startPublicPage();
    place = `http://${page.id}.localhost:${new URL(page.service.url).port}`;
    const add = async (name: string, parent_id?: number) =>
      (await page.service.post(`/v1/pages/${page.id}/components`, { name, parent_id })).json.response.id;
    const platform = await add('Platform');
    const region = await add('Region', platform);
    const zone = await add('Zone', region);
    api = await add('API', await add('Rack', zone));
    // The page follows a change at once, and not before.
    await waitForResponse(
      () => page.get('subscribe'),
      ({ text }) => text.includes('API'),
    );
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await page.service.stop();
  });

  const within = async (options: BrowserContextOptions, look: (tab: Page) => Promise<void>) => {
    const context = await browser.newContext(options);
    try {
      await look(await context.newPage());
    } finally {
      await context.close();
    }
  };
  const mailed = async (name: string, count: number) => {
    await page.sent(count);
    return `${place}/${linkIn(page.mails.at(-1)!.text, name)}`;
  };

  test('somebody without script finds the way from the page to a subscription of one component, changes it and leaves', async () => {
    await within({ javaScriptEnabled: false }, async tab => {
      await tab.goto(`${place}/`);
      await tab.getByRole('link', { name: 'Subscribe', exact: true }).click();
      await tab.getByRole('button', { name: 'Subscribe' }).click();
      // What is wrong is where the keyboard is.
      expect(await tab.locator(':focus').getAttribute('id')).toBe('problems');
      await tab.getByRole('link', { name: /Enter an e-mail address/ }).click();
      await tab.getByLabel('E-mail address').fill('anna@example.com');
      await tab.getByLabel('Maintenance').uncheck();
      for (const name of ['Platform', 'Region', 'Zone']) await tab.getByText(`Parts of ${name}`).first().click();
      await tab.getByLabel('API').check();
      await tab.getByRole('button', { name: 'Subscribe' }).click();
      await tab.getByRole('heading', { name: 'Check your inbox' }).waitFor();
      await tab.goto(await mailed('confirm', 1));
      await tab.getByRole('button', { name: 'Confirm' }).click();
      await tab.getByRole('heading', { name: 'You are subscribed' }).waitFor();
      expect(
        await page.rows(
          'select kinds, (select component_id from subscriber_component) as component from subscriber where confirmed_at is not null',
        ),
      ).toEqual([{ kinds: ['unplanned', 'general'], component: api }]);
      const [, token] = /\/(preferences\/[^"]+)"/.exec(await tab.content())!;
      await tab.goto(`${place}/${token}`);
      expect(await tab.getByLabel('API').isChecked()).toBe(true);
      await tab.getByLabel('API').uncheck();
      await tab.getByRole('button', { name: 'Save' }).click();
      expect(await tab.getByRole('status').innerText()).toBe('Your choices are saved');
      const [, leave] = /\/(unsubscribe\/[^"]+)"/.exec(await tab.content())!;
      await tab.goto(`${place}/${leave}`);
      await tab.getByRole('button', { name: 'Unsubscribe' }).click();
      await tab.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    });
  });

  test.each([
    ['light', ''],
    ['dark', '?lang=ar'],
  ] as const)(
    'axe finds nothing to say of the forms, and nothing scrolls sideways: %s %s',
    async (colorScheme, query) => {
      await page.forgetRequests();
      await page.post('subscribe', { email: `${colorScheme}@example.com` });
      const confirm = await mailed('confirm', colorScheme === 'light' ? 2 : 3);
      await within({ colorScheme, viewport: { width: 320, height: 600 } }, async tab => {
        const looked = async (where: string) => {
          await openAll(tab);
          expect([where, await violationsOn(tab)]).toEqual([where, []]);
          expect([where, await tab.evaluate(() => document.documentElement.scrollWidth)]).toEqual([where, 320]);
        };
        for (const address of [`${place}/subscribe`, confirm, `${place}/preferences`, `${place}/unsubscribe/x`]) {
          await tab.goto(address + query);
          await looked(address + query);
        }
        await tab.goto(`${place}/subscribe${query}`);
        await tab.locator('main form button').click();
        await looked(`what is wrong${query}`);
        await tab.goto(`${place}/subscribe?by=sms${query.replace('?', '&')}`);
        await tab.locator('#phone').fill('+49301234567');
        await page.forgetRequests();
        await tab.locator('main form button').click();
        await looked(`the code${query}`);
      });
    },
  );
});
