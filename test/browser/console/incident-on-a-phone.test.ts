import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { phone, setHoldSeconds, useOwnConsole } from '../../support/console.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { waitUntil } from '../../support/wait-until-equal.js';
import { serviceOrigin } from '../../../src/db/audit.js';
import { invitePerson } from '../../../src/people/person.service.js';
import { Writer } from '../../../src/records/writer.js';

describeInBrowser('An incident on a phone', () => {
  let mailServer: MailServer;
  const { service, browser, signIn } = useOwnConsole(async () => {
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

  test('takes at most 11 taps from locked out to published, and 13 to resolved, with several pages', async () => {
    const other = await createPage(service, { name: 'Halden Bank', send_notifications_by_email: true });
    const email = 'ines@halden.example';
    const writer = new Writer(service.database, { origin: serviceOrigin('command', 'test') });
    await writer.transaction(unit => invitePerson(unit, email, 'publisher', null));
    await createComponent(service, other.path, { name: 'Transfers' });
    await createSubscriber(service, other.path, { email: 'reader@halden.example' });
    await setHoldSeconds(service, other.id, 0);
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      locale: 'en-GB',
    });
    const page = await context.newPage();
    let taps = 0;
    const tap = async (target: Locator) => {
      taps += 1;
      await target.tap();
    };
    await page.goto(`${service.url}/console/`);
    const address = page.getByLabel('E-mail address');
    await address.waitFor();
    if (!(await address.evaluate(field => field === field.ownerDocument.activeElement))) await tap(address);
    await page.keyboard.type(email);
    await tap(page.getByRole('button', { name: 'Send me a code' }));
    await page.getByLabel('Code').waitFor();
    const mail = await waitUntil(
      () => mailServer.mails.find(({ to }) => to.includes(email)),
      found => found !== undefined,
    );
    // The code field has the focus.
    await page.keyboard.type(/^\d{8}\r?$/m.exec(mail!.raw)![0].trim());
    await tap(page.getByRole('button', { name: 'Sign in', exact: true }));
    await tap(page.getByRole('link', { name: 'Report an incident' }));
    await page.getByLabel('Subject').waitFor();
    taps += 2; // The list of the system, and the page in it.
    await page.getByLabel('Page', { exact: true }).last().selectOption({ label: 'Halden Bank' });
    await tap(page.getByLabel('Subject'));
    await page.keyboard.type('Transfers are delayed');
    await tap(page.getByLabel('Transfers'));
    taps += 2; // The same for the impact.
    await page.getByLabel('Impact on Transfers').selectOption('MAJOR_OUTAGE');
    await tap(page.getByRole('button', { name: 'Publish and notify 1 person' }));
    await page.waitForURL(/\/notices\/\d+\?publication=\d+$/);
    expect(taps).toBeLessThanOrEqual(11);
    await tap(page.getByText('Resolved', { exact: true }).last());
    await tap(page.getByRole('button', { name: 'Publish and notify 1 person' }));
    await page.locator('ol').getByText('Resolved', { exact: true }).waitFor();
    expect(taps).toBeLessThanOrEqual(13);
  });
});
