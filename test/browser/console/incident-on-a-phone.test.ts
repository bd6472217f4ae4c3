import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { phone, setHoldSeconds, useOwnConsole } from '../../support/console.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';

describeInBrowser('An incident on a phone', () => {
  let mailServer: MailServer;
  const { service, signIn } = useOwnConsole(async () => {
    mailServer = await startMailServer();
    return { smtpUrl: mailServer.url, mailFrom: 'status@example.com', worker: true };
  });
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    await createComponent(service, page.path, { name: 'Card payments' });
    await createSubscriber(service, page.path);
    await setHoldSeconds(service, page.id, 0);
  });
  afterAll(() => mailServer.stop());

  test('goes from open to resolved, with at most 6 taps to the first notification', async () => {
    const { page, open, problems } = await signIn({ role: 'publisher', viewport: phone });
    let taps = 0;
    const tap = async (target: Locator) => {
      taps += 1;
      await target.click();
    };
    await open('/');
    await tap(page.getByRole('link', { name: 'Report an incident' }));
    // The subject has the focus.
    await page.getByLabel('Subject').waitFor();
    await page.keyboard.type('Card payments are declined for some customers since 14:00');
    await tap(page.getByLabel('Card payments'));
    await tap(page.getByRole('button', { name: 'Publish and notify 1 person' }));
    await page.getByText('Done: 1 of 1 sent').waitFor();
    // The list below is not behind what stands above it.
    await page.getByRole('listitem').filter({ hasText: 'Opened' }).getByText('1 sent').waitFor();
    expect(taps).toBeLessThanOrEqual(6);
    expect(mailServer.mails).toHaveLength(1);

    for (const state of ['Identified', 'Recovering', 'Resolved']) {
      await tap(page.getByText(state, { exact: true }).last());
      await tap(page.getByRole('button', { name: 'Publish and notify 1 person' }));
      await page.locator('ol').getByText(state, { exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Situation' }).click();
    await page.getByRole('heading', { name: 'No incident is open' }).waitFor();
    expect(problems).toEqual([]);
  });
});
