import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { findFlaws, phone, signIn, startConsoleService } from '../../support/console.js';
import { createPage } from '../../support/factories.js';
import type { TestService } from '../../support/service.js';

jest.setTimeout(90_000);

/** People, tokens and the audit log: who may do what, and who did. */
describeInBrowser('The screens of access', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
    await createPage(service, { name: 'Meridian Freight' });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('invite somebody by a link, and take the role away', async () => {
    const { page, problems, open, context } = await signIn(service, browser, { viewport: phone });
    await open('/people');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('E-mail').fill('anna@example.com');
    await page.getByLabel('Role').selectOption('DRAFTER');
    await page.getByLabel('On').selectOption({ label: 'Meridian Freight' });
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText(`${service.url}/sign-in/`).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const anna = page.getByRole('listitem').filter({ hasText: 'anna@example.com' });
    await anna.getByText('Drafter of Meridian Freight').waitFor();
    await anna.getByRole('button', { name: 'Take away' }).click();
    await anna.getByRole('button', { name: /Take the role away/ }).click();
    await anna.getByText('No role').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('show the secret of a new token once, and revoke it', async () => {
    const { page, problems, open, context } = await signIn(service, browser);
    await open('/tokens');
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByLabel('Label').fill('Deploys');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = (await page.locator('dialog pre').textContent())!;
    const { json } = await service.graphql('{ viewer { role } }', {}, { token: secret });
    expect(json.data.viewer.role).toBe('PUBLISHER');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await findFlaws(page)).toEqual([]);
    const row = page.getByRole('listitem').filter({ hasText: 'Deploys' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Revoke Deploys?' }).click();
    await row.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    await context.close();
  });

  test('show who changed what', async () => {
    const { page, problems, open, context } = await signIn(service, browser);
    await open('/audit');
    await page.getByText(/createPage/).click();
    await page.getByText('– → Meridian Freight').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });
});
