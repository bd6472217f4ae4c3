import { type PublicPage, extractLink, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { startReceiver } from '../../support/http-receiver.js';
import { createTestSettings } from '../../support/settings.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';

let page: PublicPage;
let mailServer: MailServer;
let gateway: Awaited<ReturnType<typeof startReceiver>>;
let channels: OpenChannels;
beforeAll(async () => {
  mailServer = await startMailServer({ refuse: to => (to.startsWith('nobody') ? 550 : undefined) });
  gateway = await startReceiver(() => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }));
  channels = openChannels(
    createTestSettings({
      smtpUrl: mailServer.url,
      mailFrom: 'status@example.com',
      smsUrl: gateway.url.replace('://', '://AC1:secret@'),
      smsFrom: '+15005550006',
    }),
  );
  page = await startPublicPage({ sender: channels.confirmationSender });
});
afterAll(async () => {
  await page.service.stop();
  await channels.close();
  await mailServer.stop();
  await gateway.stop();
});

const decodeQuotedPrintable = (quoted: string) =>
  quoted
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

test('a real SMTP server receives a mail with a working confirmation link', async () => {
  await page.post('subscribe', { email: 'anna@example.com' });
  await page.waitUntil(() => mailServer.mails.length === 1);
  const { from, to, raw } = mailServer.mails[0]!;
  expect([from, to]).toEqual(['status@example.com', ['anna@example.com']]);
  expect(raw).toMatch(/^From: "?Meridian Freight"? <status@example\.com>\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  // A confirmation is no list mail: there is nothing to unsubscribe from yet.
  expect(raw).not.toMatch(/^List-Unsubscribe/m);
  expect((await page.post(extractLink(decodeQuotedPrintable(raw), 'confirm'))).status).toBe(200);
  expect((await page.service.get(`/v1/pages/${page.id}/subscribers`)).json.count).toBe(1);
});

test('a real gateway receives a working code', async () => {
  await page.post('subscribe', { by: 'sms', phone: '+49301234567' });
  await page.waitUntil(() => gateway.requests.length === 1);
  const sent = new URLSearchParams(gateway.requests[0]!.body);
  expect(sent.get('To')).toBe('+49301234567');
  expect((await page.post('confirm', { phone: '+49301234567', code: sent.get('Body')!.slice(0, 6) })).status).toBe(200);
});

test('a message that the server rejects does not count towards the caps', async () => {
  await page.post('subscribe', { email: 'nobody@example.com' });
  await page.waitUntil(
    async () => (await page.query('select 1 from subscription_request where not sent')).length === 1,
  );
  expect(mailServer.mails).toHaveLength(1);
});
