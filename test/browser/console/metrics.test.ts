import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { allLooks, findFlawsInLooks, phone, useConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';

describeInBrowser('The screen of the metrics', () => {
  const { service, signIn } = useConsole();
  const addMetric = (pageId: string, name: string) =>
    service.graphql(
      `mutation($pageId: ID!, $name: String!) {
        createMetric(pageId: $pageId, input: { name: $name }) { metric { id } }
      }`,
      { pageId, name },
    );

  test('adds a metric, says how its values are sent, shows the last one, and changes and deletes it', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, problems, open } = await signIn({ role: 'owner', viewport: phone });
    await open(`/pages/${id}/metrics`);
    await page.getByText('There are no metrics yet.').waitFor();
    await page.getByRole('button', { name: 'Add a metric' }).click();
    await page.getByLabel('Unit').fill('ms');
    await page.getByLabel('Colour of the line', { exact: true }).fill('none');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
    await page.getByLabel('Name').fill('Response time');
    await page.getByLabel('Colour of the line', { exact: true }).fill('#b91c1c');
    await page.getByLabel('Decimal places').selectOption('1');
    expect(await findFlawsInLooks(page, allLooks)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('No values yet').waitFor();

    await page.getByRole('button', { name: 'Send values of Response time' }).click();
    const command = await page.locator('pre').textContent();
    expect(await findFlawsInLooks(page, allLooks)).toEqual([]);
    const [, address] = /^curl (\S+)/.exec(command!)!;
    const [, body] = /-d '(.+)'$/.exec(command!)!;
    const { status } = await service.post(new URL(address!).pathname, JSON.parse(body!));
    expect(status).toBe(201);
    await page.getByRole('button', { name: 'Close' }).click();

    await open(`/pages/${id}/metrics`);
    await page.getByText(/^42\.5 ms, average of 5 minutes from /).waitFor();
    expect(await findFlawsInLooks(page, allLooks)).toEqual([]);
    await page.getByRole('button', { name: 'Edit Response time' }).click();
    await page.getByLabel('Unit').fill('');
    await page.getByLabel('Shown on the page').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^42\.5, average.*, not on the page$/).waitFor();

    await page.getByRole('button', { name: 'Edit Response time' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete Response time with its values?' }).click();
    await page.getByText('There are no metrics yet.').waitFor();
    expect(problems).toEqual([]);
  });

  test('offers no twenty-first metric, and viewers nothing that their role does not allow', async () => {
    const { id } = await createPage(service, { name: 'Numbers' });
    for (let number = 1; number <= 20; number++) await addMetric(id, `Metric ${number}`);
    const owner = await signIn({ role: 'owner' });
    await owner.open(`/pages/${id}/metrics`);
    await owner.page.getByText('A page has at most 20 metrics').waitFor();
    expect(await owner.page.getByRole('button', { name: 'Add a metric' }).count()).toBe(0);
    const viewer = await signIn({ role: 'viewer' });
    await viewer.open(`/pages/${id}/metrics`);
    await viewer.page.getByText('Metric 20', { exact: true }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /^(Edit|Send values) / }).count()).toBe(0);
  });
});
