import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { findFlaws, phone, signIn, startConsoleService } from '../../support/console.js';
import { createPage } from '../../support/factories.js';
import type { TestService } from '../../support/service.js';

jest.setTimeout(90_000);

describeInBrowser('The settings of a page', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('are changed, each alone; an error stands at its field and empties nothing', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, problems, open, context } = await signIn(service, browser, { viewport: phone });
    await open(`/pages/${id}/settings`);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Seconds until messages leave').fill('61');
    await page.getByLabel('Name', { exact: true }).fill('Meridian');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Meridian');
    await page.getByLabel('Seconds until messages leave').fill('30');
    // Somebody else changes another setting meanwhile.
    const query =
      'mutation($id: ID!) { updatePage(id: $id, input: { supportEmail: "help@meridian.example" }) { page { id } } }';
    await service.graphql(query, { id });
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    const { json } = await service.graphql('query($id: ID!) { page(id: $id) { name holdSeconds supportEmail } }', {
      id,
    });
    expect(json.data.page).toEqual({ name: 'Meridian', holdSeconds: 30, supportEmail: 'help@meridian.example' });
    expect(problems).toEqual([]);
    await context.close();
  });

  test('show both versions where somebody else has changed the same setting, and survive a reload', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, open, context } = await signIn(service, browser);
    await open(`/pages/${id}/settings`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Mine');
    const query = 'mutation($id: ID!) { updatePage(id: $id, input: { name: "Theirs" }) { page { id } } }';
    await service.graphql(query, { id });
    await page.reload();
    expect(await name.inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    const versions = page.getByRole('alert', { name: 'Two versions' });
    await versions.getByRole('cell', { name: 'Theirs' }).waitFor();
    await versions.getByRole('cell', { name: 'Mine' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await name.inputValue()).toBe('Theirs');
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    await context.close();
  });

  test('have their default where a number is emptied', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const read = async () => {
      const { json } = await service.graphql('query($id: ID!) { page(id: $id) { holdSeconds } }', { id });
      return json.data.page.holdSeconds;
    };
    const { page, open, context } = await signIn(service, browser);
    await open(`/pages/${id}/settings`);
    const save = async (seconds: string) => {
      await page.getByLabel('Seconds until messages leave').fill(seconds);
      await page.getByRole('button', { name: 'Save the changes' }).click();
      await page.getByRole('button', { name: 'Saved' }).waitFor();
      return read();
    };
    expect(await save('30')).toBe(30);
    expect(await save('')).toBe(10);
    await context.close();
  });

  test('are not offered to a publisher', async () => {
    const { page, open, context } = await signIn(service, browser, { role: 'publisher' });
    await open('/');
    expect(await page.getByRole('link', { name: 'Page settings' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Tokens' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Deliveries' }).count()).toBe(1);
    await context.close();
  });
});
