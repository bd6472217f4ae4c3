import { expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';
import { desktop, findFlaws, phone, startConsoleService, useOwnConsole } from '../../support/console.js';

const topOf = async (element: Locator) => (await element.boundingBox())!.y;

describeInBrowser('The first run', () => {
  const { service, browser, signIn } = useOwnConsole();

  test('leads from an empty service to a page with three components and a colour, on a phone', async () => {
    const { page, problems, open } = await signIn({ viewport: phone });
    await open('/');
    await page.getByRole('heading', { name: 'Create your first page' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    // The places that need a page come with it.
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    for (const name of ['Tokens', 'Audit log', 'GraphQL'])
      expect(await page.getByRole('dialog').getByRole('button', { name }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByLabel('Name').fill('Meridian Freight');
    await page.getByLabel('Component 1').fill('Booking');
    await page.getByLabel('Component 3').fill('x'.repeat(300));
    const colour = page.getByLabel('Colour of links and buttons', { exact: true });
    await colour.fill('#ffee00');
    await page.getByText('1.1 : 1').waitFor();
    await colour.fill('#0b6e4f');
    await page.getByText('5.9 : 1').waitFor();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Berlin');
    await page.reload();
    expect(await page.getByLabel('Component 1').inputValue()).toBe('Booking');
    await page.getByRole('button', { name: 'Create the page' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.locator('[aria-invalid=true]').inputValue()).toHaveLength(300);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Component 3').fill('Tracking');
    // The connection is lost while the last component is written, and the form is sent again.
    await page.route('**/graphql', async route => {
      if (!route.request().postData()?.includes('"Tracking"')) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Create the page' }).click();
    await page.getByText(/cannot be reached/).waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Create the page' }).click();
    await page.getByRole('heading', { name: 'Meridian Freight has a status page' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    // The page and the first incident come first, what would change the page last.
    const view = page.getByRole('link', { name: 'View the page', exact: true });
    const attempt = page.getByRole('link', { name: 'Try an incident (notify nobody)' });
    const demonstration = page.getByText('Visitors of the page see them until you delete them.');
    const tops = await Promise.all([view, attempt, page.getByText('What comes next'), demonstration].map(topOf));
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    const { json } = await service.graphql(
      '{ pages { nodes { id url name timezone components { nodes { name } } brand { colorBodyLinks } } } }',
    );
    const [{ id, url }] = json.data.pages.nodes;
    expect(await view.getAttribute('href')).toBe(url);
    expect(json.data.pages.nodes).toEqual([
      {
        id,
        url,
        name: 'Meridian Freight',
        timezone: 'Europe/Berlin',
        components: { nodes: [{ name: 'Booking' }, { name: 'API' }, { name: 'Tracking' }] },
        brand: { colorBodyLinks: '#0b6e4f' },
      },
    ]);
    await attempt.click();
    await page.getByRole('heading', { name: 'Report an incident' }).waitFor();
    await open(`/pages/${id}/appearance`);
    await page
      .getByText(/^Contrast/)
      .first()
      .waitFor();
    expect(await page.getByText(/^needs/).count()).toBe(0);
    expect(problems.filter(problem => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  test('adds demonstration data at a click, and deletes it at a click', async () => {
    const { page, problems, open } = await signIn({
      viewport: desktop,
      colorScheme: 'dark',
    });
    const { json } = await service.graphql('{ pages { nodes { id } } }');
    const [{ id }] = json.data.pages.nodes;
    const countNotices = async () =>
      (await service.graphql('query($id: ID!) { page(id: $id) { notices { totalCount } } }', { id })).json.data.page
        .notices.totalCount;
    await open(`/pages/${id}/start`);
    await page.getByRole('button', { name: 'Add demonstration data' }).click();
    await page.getByRole('button', { name: 'Delete the demonstration data' }).waitFor();
    expect(await countNotices()).toBe(7);
    expect(await findFlaws(page)).toEqual([]);
    await open(`/pages/${id}/settings`);
    await page.getByRole('button', { name: 'Delete the demonstration data' }).click();
    await page.getByRole('button', { name: /: press again$/ }).click();
    await page.getByRole('button', { name: 'Add demonstration data' }).waitFor();
    expect(await countNotices()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('begins with the link that the start prints', async () => {
    const empty = await startConsoleService({ bootstrapToken: '' });
    const page = await browser.newPage();
    await page.goto(empty.firstAccess!.link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Create your first page' }).waitFor();
    await page.close();
    await empty.stop();
  });

  test('is not offered to those who may not create pages', async () => {
    const { id } = (await service.graphql('{ pages { nodes { id } } }')).json.data.pages.nodes[0];
    const { page, open } = await signIn({ pageIds: [id] });
    await open('/');
    await page.getByRole('link', { name: 'Page settings' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create a page' }).count()).toBe(0);
  });

  test('finds time zones by city and by zone, and has that of the browser under another name', async () => {
    const { page, open } = await signIn({ timezoneId: 'America/Toronto', viewport: phone });
    await open('/new-page');
    await page.getByLabel('Name').fill('Maple Freight');
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    const options = page.getByRole('listbox', { name: 'Time zone' }).getByRole('option');
    await waitUntilEqual(() => zone.inputValue(), 'Toronto');
    for (const [text, found] of [
      ['new york', 'Eastern Time (US & Canada)'],
      ['Europe/Berl', 'Berlin'],
      ['sao paulo', 'Sao Paulo'],
    ]) {
      await zone.fill(text!);
      expect(await options.first().textContent()).toContain(found);
    }
    expect(await findFlaws(page)).toEqual([]);
    await zone.fill('nowhere');
    await page.getByText('Nothing matches “nowhere”.').waitFor();
    await zone.press('Escape');
    expect(await zone.inputValue()).toBe('Toronto');
    await zone.fill('berlin');
    await zone.press('Enter');
    expect(await zone.inputValue()).toBe('Berlin');
    await zone.fill('toronto');
    await page.getByRole('button', { name: 'Create the page' }).click();
    await page.getByRole('heading', { name: 'Maple Freight has a status page' }).waitFor();
    const { json } = await service.graphql('{ pages { nodes { name timezone } } }');
    expect(json.data.pages.nodes).toContainEqual({ name: 'Maple Freight', timezone: 'America/New_York' });

    // Without mail and a passkey, the page notifies nobody and its owner is locked out.
    await page.getByText('E-mail is not set up: your page cannot notify by mail').waitFor();
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  test('draws the page while the form is filled in', async () => {
    const { page, open } = await signIn({ viewport: desktop });
    await open('/new-page');
    const preview = page.getByRole('region', { name: 'Preview' });
    await page.getByLabel('Name').fill('Maple Freight');
    await page.getByLabel('Component 2').fill('Booking');
    await page.getByLabel('Component 3').fill('');
    await preview.getByText('Maple Freight').waitFor();
    expect(await preview.getByRole('listitem').count()).toBe(2);
    expect(await preview.getByText('Booking').count()).toBe(1);
    expect(await findFlaws(page)).toEqual([]);
  });
});
