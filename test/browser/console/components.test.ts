import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, findFlawsInLooks, phone, useConsole } from '../../support/console.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

describeInBrowser('The screen of the components', () => {
  const { service, signIn } = useConsole();
  const createTree = async () => {
    const page = await createPage(service, { name: 'Meridian Freight' });
    const billing = await createComponent(service, page.path, { name: 'Billing' });
    await createComponent(service, page.path, { name: 'Invoices', parent_id: billing.id });
    const ids: Record<string, number> = {};
    for (const name of ['Tracking', 'Website']) ids[name] = (await createComponent(service, page.path, { name })).id;
    return { id: page.id as string, path: page.path, ids, screen: `/pages/${page.id}/components` };
  };
  const readOrder = async (pageId: string) => {
    const { json } = await service.graphql(
      'query($page: ID!) { components(pageId: $page, orderBy: [{ field: POSITION }]) { nodes { name parent { name } } } }',
      { page: pageId },
    );
    const nodes = json.data.components.nodes as { name: string; parent: { name: string } | null }[];
    return nodes.filter(({ parent }) => !parent).map(({ name }) => name);
  };
  const moved = (page: Page) => page.getByText(/was moved/).waitFor();
  const expectOrder = (pageId: string, order: string[]) => waitUntilEqual(() => readOrder(pageId), order);

  test('has no flaws', async () => {
    const { screen } = await createTree();
    const { page, problems, open } = await signIn();
    await open(screen);
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit Billing' }).click();
    expect(await findFlawsInLooks(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('moves a component by button and by pointer, and undoes it', async () => {
    const { id, screen } = await createTree();
    const { page, open } = await signIn();
    await open(screen);
    await page.getByRole('button', { name: 'Move Website up' }).click();
    await moved(page);
    await expectOrder(id, ['Billing', 'Website', 'Tracking']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectOrder(id, ['Billing', 'Tracking', 'Website']);
    await page.locator('main > ul > li:nth-child(3)', { hasText: 'Website' }).waitFor();
    await page.getByText('Website', { exact: true }).dragTo(page.getByText('Billing', { exact: true }));
    await expectOrder(id, ['Website', 'Billing', 'Tracking']);
  });

  test('adds, edits and deletes; an error stands at its field and empties nothing', async () => {
    const { screen } = await createTree();
    const { page, open } = await signIn();
    await open(screen);
    await page.getByRole('button', { name: 'Add a component' }).click();
    await page.getByLabel('Description').fill('What your systems talk to');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('What your systems talk to');
    await page.getByLabel('Name').fill('API');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Edit API' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it?' }).click();
    await page.getByRole('button', { name: 'Edit API' }).waitFor({ state: 'detached' });
  });

  test('sets the state of a component with a note, and clears it', async () => {
    const { screen } = await createTree();
    const { page, open } = await signIn();
    await open(screen);
    await page.getByRole('button', { name: 'Operational: set the status of Website' }).click();
    await page.getByRole('button', { name: 'Set the status', exact: true }).click();
    await page.getByText('Choose a status.').waitFor();
    await page.getByText('Partial outage', { exact: true }).click();
    await page.getByLabel('Note').fill('Some pages are slow');
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show Website as a partial outage' }).click();
    await page.getByText('Set by hand: Some pages are slow').waitFor();
    await page.getByRole('button', { name: 'Partial outage: set the status of Website' }).click();
    await page.getByRole('button', { name: 'Clear it: follow notices' }).click();
    await page.getByRole('button', { name: 'Operational: set the status of Website' }).waitFor();
  });

  test('shows the states of the public page', async () => {
    const { screen, path, ids } = await createTree();
    const impacts = { affectedComponents: [{ componentId: ids.Tracking, impact: 'MAJOR_OUTAGE' }] };
    await service.graphql(
      'mutation($page: ID!, $input: OpenIncidentInput!) { openIncident(pageId: $page, input: $input) { notice { id } } }',
      { page: path.split('/').at(-1), input: { subject: 'Positions stand still', shouldPublish: false, ...impacts } },
    );
    const window = { begins_at: new Date().toISOString(), ends_at: '2099-01-01T00:00:00Z' };
    const planned = { type: 'planned', state: 'underway', subject: 'Move', component_ids: [ids.Website], ...window };
    await createNotice(service, path, planned);
    const { page, open } = await signIn({ role: 'viewer' });
    await open(screen);
    const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name }).last();
    expect(await row('Tracking').textContent()).toBe('TrackingMajor outage');
    expect(await row('Website').textContent()).toBe('WebsiteMaintenance');
  });

  test('sets the state of several at once', async () => {
    const { screen } = await createTree();
    const { page, open } = await signIn();
    await open(screen);
    await page.getByRole('button', { name: 'Select several' }).click();
    await page.getByRole('checkbox', { name: 'Website' }).check();
    await page.getByRole('checkbox', { name: 'Tracking' }).check();
    await page.getByText('2 selected').waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set the status', exact: true }).click();
    await page.getByRole('heading', { name: 'Set the status of 2 components' }).waitFor();
    await page.getByRole('dialog').getByText('Maintenance', { exact: true }).click();
    await page.getByRole('button', { name: 'Show 2 components as under maintenance' }).click();
    for (const name of ['Website', 'Tracking'])
      await page.getByRole('button', { name: `Maintenance: set the status of ${name}` }).waitFor();
  });

  test('moves several below another one, and deletes several after one confirmation', async () => {
    const { screen } = await createTree();
    const { page, open } = await signIn();
    await open(screen);
    await page.getByRole('button', { name: 'Select several' }).click();
    for (const name of ['Website', 'Tracking']) await page.getByRole('checkbox', { name }).check();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByLabel('Part of', { exact: true }).selectOption('Billing');
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
    await page.locator('main > ul > li > ul > li:nth-child(3)', { hasText: 'Website' }).waitFor();
    await page.getByRole('button', { name: 'Select several' }).click();
    for (const name of ['Website', 'Tracking']) await page.getByRole('checkbox', { name }).check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete 2 components?' }).click();
    await page.getByText('Website').waitFor({ state: 'detached' });
    await page.getByText('Invoices').waitFor();
  });

  test('moves a component by one request, however many follow it', async () => {
    const { id, path, screen } = await createTree();
    const { page, open } = await signIn();
    for (const name of ['Search', 'Mail', 'Chat']) await createComponent(service, path, { name });
    await open(screen);
    const writes: string[] = [];
    page.on('request', request => {
      const written = /mutation (\w+)/.exec(request.postData() ?? '');
      if (written) writes.push(written[1]!);
    });
    await page.getByText('Chat', { exact: true }).dragTo(page.getByText('Billing', { exact: true }));
    await expectOrder(id, ['Chat', 'Billing', 'Tracking', 'Website', 'Search', 'Mail']);
    await moved(page);
    expect(writes).toEqual(['MoveComponents']);
  });

  test('folds a group, and remembers that', async () => {
    const { screen } = await createTree();
    const { page, open } = await signIn();
    await open(screen);
    const invoices = page.getByText('Invoices', { exact: true });
    await invoices.waitFor();
    await page.getByRole('button', { name: '1 component of Billing' }).click();
    await invoices.waitFor({ state: 'detached' });
    expect(await findFlaws(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: '1 component of Billing', expanded: false }).click();
    await invoices.waitFor();
  });

  test('names in words the state of a group of which a part is affected', async () => {
    const { screen, path } = await createTree();
    const { json } = await service.get(`${path}/components`);
    const [billing, invoices] = ['Billing', 'Invoices'].map(name =>
      json.response.find((each: { name: string }) => each.name === name),
    );
    await createComponent(service, path, { name: 'Quotes', parent_id: billing.id });
    await createNotice(service, path, { subject: 'Invoices are late', component_ids: [invoices.id] });
    const { page, open } = await signIn({ role: 'viewer' });
    await open(screen);
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Billing' }).first();
    expect(await row.locator('> div').first().textContent()).toBe('Billing2 componentsPartially degraded');
  });

  test('shows a viewer the states, and no buttons', async () => {
    const { screen } = await createTree();
    const { page, open } = await signIn({ role: 'viewer' });
    await open(screen);
    await page.getByText('Website').waitFor();
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual(['1 component']);
  });

  test('has a row of one line for each on a phone, and its arrows where the order is changed', async () => {
    const { screen } = await createTree();
    const { page, open } = await signIn({ viewport: phone });
    await open(screen);
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Website' }).first();
    await row.waitFor();
    const up = page.getByRole('button', { name: 'Move Website up' });
    expect(await up.isVisible()).toBe(false);
    expect((await row.boundingBox())!.height).toBeLessThan(80);
    // What is beside a name does not break it, or itself, into pieces.
    const fold = page.getByRole('button', { name: '1 component of Billing' });
    expect((await fold.boundingBox())!.height).toBeLessThan(40);
    await page.getByRole('button', { name: 'Change the order' }).click();
    await up.waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await up.waitFor({ state: 'hidden' });
  });
});
