import { afterAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlawsInLooks, phone, useOwnConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';
import { startReceiver } from '../../support/http-receiver.js';

describeInBrowser('The channels of a page', () => {
  let response: { status: number; body: string };
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  const { service, signIn } = useOwnConsole(async () => {
    receiver = await startReceiver(() => response);
    return { allowPrivateTargets: true };
  });
  afterAll(() => receiver.stop());

  test('are set up, tested with the words of the server, switched and removed', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(`/pages/${id}/channels`);
    const slack = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Slack' }) });
    await slack.getByText('Not set up').waitFor();
    expect(await page.getByRole('button', { name: 'Test E-mail' }).count()).toBe(0);
    await page.getByText('SMTP_URL').waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);

    await page.getByRole('button', { name: 'Set up Slack' }).click();
    await page.getByLabel('Address of the incoming webhook').fill('hooks.slack.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Address of the incoming webhook').inputValue()).toBe('hooks.slack.com');
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByLabel('Address of the incoming webhook').fill(`${receiver.url}/services/secret`);
    await page.getByRole('button', { name: 'Save' }).click();
    await slack.getByText('On', { exact: true }).waitFor();

    response = { status: 403, body: 'invalid_token' };
    await page.getByRole('button', { name: 'Test Slack' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByText('403 invalid_token').waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);
    response = { status: 200, body: 'ok' };
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByText('200 ok').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await slack.getByText('200 ok').waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);

    await page.getByRole('button', { name: 'Switch off Slack' }).click();
    await slack.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Switch on Slack' }).click();
    await slack.getByText('On', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('services/secret');
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('secret');

    await slack.getByRole('button', { name: 'Remove' }).click();
    await slack.getByRole('button', { name: 'Remove Slack?' }).click();
    await slack.getByText('Not set up').waitFor();
    expect(problems).toEqual([]);
  });

  test('are for owners alone', async () => {
    const { page, open } = await signIn({ role: 'publisher' });
    await open('/');
    expect(await page.getByRole('link', { name: 'Channels' }).count()).toBe(0);
  });
});
