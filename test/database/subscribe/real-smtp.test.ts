/** @jest-environment ./test/support/isolated-environment.js */
import { type PublicPage, linkIn, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openChannels, type OpenChannels } from '../../../src/notifications/channels/open-channels.js';
import { startReceiver } from '../../support/http-receiver.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';

let page: PublicPage;
let mailServer: MailServer;
let gateway: Awaited<ReturnType<typeof startReceiver>>;
let channels: OpenChannels;
beforeAll(async () => {
  mailServer = await startMailServer({ refuse: to => (to.startsWith('nobody') ? 550 : undefined) });
  gateway = await startReceiver(() => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }));
  channels = openChannels({
    ...{ smtpUrl: mailServer.url, mailFrom: 'status@example.com' },
    ...{ smsUrl: gateway.url.replace('://', '://AC1:secret@'), smsFrom: '+15005550006' },
  });
  page = await startPublicPage({ through: channels.direct });
});
afterAll(async () => {
  await page.service.stop();
  await channels.close();
  await mailServer.stop();
  await gateway.stop();
});

const plain = (quoted: string) =>
  quoted
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

test('a mail comes from a real server with a link that subscribes', async () => {
  await page.post('subscribe', { email: 'anna@example.com' });
  await page.until(() => mailServer.mails.length === 1);
  const { from, to, raw } = mailServer.mails[0]!;
  expect([from, to]).toEqual(['status@example.com', ['anna@example.com']]);
  expect(raw).toMatch(/^From: "?Meridian Freight"? <status@example\.com>\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  // It was asked for by this very person: there is no list yet to be taken off.
  expect(raw).not.toMatch(/^List-Unsubscribe/m);
  expect((await page.post(linkIn(plain(raw), 'confirm'))).status).toBe(200);
  expect((await page.service.get(`/v1/pages/${page.id}/subscribers`)).json.count).toBe(1);
});

test('a code comes through a real gateway', async () => {
  await page.post('subscribe', { by: 'sms', phone: '+49301234567' });
  await page.until(() => gateway.requests.length === 1);
  const sent = new URLSearchParams(gateway.requests[0]!.body);
  expect(sent.get('To')).toBe('+49301234567');
  expect((await page.post('confirm', { phone: '+49301234567', code: sent.get('Body')!.slice(0, 6) })).status).toBe(200);
});

test('an address that the server will not have is not counted', async () => {
  await page.post('subscribe', { email: 'nobody@example.com' });
  await page.until(async () => (await page.rows('select 1 from subscription_request where not sent')).length === 1);
  expect(mailServer.mails).toHaveLength(1);
});
