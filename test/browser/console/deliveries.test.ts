import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createNotice, createPage, createSubscriber } from '../../support/factories.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';

describeInBrowser('The screen of the deliveries', () => {
  let mailServer: MailServer;
  let isRefusing = true;
  let pageId: string;
  const { service, signIn } = useOwnConsole(async () => {
    mailServer = await startMailServer({ refuse: to => (isRefusing && to.startsWith('gone') ? 550 : undefined) });
    return { smtpUrl: mailServer.url, mailFrom: 'status@example.com', worker: true };
  });
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    pageId = page.id;
    await createSubscriber(service, page.path, { email: 'gone@customer.example' });
    await createSubscriber(service, page.path, { email: 'here@customer.example' });
    await createNotice(service, page.path, { subject: 'Cards are declined', should_publish: true });
  });
  afterAll(() => mailServer.stop());

  test('shows what failed with the words of the server, filters, and resends', async () => {
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    await open(`/pages/${pageId}/deliveries`);
    await page.getByText('not for this one').waitFor();
    await page.getByText('1 failed').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Show').selectOption('Failed');
    await page.getByText('here@customer.example').waitFor({ state: 'detached' });
    isRefusing = false;
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await page.getByLabel('Show').selectOption('Sent');
    await page.getByText('gone@customer.example').waitFor();
    await page.getByText('0 failed').waitFor();
    expect(problems).toEqual([]);
  });
});
