import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, findFlawsInLooks, phone, useConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

describeInBrowser('The settings of a page', () => {
  const { service, signIn } = useConsole();

  test('are changed, each alone; an error stands at its field and empties nothing', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(`/pages/${id}/settings`);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Delay before messages are sent, in seconds').fill('61');
    await page.getByLabel('Name', { exact: true }).fill('Meridian');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Meridian');
    await page.getByLabel('Delay before messages are sent, in seconds').fill('30');
    // Somebody else changes another setting meanwhile.
    const query =
      'mutation($id: ID!) { updatePage(id: $id, input: { supportEmail: "help@meridian.example" }) { page { id } } }';
    await service.graphql(query, { id });
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const { json } = await service.graphql('query($id: ID!) { page(id: $id) { name holdSeconds supportEmail } }', {
      id,
    });
    expect(json.data.page).toEqual({ name: 'Meridian', holdSeconds: 30, supportEmail: 'help@meridian.example' });
    expect(problems).toEqual([]);
  });

  test('show both versions where somebody else has changed the same setting, and survive a reload', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, open } = await signIn();
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
    await page.getByRole('button', { name: 'Use theirs' }).click();
    expect(await name.inputValue()).toBe('Theirs');
    await page.getByRole('button', { name: 'Save the changes' }).waitFor({ state: 'detached' });
  });

  test('have their default where a number is emptied', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const read = async () => {
      const { json } = await service.graphql('query($id: ID!) { page(id: $id) { holdSeconds } }', { id });
      return json.data.page.holdSeconds;
    };
    const { page, open } = await signIn();
    await open(`/pages/${id}/settings`);
    const save = async (seconds: string) => {
      await page.getByLabel('Delay before messages are sent, in seconds').fill(seconds);
      await page.getByRole('button', { name: 'Save the changes' }).click();
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
      return read();
    };
    expect(await save('30')).toBe(30);
    expect(await save('')).toBe(10);
  });

  test('say who sees the page, and delete it once its name is typed', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, problems, open } = await signIn({ viewport: phone });
    const read = async () => {
      const query = 'query($id: ID!) { page(id: $id) { visibility emailDomains } }';
      return (await service.graphql(query, { id })).json.data.page;
    };
    await open(`/pages/${id}/settings`);
    expect(await page.getByLabel('Language').locator('option:checked').textContent()).toBe('English');
    const save = page.getByRole('button', { name: 'Save visibility' });
    const who = page.getByLabel('Who can see the page');
    await who.selectOption('PASSWORD');
    await page.getByLabel('Page password').fill('short');
    await save.click();
    await page.getByText('must have at least 8 characters').waitFor();
    expect(await read()).toEqual({ visibility: 'PUBLIC', emailDomains: [] });
    await page.getByLabel('Page password').fill('correct horse');
    await save.click();
    await page.getByText('Saved.').waitFor();
    expect(await read()).toEqual({ visibility: 'PASSWORD', emailDomains: [] });
    expect(await page.getByLabel('Page password').inputValue()).toBe('');
    await who.selectOption('EMAIL_DOMAIN');
    await page.getByLabel('Domains').fill('example.com\nexample.org\n');
    expect(await findFlawsInLooks(page)).toEqual([]);
    await save.click();
    await waitUntilEqual(read, { visibility: 'EMAIL_DOMAIN', emailDomains: ['example.com', 'example.org'] });

    const remove = page.getByRole('button', { name: 'Delete the page' });
    await page.getByLabel(/^To confirm, enter the name of the page/).fill('Meridian');
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel(/^To confirm, enter the name of the page/).fill('Meridian Freight');
    await remove.click();
    await page.waitForURL(`${service.url}/console/`);
    expect(await read()).toBeNull();
    expect(problems).toEqual([]);
  });

  test('are not offered to a publisher', async () => {
    const { page, open } = await signIn({ role: 'publisher' });
    await open('/');
    expect(await page.getByRole('link', { name: 'Page settings' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Access' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Deliveries' }).count()).toBe(1);
  });
});
