import { beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { desktop, findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';

/** People, tokens and the audit log: who may do what, and who did. */
describeInBrowser('The screens of access', () => {
  const { service, signIn } = useOwnConsole();
  beforeAll(async () => {
    await createPage(service, { name: 'Meridian Freight' });
  });

  test('invite somebody by a link, and take the role away', async () => {
    const { page, problems, open } = await signIn({ viewport: phone });
    await open('/people');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('E-mail').fill('anna@example.com');
    await page.getByLabel('Role', { exact: true }).selectOption('DRAFTER');
    // One page is proposed, not all.
    expect(await page.getByLabel('Pages', { exact: true }).locator('option:checked').textContent()).toBe(
      'Meridian Freight',
    );
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText(`${service.url}/sign-in/`).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const anna = page.getByRole('listitem').filter({ hasText: 'anna@example.com' });
    const role = anna.getByRole('combobox', { name: 'Role of anna@example.com on Meridian Freight' });
    expect(await role.inputValue()).toBe('DRAFTER');
    const save = anna.getByRole('button', { name: 'Save the role' });
    expect(await save.count()).toBe(0);
    await role.selectOption('VIEWER');
    await save.click();
    await save.waitFor({ state: 'detached' });
    await page.reload();
    expect(await role.inputValue()).toBe('VIEWER');
    // Each button stands within the screen, with its row.
    const edges = await page
      .getByRole('main')
      .getByRole('button')
      .evaluateAll(buttons => buttons.map(button => (button as unknown as HTMLElement).getBoundingClientRect().left));
    expect(Math.min(...edges)).toBeGreaterThanOrEqual(16);
    const remove = anna.getByRole('button', { name: 'Remove the role on Meridian Freight' });
    expect(await remove.isVisible()).toBe(false);
    await anna.getByLabel('More for anna@example.com').click();
    expect(await findFlaws(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await remove.waitFor({ state: 'hidden' });
    await anna.getByLabel('More for anna@example.com').click();
    await remove.click();
    await anna.getByRole('button', { name: 'Remove the role of anna@example.com on' }).click();
    await anna.getByText('No role').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('export what is stored of a person, and erase it with a receipt', async () => {
    const { page, problems, open } = await signIn({ viewport: phone });
    await open('/people');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('E-mail').fill('ben@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Data of a person' }).click();
    await page.getByLabel('E-mail or phone number').fill('ben@example.com');
    expect(await findFlaws(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('person.json');
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('button', { name: 'Erase all data of ben@example.com?' }).click();
    await page.getByText('Erased of ben@example.com:').waitFor();
    await page.getByText('accounts: 1').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('listitem').filter({ hasText: 'ben@example.com' }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('show the secret of a new token once, and revoke it', async () => {
    const { page, problems, open } = await signIn();
    await open('/tokens');
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByLabel('Label').fill('Deploys');
    await page.getByLabel('Expires').selectOption({ label: 'Never' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = (await page.locator('dialog code').textContent())!;
    const { json } = await service.graphql('{ viewer { role roles { role } } }', {}, { token: secret });
    expect(json.data.viewer).toEqual({ role: null, roles: [{ role: 'PUBLISHER' }] });
    await page.getByRole('button', { name: 'Copy Token' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await findFlaws(page)).toEqual([]);
    const row = page.getByRole('listitem').filter({ hasText: 'Deploys' });
    await row.getByText('never expires').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Revoke Deploys?' }).click();
    await row.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test.each([phone, desktop])('show who changed what, at %j', async viewport => {
    const { page, problems, open } = await signIn({ viewport });
    await open('/audit');
    await page
      .getByText(/^test owner-\w+@example\.com$/)
      .first()
      .waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'Created the page Meridian Freight' });
    const link = entry.getByRole('link', { name: 'Meridian Freight' });
    expect(await link.getAttribute('href')).toMatch(/\/pages\/\w+\/settings$/);
    await entry.getByText('Details').click();
    const change = page.getByText('– → Meridian Freight');
    await change.waitFor();
    // On a phone an entry has the whole width, and no word is broken.
    const widthOf = async (locator: Locator) => (await locator.boundingBox())!.width;
    if (viewport === phone) expect(await widthOf(entry.locator('details'))).toBe(await widthOf(entry));
    expect(await findFlaws(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
