import { beforeAll, expect, jest, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createNotice, createPage } from '../../support/factories.js';

jest.setTimeout(120_000);

/** More than one response has. */
const pageCount = 101;
const incidentCount = 26;

describeInBrowser('The situation of many pages', () => {
  const { service, signIn } = useOwnConsole();
  beforeAll(async () => {
    for (let page = 1; page < pageCount; page++) {
      const { path } = await createPage(service, { name: `Depot ${page}` });
      await createNotice(service, path, { subject: `Gate ${page} is closed` });
    }
    const last = await createPage(service, { name: 'Meridian Freight' });
    for (let incident = 1; incident <= incidentCount; incident++)
      await createNotice(service, last.path, { subject: `Lorry ${incident} is late` });
  });

  test('says what it does not show, and leads there', async () => {
    const { page, problems, open } = await signIn({ viewport: phone });
    await open('/');
    await page.getByText('50 of the 101 pages are shown').waitFor();
    await page.getByText('Only the first 20 of your 101 pages are checked here').waitFor();
    expect(await page.getByText('Lorry').count()).toBe(0);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('Gate 51 is closed').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('Lorry 26 is late').waitFor();
    expect(await page.getByText(/^Lorry/).count()).toBe(25);
    await page.getByRole('link', { name: '1 more of Meridian Freight' }).click();
    await page.getByText('26 notices').waitFor();
    expect(problems).toEqual([]);
  });
});
