/** @jest-environment ./test/support/isolated-environment.js */
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { preferencesLink, unsubscribeLink } from '../../../src/subscribers/signed-link.js';
import { signingKey } from '../../../src/subscribers/signing-key.service.js';
import { wordsOf } from '../../support/rendered-page.js';

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

async function ask(more: Record<string, string> = {}): Promise<string> {
  await page.forgetRequests();
  const before = page.messages.length;
  expect((await page.post('subscribe', { by: 'sms', phone, ...more })).status).toBe(200);
  await page.sent(before + 1);
  return /^\d{6}/.exec(page.messages.at(-1)!.text)![0];
}
const enter = (code: string) => page.post('confirm', { phone, code });
const anotherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('who subscribes by SMS', () => {
  test('gets a code, enters it, and is subscribed', async () => {
    const answer = await page.post('subscribe', { by: 'sms', phone: phone.replace('+4930', '+49 (30) ') });
    expect(wordsOf(answer.text)).toContain(`A code of 6 digits is on its way to +4…${phone.slice(-2)}.`);
    expect(answer.text).toMatch(/<input id="code"[^>]* autocomplete="one-time-code" inputmode="numeric"/);
    expect(answer.text).toContain(`<input type="hidden" name="phone" value="${phone}">`);
    await page.sent(1);
    const [{ to, text }] = page.messages as [{ to: string; text: string }];
    expect([to, text]).toEqual([
      phone,
      expect.stringMatching(/^\d{6} is your code for Meridian Freight\. It is valid for 10 minutes\.$/),
    ]);
    const code = text.slice(0, 6);
    expect(await listed()).toEqual([]);
    const confirmed = await enter(` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect([confirmed.status, wordsOf(confirmed.text)]).toEqual([200, expect.stringContaining('You are subscribed')]);
    expect(await listed()).toEqual([phone]);
  });

  test('may enter a code once', async () => {
    const code = await ask();
    expect((await enter(code)).status).toBe(200);
    expect((await enter(code)).status).toBe(422);
  });

  test('has five tries: then the right one is wrong too', async () => {
    const code = await ask();
    for (let attempt = 0; attempt < 5; attempt++) {
      const { status, text } = await enter(anotherThan(code));
      expect([status, wordsOf(text)]).toEqual([422, expect.stringContaining('This code is wrong or no longer valid')]);
    }
    expect((await enter(code)).status).toBe(422);
    expect(await listed()).not.toContain(phone);
    expect((await enter(await ask())).status).toBe(200);
  });

  test('has five tries in all when many are sent at once', async () => {
    const code = await ask();
    const guesses = Array.from({ length: 20 }, (_, index) =>
      String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
    );
    await Promise.all(guesses.map(enter));
    expect(await page.rows('select tries from phone_code where phone_number = $1', [phone])).toEqual([{ tries: 5 }]);
    expect((await enter(code)).status).toBe(422);
  });

  test('has ten minutes', async () => {
    const code = await ask();
    const age = (by: string) =>
      page.rows('update phone_code set expires_at = expires_at - $1::interval where phone_number = $2', [by, phone]);
    const [{ left }] = (await page.rows<{ left: number }>(
      'select extract(epoch from expires_at - clock_timestamp())::int as left from phone_code where phone_number = $1',
      [phone],
    )) as [{ left: number }];
    expect(left).toBeGreaterThan(590);
    expect(left).toBeLessThanOrEqual(600);
    await age('10 minutes');
    expect((await enter(code)).status).toBe(422);
  });

  test('is no longer let in by the code before the last', async () => {
    const first = await ask();
    const second = await ask();
    expect((await enter(first === second ? anotherThan(first) : first)).status).toBe(422);
    expect((await enter(second)).status).toBe(200);
  });

  test('and is subscribed already is led to their choices', async () => {
    await enter(await ask());
    const { status, headers } = await enter(await ask({ choices: '1', kinds: 'planned' }));
    expect(status).toBe(303);
    const { text } = await page.get(new URL(String(headers.location)).pathname.slice(1));
    expect(wordsOf(text)).toContain(`+4…${phone.slice(-2)} receives updates of Meridian Freight.`);
    expect(text.match(/name="kinds" value="\w+" checked/g)).toHaveLength(3);
  });

  test('and was on their way to change something when they left does not come back by the code', async () => {
    await enter(await ask());
    const code = await ask();
    const [{ id }] = (await page.rows<{ id: number }>('select id from subscriber where phone_number = $1', [
      phone,
    ])) as [{ id: number }];
    const leave = unsubscribeLink(await signingKey(page.service.database), { id: page.id, address: 'http://x' }, id);
    await page.post(new URL(leave).pathname.slice(1));
    expect((await enter(code)).status).toBe(422);
    expect(await listed()).not.toContain(phone);
  });

  test('changes what they receive by the link in any message, and never sees the whole number in it', async () => {
    await enter(await ask());
    await page.forgetRequests();
    const [{ id }] = (await page.rows<{ id: number }>('select id from subscriber where phone_number = $1', [
      phone,
    ])) as [{ id: number }];
    const link = preferencesLink(await signingKey(page.service.database), { id: page.id, address: 'http://x' }, id);
    const answer = await page.post(new URL(link).pathname.slice(1));
    await page.sent(2);
    expect(answer.text).not.toContain(phone);
    const ticket = /name="ticket" value="([^"]+)"/.exec(answer.text)![1]!;
    const code = page.messages[1]!.text.slice(0, 6);
    expect((await page.post('confirm', { ticket, code: anotherThan(code) })).status).toBe(422);
    expect((await page.post('confirm', { ticket, code })).status).toBe(303);
    expect((await page.post('confirm', { ticket: 'x', code })).status).toBe(410);
  });

  test('asks for a link to change what they receive, and gets one only where they are subscribed', async () => {
    await page.post('preferences', { by: 'sms', phone });
    await enter(await ask());
    await page.forgetRequests();
    const before = page.messages.length;
    await page.post('preferences', { by: 'sms', phone });
    await page.sent(before + 1);
    expect(page.messages.map(({ to }) => to)).toEqual([phone, phone]);
  });
});

test('codes are kept as keyed hashes: nothing that is kept can be guessed back', async () => {
  const code = await ask();
  const kept = JSON.stringify([
    await page.rows('select * from phone_code'),
    await page.rows('select * from subscription_request'),
  ]);
  expect(kept).not.toContain(code);
  expect(JSON.stringify(await page.rows('select * from subscription_request'))).not.toContain(phone);
  expect(kept).not.toContain('127.0.0.1');
});
