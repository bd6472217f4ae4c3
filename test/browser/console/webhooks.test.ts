import { afterAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlawsInLooks, phone, useOwnConsole } from '../../support/console.js';
import { createComponent, createPage } from '../../support/factories.js';
import { startReceiver } from '../../support/http-receiver.js';

describeInBrowser('The webhooks of a page', () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  const { service, signIn } = useOwnConsole(async () => {
    receiver = await startReceiver(() => ({ status: 503, body: 'Try later' }));
    return { allowPrivateTargets: true };
  });
  afterAll(() => receiver.stop());

  test('are added with a secret that is shown once, tested, changed, resumed and deleted', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    await createComponent(service, path, { name: 'Checkout' });
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(`/pages/${id}/channels`);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Address').fill('example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Address').fill(`${receiver.url}/hooks/path-secret`);
    await page.getByLabel('Checkout').check();
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = await page.getByText(/^whsec_/).textContent();
    await page.getByText(/^whpk_/).waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();

    const { host } = new URL(receiver.url);
    const webhook = page.getByRole('region', { name: host });
    await webhook.getByText('1 component').waitFor();
    await webhook.getByRole('button', { name: 'Test' }).click();
    await webhook.getByText('503 Try later').waitFor();

    await webhook.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Format').selectOption('STATUSPAGE');
    await page.getByLabel('Checkout').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await webhook.getByText('Atlassian Statuspage, without announcements · all notices').waitFor();

    await webhook.getByRole('button', { name: 'Replace secret' }).click();
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    expect(await page.getByText(/^whsec_/).textContent()).not.toBe(secret);
    await page.getByRole('button', { name: 'Close' }).click();

    await service.database.query(
      `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
       select page_id, 'webhook', id, $2, 1, '410 Gone', now() from webhook where page_id = $1`,
      [id, host],
    );
    await page.reload();
    await webhook.getByText('410 Gone').waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);
    await webhook.getByRole('button', { name: 'Resume' }).click();
    await webhook.getByText('410 Gone').waitFor({ state: 'detached' });
    const count = 'Subscribed by visitors: 1';
    await service.database.query(
      `with made as (
         insert into webhook (page_id, format, target, url_hash, confirmed_at, created_at, updated_at)
         values ($1, 'slack', '{"url": "https://hooks.slack.com/x"}', 'x', now(), now(), now()) returning id)
       insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
       select $1, 'webhook', id, 'hooks.slack.com', 1, '404 no_service', now() from made`,
      [id],
    );
    await page.reload();
    const chat = page.getByRole('region', { name: 'hooks.slack.com' });
    await chat.getByText('404 no_service').waitFor();
    await page.getByText(count).waitFor();
    expect(await chat.getByRole('button', { name: 'Change' }).count()).toBe(0);
    expect(await findFlawsInLooks(page)).toEqual([]);
    await chat.getByRole('button', { name: 'Resume' }).click();
    await chat.waitFor({ state: 'detached' });
    await page.getByText(count).waitFor();

    await page.getByRole('button', { name: 'Switch off webhooks' }).click();
    await page.getByRole('button', { name: 'Switch on webhooks' }).waitFor();

    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toMatch(/path-secret|whsec_/);
    await webhook.getByRole('button', { name: 'Delete' }).click();
    await webhook.getByRole('button', { name: `Delete ${host}?` }).click();
    await webhook.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});
