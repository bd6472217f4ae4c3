/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { createComponent, createNotice, createPage } from '../support/factories.js';
import { useOwnService } from '../support/service.js';
import { waitUntil } from '../support/wait-until-equal.js';

describeInBrowser('an open page', () => {
  const browser = useBrowser();
  const service = useOwnService();

  /** Opens a page of its own; `errors` are what the console reports. */
  const withOpenPage = async (
    options: BrowserContextOptions,
    check: (tab: Page, page: { id: string; path: string }) => Promise<void>,
  ) => {
    const page = await createPage(service);
    const group = await createComponent(service, page.path, { name: 'Platform' });
    await createComponent(service, page.path, { name: 'API', parent_id: group.id });
    const errors: string[] = [];
    const tab = await (await browser.newContext(options)).newPage();
    tab.on('console', message => void (message.type() === 'error' && errors.push(message.text())));
    tab.on('pageerror', error => errors.push(error.message));
    await tab.goto(`${service.url}/status/${page.id}/`);
    await check(tab, page);
    expect(errors).toEqual([]);
  };

  test('shows an incident without being loaded again', async () => {
    await withOpenPage({ timezoneId: 'America/New_York' }, async (tab, page) => {
      await tab.evaluate(() => {
        document.documentElement.dataset.loaded = 'once';
      });
      await createNotice(service, page.path, { subject: 'Search is slow', initial_comment: 'We look into it.' });
      await tab.getByText('Search is slow').first().waitFor();
      expect(await tab.title()).toMatch(/^\(!\) /);
      // Times of the replaced part are in the visitor's zone, too.
      expect(await tab.locator('main time[title]').first().textContent()).toMatch(/GMT-[45]$/);
      expect(await tab.evaluate(() => document.documentElement.dataset.loaded)).toBe('once');
      expect(await tab.evaluate(() => document.querySelectorAll('main').length)).toBe(1);
    });
  });

  test('keeps a group open that the visitor opened', async () => {
    await withOpenPage({}, async (tab, page) => {
      const group = tab.locator('main details', { hasText: 'Platform' }).first();
      expect(await group.getAttribute('open')).toBeNull();
      await group.locator('summary').first().click();
      await createComponent(service, page.path, { name: 'Added' });
      await tab.getByText('Added').first().waitFor();
      expect(await group.getAttribute('open')).toBe('');
    });
  });

  test('is loaded again when its language has changed', async () => {
    await withOpenPage({}, async (tab, page) => {
      await tab.evaluate(() => {
        document.documentElement.dataset.loaded = 'once';
      });
      await service.patch(page.path, { locale: 'de' });
      await tab.locator('html[lang=de]').waitFor({ state: 'attached' });
      expect(await tab.evaluate(() => document.documentElement.dataset.loaded)).toBeUndefined();
    });
  });

  test('is complete, and as it was loaded, without scripts', async () => {
    await withOpenPage({ javaScriptEnabled: false }, async (tab, page) => {
      await createNotice(service, page.path, { subject: 'Search is slow' });
      expect(await tab.getByText('Search is slow').count()).toBe(0);
      // The process that serves the page hears of a change a moment later.
      const countShown = async () => {
        await tab.reload();
        return tab.getByText('Search is slow').count();
      };
      await waitUntil(countShown, count => count > 0);
    });
  });
});
