import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { findFlaws, phone, signIn, startConsoleService } from '../../support/console.js';
import { createComponent, createPage } from '../../support/factories.js';
import type { TestService } from '../../support/service.js';

jest.setTimeout(90_000);

describeInBrowser('The screen of the templates', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('adds a template that the form then offers, edits and deletes it', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    await createComponent(service, path, { name: 'Tracking' });
    const { page, problems, open, context } = await signIn(service, browser, { role: 'publisher', viewport: phone });
    await open(`/pages/${id}/templates`);
    await page.getByRole('button', { name: 'Add a template' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.getByLabel('Name').fill('Positions');
    await page.getByLabel('Subject').fill('Positions stand still');
    await page.getByLabel('Tracking').check();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Positions stand still').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await open('/new/incident');
    await page.getByLabel('Template').selectOption('Positions');
    expect(await page.getByLabel('Subject').inputValue()).toBe('Positions stand still');
    expect(await page.getByLabel('Tracking', { exact: true }).isChecked()).toBe(true);
    await open(`/pages/${id}/templates`);
    await page.getByRole('button', { name: 'Edit Positions' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it?' }).click();
    await page.getByText('There are none yet.').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
