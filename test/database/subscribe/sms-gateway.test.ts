import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { startReceiver } from '../../support/http-receiver.js';
import { createTestSettings } from '../../support/settings.js';
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';

let page: PublicPage;
let gateway: Awaited<ReturnType<typeof startReceiver>>;
let channels: OpenChannels;
let status: number;
let fail: Error | null;
let attempts = 0;
beforeAll(async () => {
  gateway = await startReceiver(() => ({ status, body: {} }));
  channels = openChannels(
    createTestSettings({
      smtpUrl: '',
      mailFrom: '',
      smsUrl: gateway.url.replace('://', '://AC1:secret@'),
      smsFrom: '+15005550006',
    }),
  );
  const { sendMail, sendSms, postLink } = channels.confirmationSender;
  const sendOrFail = async (sms: Parameters<typeof sendSms>[0]) => {
    if (fail) throw fail;
    await sendSms(sms);
  };
  page = await startPublicPage({
    sender: { sendMail, postLink, sendSms: sms => sendOrFail(sms).finally(() => void attempts++) },
  });
});
afterAll(async () => {
  await page.service.stop();
  await channels.close();
});
beforeEach(() => {
  status = 201;
  fail = null;
  attempts = 0;
  return page.forgetRequests();
});

/** Requests a code three times within 60 s. Returns how many requests the gateway got. */
async function countAttempts(phone: string): Promise<number> {
  for (let request = 0; request < 3; request++) {
    await page.post('subscribe', { by: 'sms', phone });
    // A failure is uncounted after the response.
    await new Promise(done => setTimeout(done, 100));
  }
  return attempts;
}

test('a code counts when the gateway answers 503, since it may have been sent', async () => {
  status = 503;
  expect(await countAttempts('+49301111111')).toBe(1);
});

test('a code counts when the gateway times out, since it may have been sent', async () => {
  fail = new Error('No response within 10 s');
  expect(await countAttempts('+49302222222')).toBe(1);
});

test('a code counts when the gateway closes the connection, since it may have been sent', async () => {
  fail = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  expect(await countAttempts('+49303333333')).toBe(1);
});

test('a code does not count when the connection to the gateway is refused', async () => {
  await gateway.stop();
  expect(await countAttempts('+49304444444')).toBe(3);
});
