import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { opsgenieBody } from '../../support/sender-payloads.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';
import { findFlaws, phone, useConsole } from '../../support/console.js';
import { createComponent, createPage, createTemplate } from '../../support/factories.js';

describeInBrowser('The screen of the alerts', () => {
  const { service, signIn } = useConsole();

  test('adds a source, whose alerts become drafts, and rules that are tried with the last payload', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    await createComponent(service, path, { name: 'Checkout' });
    await createTemplate(service, path, { name: 'Outage', subject: 'The shop is slow' });
    const { page, problems, open } = await signIn({ role: 'owner', viewport: phone });
    await open(`/pages/${id}/alerts`);
    await page.getByText('There are no sources yet.').waitFor();
    await page.getByRole('button', { name: 'Add a source' }).click();
    await page.getByLabel('Name').fill('Prometheus');
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const address = await page.locator('code', { hasText: '/hooks/' }).textContent();
    await page.getByRole('button', { name: 'Close' }).click();
    const { status } = await service.post(new URL(address!).pathname, alertmanagerBody(), { token: null });
    expect(status).toBe(200);
    await open(`/pages/${id}/alerts`);
    await page.getByText('1 firing, received: 1').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open Prometheus' }).click();
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    const trial = page.getByRole('list', { name: 'What the rules would do' });
    await trial.getByText('Make a draft').waitFor();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Label').fill('severity');
    await page.getByLabel('Value').fill('crit*');
    await page.getByLabel('What to do').selectOption('Publish at once');
    await page.getByLabel('Checkout').check();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('must not be blank').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Template').selectOption('Outage');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('severity is crit*').waitFor();
    await page.getByText('Publish at once, template Outage, 1 component').waitFor();
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await trial.getByText('Publish at once, Outage, components: 1').waitFor();
    await page.getByText('Alertmanager, alerts: 1').click();
    await page.getByText('"groupKey"').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await open(`/pages/${id}/alerts`);
    await page.getByRole('link', { name: 'Review the draft' }).click();
    await page.getByRole('heading', { name: 'The shop does not answer' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('reads the last payload of an unknown sender by field paths, and stores them', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, problems, open } = await signIn({ role: 'owner', viewport: phone });
    await open(`/pages/${id}/alerts`);
    await page.getByRole('button', { name: 'Add a source' }).click();
    await page.getByLabel('Name').fill('Opsgenie');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const address = await page.locator('code', { hasText: '/hooks/' }).textContent();
    await page.getByRole('button', { name: 'Close' }).click();
    const send = () => service.post(new URL(address!).pathname, opsgenieBody(), { token: null });
    expect((await send()).status).toBe(422);
    await open(`/pages/${id}/alerts`);
    await page.getByRole('link', { name: 'Open Opsgenie' }).click();
    await page.getByRole('button', { name: 'Field paths' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Start from').selectOption('Opsgenie');
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByLabel('Key').fill('$..alertId');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('must name each level in place of ..').waitFor();
    await dialog.getByLabel('Key').fill('$.alert.alertId');
    await dialog.getByRole('button', { name: 'Try it', exact: true }).click();
    const trial = dialog.getByRole('list', { name: 'What the rules would do' });
    await trial.getByText('Checkout is slow').waitFor();
    await trial.getByText('priority=P2, team=web').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await send()).text).toBe('alerts: 1, drafts: 1\n');
    expect(problems).toEqual([]);
  });

  test('adds the draft of an alert to an open notice about the same component', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    const checkout = await createComponent(service, path, { name: 'Checkout' });
    const basket = await createComponent(service, path, { name: 'Basket' });
    const { json } = await service.graphql(
      `mutation ($page: ID!, $ids: [ID!], $alert: [ID!]) {
         openIncident(pageId: $page, input: { subject: "Payments fail", componentIds: $ids, shouldPublish: false }) {
           notice { id } }
         createAlertSource(pageId: $page, input: { name: "Monitor", rules: [{ componentIds: $alert }] }) { hookUrl } }`,
      { page: id, ids: [String(checkout.id)], alert: [String(checkout.id), String(basket.id)] },
    );
    const { openIncident, createAlertSource } = json.data;
    await service.post(new URL(createAlertSource.hookUrl).pathname, alertmanagerBody(), { token: null });
    const { page, problems, open } = await signIn({ role: 'owner', viewport: phone });
    await open(`/pages/${id}/alerts`);
    await page.getByRole('link', { name: 'Review the draft' }).click();
    await page.getByText('“Payments fail” is open, and names the same components.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add to the open notice Payments fail' }).click();
    await page.getByText('Update · Draft, saved by').waitFor();
    await page.getByRole('heading', { name: 'Payments fail' }).waitFor();
    await page.getByText('probe_success is 0 on shop-1.').first().waitFor();
    const stored = await service.graphql(
      'query ($page: ID!) { drafts(pageId: $page) { nodes { verb change { updateNotice { content componentIds } } notice { id } } } }',
      {
        page: id,
      },
    );
    expect(stored.json.data.drafts.nodes).toEqual([
      {
        verb: 'UPDATE_NOTICE',
        notice: openIncident.notice,
        change: {
          updateNotice: { content: expect.any(String), componentIds: [String(checkout.id), String(basket.id)] },
        },
      },
    ]);
    expect(problems).toEqual([]);
  });
});
