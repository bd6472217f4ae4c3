import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createComponent, createPage } from '../../support/factories.js';

describeInBrowser('The screen of the templates', () => {
  const { service, signIn } = useOwnConsole();

  test('adds a template that the form then offers, edits and deletes it', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    await createComponent(service, path, { name: 'Tracking' });
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
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
    await page.getByText('There are no templates yet.').waitFor();
    expect(problems).toEqual([]);
  });

  test('leaves a template for any notice one when it is edited', async () => {
    const { id } = await createPage(service, { name: 'Nordlicht Energie' });
    const create = `mutation($page: ID!) {
      createNoticeTemplate(pageId: $page, input: { name: "Any", subject: "Before" }) { template: noticeTemplate { id } } }`;
    await service.graphql(create, { page: id });
    const { page, open } = await signIn({ role: 'publisher' });
    await open(`/pages/${id}/templates`);
    await page.getByRole('button', { name: 'Edit Any' }).click();
    await page.getByLabel('Subject').fill('After');
    for (const viewport of [phone, { width: 1440, height: 700 }, { width: 844, height: 390 }]) {
      await page.setViewportSize(viewport);
      const { y, height } = (await page.getByRole('dialog').boundingBox())!;
      expect(y + height).toBeLessThan(viewport.height);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('After').waitFor();
    const query = 'query($page: ID!) { noticeTemplates(pageId: $page) { nodes { subject type } } }';
    const { json } = await service.graphql(query, { page: id });
    expect(json.data.noticeTemplates.nodes).toEqual([{ subject: 'After', type: null }]);
  });
});
