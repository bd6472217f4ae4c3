import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildPreferencesUrl, buildUnsubscribeUrl } from '../../../src/subscribers/signed-link.js';
import { loadLinkKey } from '../../../src/auth/link-key.service.js';
import { visibleText } from '../../support/rendered-page.js';

let page: PublicPage;
let numbers = 0;
let phone: string;
beforeAll(async () => {
  page = await startPublicPage();
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.messages.length = 0;
  phone = `+4930${1_000_000 + ++numbers}`;
  await page.forgetRequests();
});

const listed = async () =>
  (await page.service.get(`/v1/pages/${page.id}/subscribers`)).json.response.map(
    (one: { phone_number: string }) => one.phone_number,
  ) as string[];

async function requestCode(more: Record<string, string> = {}): Promise<string> {
  await page.forgetRequests();
  const before = page.messages.length;
  expect((await page.post('subscribe', { by: 'sms', phone, ...more })).status).toBe(200);
  await page.waitForMessages(before + 1);
  return /^\d{6}/.exec(page.messages.at(-1)!.text)![0];
}
const enterCode = (code: string) => page.post('confirm', { phone, code });
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a visitor who subscribes by SMS', () => {
  test('gets a code and is subscribed by entering it', async () => {
    const response = await page.post('subscribe', { by: 'sms', phone: phone.replace('+4930', '+49 (30) ') });
    expect(visibleText(response.text)).toContain(`A code of 6 digits is on its way to ${phone}.`);
    expect(response.text).toMatch(/<input id="code"[^>]* autocomplete="one-time-code" inputmode="numeric"/);
    expect(response.text).toContain(`<input type="hidden" name="phone" value="${phone}">`);
    await page.waitForMessages(1);
    const [{ to, text }] = page.messages as [{ to: string; text: string }];
    expect([to, text]).toEqual([
      phone,
      expect.stringMatching(/^\d{6} is your code for Meridian Freight\. It is valid for 10 minutes\.$/),
    ]);
    const code = text.slice(0, 6);
    expect(await listed()).toEqual([]);
    const confirmed = await enterCode(` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect([confirmed.status, visibleText(confirmed.text)]).toEqual([
      200,
      expect.stringContaining('You are subscribed'),
    ]);
    expect(await listed()).toEqual([phone]);
  });

  test('can use a code once', async () => {
    const code = await requestCode();
    expect((await enterCode(code)).status).toBe(200);
    expect((await enterCode(code)).status).toBe(422);
  });

  test('has five attempts, after which the right code is rejected, too', async () => {
    const code = await requestCode();
    for (let attempt = 0; attempt < 5; attempt++) {
      const { status, text } = await enterCode(wrongCode(code));
      expect([status, visibleText(text)]).toEqual([
        422,
        expect.stringContaining('This code is wrong or no longer valid'),
      ]);
    }
    expect((await enterCode(code)).status).toBe(422);
    expect(await listed()).not.toContain(phone);
    expect((await enterCode(await requestCode())).status).toBe(200);
  });

  test('has five attempts in all when many are made concurrently', async () => {
    const code = await requestCode();
    const guesses = Array.from({ length: 20 }, (_, index) =>
      String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
    );
    await Promise.all(guesses.map(enterCode));
    expect(
      await page.query('select tries from one_time_code where subject = $1 order by id desc limit 1', [phone]),
    ).toEqual([{ tries: 5 }]);
    expect((await enterCode(code)).status).toBe(422);
  });

  test('can enter the code of their network, whatever other networks try and request', async () => {
    const own = await startPublicPage({ settings: { trustedProxies: ['loopback'] } });
    const post = (path: string, from: string, fields: Record<string, string>) =>
      own.post(path, { by: 'sms', phone, ...fields }, { 'x-forwarded-for': from });
    const request = async (from: string): Promise<string> => {
      const before = own.messages.length;
      await own.forgetRequests();
      await post('subscribe', from, {});
      await own.waitForMessages(before + 1);
      return own.messages.at(-1)!.text.slice(0, 6);
    };
    const enter = async (from: string, code: string) => (await post('confirm', from, { code })).status;
    try {
      const code = await request('2001:db8:1:1::1');
      const other = await request('192.0.2.1');
      for (let attempt = 0; attempt < 20; attempt++) await enter(`192.0.2.${attempt}`, wrongCode(code));
      // The tries of all other networks together are used up.
      expect(await enter('192.0.2.99', other)).toBe(422);
      expect(await enter('2001:db8:1:2::1', code)).toBe(200);
      expect([await enter('2001:db8:1:2::1', code), await enter('192.0.2.1', other)]).toEqual([422, 422]);
      // Somebody else who requested it, and tries.
      const requested = await request('192.0.2.1');
      for (let attempt = 0; attempt < 10; attempt++) await enter('192.0.2.1', wrongCode(requested));
      expect(await enter('2001:db8:1:2::1', requested)).toBe(303);
      // A visitor whose address has changed meanwhile.
      expect(await enter('192.0.2.99', await request('2001:db8:1:1::1'))).toBe(303);
    } finally {
      await own.service.stop();
    }
  });

  test('has ten minutes to enter the code', async () => {
    const code = await requestCode();
    const age = (by: string) =>
      page.query('update one_time_code set expires_at = expires_at - $1::interval where subject = $2', [by, phone]);
    const [{ left }] = (await page.query<{ left: number }>(
      `select extract(epoch from expires_at - clock_timestamp())::int as left from one_time_code
       where subject = $1 order by id desc limit 1`,
      [phone],
    )) as [{ left: number }];
    expect(left).toBeGreaterThan(590);
    expect(left).toBeLessThanOrEqual(600);
    await age('10 minutes');
    expect((await enterCode(code)).status).toBe(422);
  });

  test('cannot use a code once a newer one was sent', async () => {
    const first = await requestCode();
    const second = await requestCode();
    expect((await enterCode(first === second ? wrongCode(first) : first)).status).toBe(422);
    expect((await enterCode(second)).status).toBe(200);
  });

  test('is redirected to their preferences when they are subscribed already', async () => {
    await enterCode(await requestCode());
    const { status, headers } = await enterCode(await requestCode({ choices: '1', kinds: 'planned' }));
    expect(status).toBe(303);
    const { text } = await page.get(new URL(String(headers.location)).pathname.slice(1));
    expect(visibleText(text)).toContain(`+4…${phone.slice(-2)} receives updates from Meridian Freight.`);
    expect(text.match(/name="kinds" value="\w+" checked/g)).toHaveLength(3);
  });

  test('is not resubscribed by a code sent before they unsubscribed', async () => {
    await enterCode(await requestCode());
    const code = await requestCode();
    const [{ id }] = (await page.query<{ id: number }>('select id from subscriber where phone_number = $1', [
      phone,
    ])) as [{ id: number }];
    const unsubscribeUrl = buildUnsubscribeUrl(
      await loadLinkKey(page.service.database, page.id),
      { id: page.id, address: 'http://x' },
      id,
    );
    await page.post(new URL(unsubscribeUrl).pathname.slice(1));
    expect((await enterCode(code)).status).toBe(422);
    expect(await listed()).not.toContain(phone);
  });

  test('changes their preferences by the link in any message, which never reveals the whole number', async () => {
    await enterCode(await requestCode());
    await page.forgetRequests();
    const [{ id }] = (await page.query<{ id: number }>('select id from subscriber where phone_number = $1', [
      phone,
    ])) as [{ id: number }];
    const link = buildPreferencesUrl(
      await loadLinkKey(page.service.database, page.id),
      { id: page.id, address: 'http://x' },
      id,
    );
    const path = new URL(link).pathname.slice(1);
    for (const { text } of [await page.get(path), await page.post(path, { choices: '1', kinds: 'planned' })])
      expect(text).not.toContain(phone);
    expect(await page.query('select kinds from subscriber where id = $1', [id])).toEqual([{ kinds: ['planned'] }]);
    expect(page.messages).toHaveLength(1);
  });

  test('gets a link to their preferences only when they are subscribed', async () => {
    await page.post('preferences', { by: 'sms', phone });
    await enterCode(await requestCode());
    await page.forgetRequests();
    const before = page.messages.length;
    await page.post('preferences', { by: 'sms', phone });
    await page.waitForMessages(before + 1);
    expect(page.messages.map(({ to }) => to)).toEqual([phone, phone]);
  });
});

test('codes, numbers and client addresses are stored as keyed hashes only', async () => {
  const code = await requestCode();
  const stored = JSON.stringify([
    await page.query('select * from one_time_code'),
    await page.query('select * from subscription_request'),
  ]);
  expect(stored).not.toContain(code);
  expect(JSON.stringify(await page.query('select * from subscription_request'))).not.toContain(phone);
  expect(stored).not.toContain('127.0.0.1');
});
