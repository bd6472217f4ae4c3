/// <reference lib="dom" />
import { type PublicPage, extractLink, startPublicPage } from '../support/subscribe-forms.js';
import { waitForResponse } from '../support/visitor.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { openAllDetails, findAccessibilityViolations } from '../support/page-checks.js';
import { createComponent } from '../support/factories.js';

let page: PublicPage;
let origin: string;
let api: number;

describeInBrowser('the subscribe forms', () => {
  const browser = useBrowser();
  beforeAll(async () => {
    page = await startPublicPage();
    origin = `http://${page.id}.localhost:${new URL(page.service.url).port}`;
    const add = async (name: string, parent_id?: number) =>
      (await createComponent(page.service, `/v1/pages/${page.id}`, { name, parent_id })).id;
    const platform = await add('Platform');
    const region = await add('Region', platform);
    const zone = await add('Zone', region);
    api = await add('API', await add('Rack', zone));
    // The page shows a change after the change feed delivered it.
    await waitForResponse(
      () => page.get('subscribe'),
      ({ text }) => text.includes('API'),
    );
  });
  afterAll(() => page.service.stop());

  const withTab = async (options: BrowserContextOptions, check: (tab: Page) => Promise<void>) => {
    const context = await browser.newContext(options);
    await check(await context.newPage());
  };
  const waitForLink = async (route: string, count: number) => {
    await page.waitForMessages(count);
    return `${origin}/${extractLink(page.mails.at(-1)!.text, route)}`;
  };

  test('let a visitor without scripts subscribe to one component, change that and unsubscribe', async () => {
    await withTab({ javaScriptEnabled: false }, async tab => {
      await tab.goto(`${origin}/`);
      await tab.locator('header summary').click();
      await tab.getByRole('link', { name: 'By e-mail', exact: true }).click();
      await tab.getByRole('button', { name: 'Subscribe' }).click();
      // The error summary has the focus.
      expect(await tab.locator(':focus').getAttribute('id')).toBe('problems');
      await tab.getByRole('link', { name: /Enter an e-mail address/ }).click();
      await tab.getByLabel('E-mail address').fill('anna@example.com');
      await tab.getByLabel('Maintenance').uncheck();
      await tab.getByText('Parts of Platform').waitFor({ state: 'hidden' });
      await tab.getByLabel('Only these, with everything in them').check();
      await tab.getByRole('button', { name: 'Subscribe' }).click();
      await tab.getByRole('link', { name: 'Choose at least one component, or all components' }).click();
      for (const name of ['Platform', 'Region', 'Zone']) await tab.getByText(`Parts of ${name}`).first().click();
      await tab.getByLabel('API').check();
      await tab.getByRole('button', { name: 'Subscribe' }).click();
      await tab.getByRole('heading', { name: 'Check your inbox' }).waitFor();
      await tab.goto(await waitForLink('confirm', 1));
      await tab.getByRole('button', { name: 'Confirm' }).click();
      await tab.getByRole('heading', { name: 'You are subscribed' }).waitFor();
      expect(
        await page.query(
          `select kinds, (select component_id from subscriber_component) as component
           from subscriber where confirmed_at is not null`,
        ),
      ).toEqual([{ kinds: ['unplanned', 'general'], component: api }]);
      const [, preferencesPath] = /\/(preferences\/[^"]+)"/.exec(await tab.content())!;
      await tab.goto(`${origin}/${preferencesPath}`);
      expect(await tab.getByLabel('API').isChecked()).toBe(true);
      await tab.getByLabel('All components, including later ones').check();
      await tab.getByRole('button', { name: 'Save' }).click();
      expect(await tab.getByRole('status').innerText()).toBe('Your choices are saved');
      expect(await page.query('select from subscriber_component')).toEqual([]);
      const [, unsubscribePath] = /\/(unsubscribe\/[^"]+)"/.exec(await tab.content())!;
      await tab.goto(`${origin}/${unsubscribePath}`);
      await tab.getByRole('button', { name: 'Unsubscribe' }).click();
      await tab.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    });
  });

  test.each([
    ['light', ''],
    ['dark', '?lang=ar'],
  ] as const)('have no accessibility violations and no horizontal scrolling: %s %s', async (colorScheme, query) => {
    await page.forgetRequests();
    await page.post('subscribe', { email: `${colorScheme}@example.com` });
    const confirm = await waitForLink('confirm', colorScheme === 'light' ? 2 : 3);
    await withTab({ colorScheme, viewport: { width: 320, height: 600 } }, async tab => {
      const checkForm = async (name: string) => {
        await openAllDetails(tab);
        expect([name, await findAccessibilityViolations(tab)]).toEqual([name, []]);
        expect([name, await tab.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, 320]);
      };
      for (const url of [`${origin}/subscribe`, confirm, `${origin}/preferences`, `${origin}/unsubscribe/x`]) {
        await tab.goto(url + query);
        await checkForm(url + query);
      }
      await tab.goto(`${origin}/subscribe${query}`);
      await tab.locator('[value=only]').check();
      await checkForm(`the components${query}`);
      await tab.locator('main form button').click();
      await checkForm(`the errors${query}`);
      await tab.goto(`${origin}/subscribe?by=sms${query.replace('?', '&')}`);
      await tab.locator('#phone').fill('+49301234567');
      await page.forgetRequests();
      await tab.locator('main form button').click();
      await checkForm(`the code${query}`);
    });
  });
});
