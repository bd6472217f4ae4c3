import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useConsole } from '../../support/console.js';
import { createPage, createSubscriber } from '../../support/factories.js';

describeInBrowser('The screen of the subscribers', () => {
  const { service, signIn } = useConsole();
  const createScreen = async () => {
    const page = await createPage(service, { name: 'Meridian Freight' });
    await createSubscriber(service, page.path, { email: 'ada@customer.example', company: 'Ada Ltd' });
    await createSubscriber(service, page.path, { email: 'grace@customer.example' });
    return `/pages/${page.id}/subscribers`;
  };

  test('searches, adds with the error at its field, and deletes', async () => {
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    await open(await createScreen());
    await page.getByText('2 subscribers').waitFor();
    await page.getByText('2 by e-mail: 2 came, 0 went').waitFor();
    await page.getByText('Show the numbers').click();
    await page.getByText('2 (2, 0)').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Search').fill('ada');
    await page.getByText('1 subscriber', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add a subscriber' }).click();
    await page.getByLabel('E-mail').fill('not an address');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('E-mail').fill('adam@customer.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 subscribers').waitFor();
    await page.getByRole('button', { name: 'History of adam@customer.example' }).click();
    await page.getByText('No message was sent to this subscriber yet.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the subscriber and the history?' }).click();
    await page.getByText('1 subscriber', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('unsubscribes all that a search matches, and says how many before and after', async () => {
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    const screen = await createScreen();
    const path = `/v1${screen.replace('/subscribers', '')}`;
    for (let n = 1; n <= 30; n++) await createSubscriber(service, path, { email: `n${n}@many.example` });
    await open(screen);
    await page.getByLabel('Search').fill('many.example');
    await page.getByText('30 subscribers').waitFor();
    await page.getByLabel('Select n30@many.example').check();
    await page.getByText('1 subscriber selected').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Select these 25').check();
    await page.getByText('25 subscribers selected').waitFor();
    await page.getByRole('button', { name: 'Select all 30 subscribers' }).click();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('button', { name: 'Unsubscribe 30 subscribers?' }).click();
    await page.getByText('Unsubscribed 30 subscribers.').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByText('2 subscribers').waitFor();
    expect(problems).toEqual([]);
  });

  test('says that there are none, and how they come', async () => {
    const { id } = await createPage(service);
    const { page, open } = await signIn();
    await open(`/pages/${id}/subscribers`);
    await page.getByText('There are no subscribers yet.').waitFor();
    await open(`/pages/${id}/notices`);
    await page.getByText('There are no notices yet').waitFor();
  });

  test('tries a file before it imports it, and exports what is there', async () => {
    const { page, open } = await signIn();
    await open(await createScreen());
    await page.getByRole('button', { name: 'Import' }).click();
    // 0x81 is in Shift JIS, and not in Windows-1252.
    const other = Buffer.from('email,first_name\nnew@customer.example,\u0083\u0081\n', 'latin1');
    await page.getByLabel('File').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: other });
    await page.getByText('Its encoding is not known').waitFor();
    expect(await page.getByRole('button', { name: 'Check the file' }).isDisabled()).toBe(true);
    const csv = 'sep=;\nemail;first_name\nada@customer.example;\nnew@customer.example;Jürgen\nno address;\n';
    const windows1252 = Buffer.from(csv, 'latin1');
    await page.getByLabel('File').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: windows1252 });
    await page.getByLabel('Source of consent').fill('Portal');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 would be added').waitFor();
    expect(await page.getByText(/^Line 5/).textContent()).not.toContain('`');
    expect(await page.getByText('2 subscribers').count()).toBe(1);
    await page.getByRole('button', { name: 'Import 1 subscriber' }).click();
    await page.getByText('1 were added').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('3 subscribers').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('subscribers.csv');
  });
});
