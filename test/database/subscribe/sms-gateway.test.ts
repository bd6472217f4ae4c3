/** @jest-environment ./test/support/isolated-environment.js */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openChannels, type OpenChannels } from '../../../src/notifications/channels/open-channels.js';
import { startReceiver } from '../../support/http-receiver.js';
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';

let page: PublicPage;
let gateway: Awaited<ReturnType<typeof startReceiver>>;
let channels: OpenChannels;
let status: number;
let fail: Error | null;
let tries = 0;
beforeAll(async () => {
  gateway = await startReceiver(() => ({ status, body: {} }));
  channels = openChannels({
    smtpUrl: '',
    mailFrom: '',
    smsUrl: gateway.url.replace('://', '://AC1:secret@'),
    smsFrom: '+15005550006',
  });
  const { sendMail, sendSms } = channels.direct;
  const counted = async (sms: Parameters<typeof sendSms>[0]) => {
    if (fail) throw fail;
    await sendSms(sms);
  };
  page = await startPublicPage({ through: { sendMail, sendSms: sms => counted(sms).finally(() => void tries++) } });
});
afterAll(async () => {
  await page.service.stop();
  await channels.close();
});
beforeEach(() => {
  status = 201;
  fail = null;
  tries = 0;
  return page.forgetRequests();
});

/** Asks three times within 60 seconds; how many messages the gateway was asked for. */
async function askedFor(phone: string): Promise<number> {
  for (let ask = 0; ask < 3; ask++) {
    await page.post('subscribe', { by: 'sms', phone });
    // What failed is taken back behind the answer.
    await new Promise(done => setTimeout(done, 100));
  }
  return tries;
}

test('a gateway that answers with a fault of its own may have sent the code: it counts', async () => {
  status = 503;
  expect(await askedFor('+49301111111')).toBe(1);
});

test('a gateway that answers too late may have sent the code: it counts', async () => {
  fail = new Error('no answer within 10 s');
  expect(await askedFor('+49302222222')).toBe(1);
});

test('a gateway that breaks off may have sent the code: it counts', async () => {
  fail = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  expect(await askedFor('+49303333333')).toBe(1);
});

test('a gateway that nobody reaches has sent nothing: the next code may come at once', async () => {
  await gateway.stop();
  expect(await askedFor('+49304444444')).toBe(3);
});
