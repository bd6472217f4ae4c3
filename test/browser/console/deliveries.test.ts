import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createNotice, createPage, createSubscriber } from '../../support/factories.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';
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
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Resend 1 message to 1 person' }).waitFor();
    await dialog.frameLocator('iframe').getByText('Cards are declined').first().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Resend all that failed' }).click();
    await dialog.getByRole('button', { name: 'Resend 1 message to 1 person' }).waitFor();
    await service.database.query(
      `insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, subscriber_id, address,
         message_id, state, created_at, queued_at, due_at)
       select page_id, publication_id, notice_id, channel, 'late', subscriber_id, address, message_id || 'x', state,
         created_at, queued_at, due_at from delivery where page_id = $1 and state = 'dead'`,
      [pageId],
    );
    await dialog.getByRole('button', { name: 'Resend 1 message to 1 person' }).click();
    // Without the read of each 20 seconds.
    await dialog.getByRole('button', { name: /^Resend 2 messages/ }).click({ timeout: 15_000 });
    await page.getByText('2 messages are sent again.').waitFor();
    await page.getByLabel('Show').selectOption('Sent');
    await page.getByText('gone@customer.example').first().waitFor();
    await page.getByText('0 failed').waitFor();
    expect(problems).toEqual([]);
  });

  test('says before the press why nothing can be resent, and leads to the address that is suspended', async () => {
    isRefusing = true;
    const { id, path } = await createPage(service, { name: 'Nordlicht Energie', send_notifications_by_email: true });
    const subscriber = await createSubscriber(service, path, { email: 'gone1@customer.example' });
    for (const subject of ['Meters are late', 'Invoices are late'])
      await createNotice(service, path, { subject, should_publish: true });
    const countDead = async () => {
      const text = `select count(*)::integer as dead from delivery where page_id = $1 and state = 'dead'`;
      return (await service.database.query<{ dead: number }>(text, [id]))[0]!.dead;
    };
    await waitUntilEqual(countDead, 2);
    await service.database.query(
      `insert into recipient_refusals (page_id, channel, subscriber_id, address, count, response, suspended_at)
       values ($1, 'email', $2, 'gone1@customer.example', 3, '550 no such user', now())`,
      [id, subscriber.id],
    );
    const { page, problems, open } = await signIn({ role: 'publisher', pageIds: [id] });
    await open('/');
    const trouble = page.getByRole('heading', { name: '2 messages of Nordlicht Energie not delivered' }).locator('..');
    await trouble.waitFor();
    expect(await trouble.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^gone1@customer.example, 2 messagesSuspended/),
    ]);
    expect(await findFlaws(page)).toEqual([]);
    await trouble.getByRole('link', { name: 'gone1@customer.example' }).click();
    await page.getByText('2 failed').waitFor();
    await page.getByRole('button', { name: 'Resend those that failed' }).click();
    const row = page.getByRole('dialog').getByRole('listitem');
    expect(await row.textContent()).toMatch(/suspended.*gone1@customer.example Open it2 messages$/);
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Resend/ })
        .count(),
    ).toBe(0);
    expect(await findFlaws(page)).toEqual([]);
    await row.getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL(/subscribers\?search=gone1%40customer.example$/);
    await page.getByText('suspended').waitFor();
    await open('/');
    await page.getByRole('button', { name: 'Hide until another one fails' }).click();
    await trouble.waitFor({ state: 'detached' });
    // It was created with those that are hidden, and fails later.
    await service.database.query(
      `insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, address, message_id, state,
         created_at, queued_at, due_at)
       select page_id, publication_id, notice_id, channel, 'late', 'late@customer.example', message_id || 'x', state,
         created_at, queued_at, due_at from delivery where page_id = $1 order by id limit 1`,
      [id],
    );
    await page.reload();
    await page.getByRole('heading', { name: '1 message of Nordlicht Energie not delivered' }).waitFor();
    await page.getByRole('link', { name: 'late@customer.example' }).waitFor();
    expect(problems).toEqual([]);
  });
});
