import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { buildPreferencesUrl, signLink, buildUnsubscribeUrl } from '../../../src/subscribers/signed-link.js';
import { loadLinkKey } from '../../../src/auth/link-key.service.js';
import { loadSigningKey } from '../../../src/auth/signing-key.service.js';
import { createSubscriber } from '../../support/factories.js';

let page: PublicPage;
let key: Buffer;
let subscriberId: number;
const email = 'known@example.com';
const phone = '+49301234567';
beforeAll(async () => {
  page = await startPublicPage();
  key = await loadLinkKey(page.service.database, page.id);
  subscriberId = (await createSubscriber(page.service, `/v1/pages/${page.id}`, { email })).id;
  await page.service.post(`/v1/pages/${page.id}/subscribers`, { phone_number: phone });
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.mails.length = 0;
  page.messages.length = 0;
  await page.forgetRequests();
});

const pathOf = (address: string) => new URL(address).pathname.slice(1);
const links = () => {
  const linked = { id: page.id, address: 'http://x' };
  const expiresAt = Math.floor(Date.now() / 1000) + 600;
  return {
    unsubscribe: pathOf(buildUnsubscribeUrl(key, linked, subscriberId)),
    request: pathOf(buildPreferencesUrl(key, linked, subscriberId)),
    preferences: `preferences/${signLink(key, { purpose: 'preferences', pageId: page.id, subscriberId, expiresAt })}`,
  };
};

/** Everything of a response that could distinguish addresses: all but the Date header. */
async function fingerprint(path: string, fields: Record<string, string>): Promise<string> {
  await page.forgetRequests();
  const { status, headers, text } = await page.post(path, fields);
  return JSON.stringify([status, { ...headers, date: '' }, text]);
}

describe('the forms do not reveal who is subscribed', () => {
  test.each([
    ['subscribe', { email }, 'delete from subscriber where email is not null'],
    ['preferences', { email }, 'delete from subscriber where email is not null'],
    ['subscribe', { by: 'sms', phone }, 'delete from subscriber where phone_number is not null'],
    ['preferences', { by: 'sms', phone }, 'delete from subscriber where phone_number is not null'],
    ['confirm', { phone, code: '000000' }, 'delete from subscriber where phone_number is not null'],
  ])(
    '%s with %j returns the same bytes for a subscribed, pending, unsubscribed or unknown address',
    async (path, fields, deleteSql) => {
      const subscribe = () =>
        page.service.post(
          `/v1/pages/${page.id}/subscribers`,
          Object.hasOwn(fields, 'phone') ? { phone_number: phone } : { email },
        );
      await subscribe();
      const fingerprints = [await fingerprint(path, fields)];
      await page.query('update subscriber set unsubscribed_at = now()');
      fingerprints.push(await fingerprint(path, fields));
      await page.query('update subscriber set unsubscribed_at = null, confirmed_at = null');
      fingerprints.push(await fingerprint(path, fields));
      await page.query(deleteSql);
      fingerprints.push(await fingerprint(path, fields));
      expect(new Set(fingerprints).size).toBe(1);
      expect(fingerprints[0]).toMatch(/^\[(200|422),.*<!doctype html>/);
      await page.query(deleteSql);
      subscriberId = (await subscribe()).json.response.id;
    },
  );

  test('subscribe sends one message to a subscribed and an unknown address alike', async () => {
    for (const address of [email, 'never@example.com']) await page.post('subscribe', { email: address });
    await page.waitForMessages(2);
    expect(page.mails.map(({ to }) => to).toSorted()).toEqual([email, 'never@example.com']);
  });
});

describe('compression', () => {
  const headers = { 'accept-encoding': 'br' };

  test.each(['subscribe', 'subscribe?by=sms', 'preferences'])(
    '%s is compressed, since it has no secret',
    async path => {
      const response = await page.get(path, { headers });
      expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
      expect(Number(response.headers['content-length'])).toBe(response.bytes.length);
      expect(response.bytes.length).toBeLessThan(response.text.length / 2);
      expect((await page.get(path)).headers['content-encoding']).toBeUndefined();
    },
  );

  test('is not used where there is a token or input of a visitor', async () => {
    for (const path of Object.values(links()))
      expect((await page.get(path, { headers })).headers['content-encoding']).toBeUndefined();
    const sent = await page.post('subscribe', { email: 'x@example.com' }, headers);
    expect([sent.status, sent.headers['content-encoding']]).toEqual([200, undefined]);
  });
});

describe('a page behind a signed link', () => {
  beforeAll(async () => {
    await page.query('delete from subscriber where email is not null');
    subscriberId = (await createSubscriber(page.service, `/v1/pages/${page.id}`, { email })).id;
    await page.service.patch(`/v1/pages/${page.id}`, { vendor_analytics_id: 'G-AB12CD34EF' });
  });

  test.each(['unsubscribe', 'request', 'preferences'] as const)(
    'is neither cached, indexed, framed nor sent as a referrer: %s',
    async name => {
      const { status, headers, text } = await page.get(links()[name]);
      expect([status, headers]).toEqual([
        200,
        expect.objectContaining({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex, nofollow',
          'x-content-type-options': 'nosniff',
          'content-security-policy': expect.stringMatching(
            /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
          ),
        }),
      ]);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
      expect(text).toContain('<meta name="robots" content="noindex, nofollow">');
      // Analytics would receive the URL with its token.
      expect(text).not.toMatch(/googletagmanager|rel="canonical"|og:url/);
      expect(text).not.toContain(email);
    },
  );

  test('has a policy that restricts forms to its origin and allows only its own style and script', async () => {
    const { headers } = await page.get('subscribe');
    expect(headers['content-security-policy']).toMatch(
      /style-src 'sha256-[^']+'; script-src 'sha256-[^']+' 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors \*$/,
    );
  });

  test('is not served from the page cache', async () => {
    const { preferences } = links();
    expect((await page.get(preferences)).text).toContain('value="general" checked');
    await page.post(preferences, { choices: '1', kinds: 'planned' });
    expect((await page.get(preferences)).text).not.toContain('value="general" checked');
  });
});

test('the log contains no address, number or token, whatever fails', async () => {
  const lines: string[] = [];
  const spies = (['debug', 'info', 'warn', 'error', 'fatal', 'trace'] as const).map(level =>
    jest.spyOn(page.service.database.log, level).mockImplementation(((...values: unknown[]) => {
      lines.push(
        values
          .map(value => `${JSON.stringify(value, errorReplacer)} ${value instanceof Error ? value.stack : ''}`)
          .join(' '),
      );
    }) as never),
  );
  try {
    const { unsubscribe, preferences } = links();
    page.provider.refusesAll = true;
    await page.post('subscribe', { email: 'secret.person@example.com' });
    await page.waitUntil(() => lines.length > 0);
    await page.service.database.query('alter table subscriber rename to hidden_subscriber');
    const statuses: number[] = [];
    for (const path of [unsubscribe, preferences])
      statuses.push((await page.get(path)).status, (await page.post(path)).status);
    statuses.push((await page.post('subscribe', { email: 'secret.person@example.com' })).status);
    expect(statuses).toEqual([500, 500, 500, 500, 200].map(status => (status === 200 ? expect.any(Number) : status)));
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const all = lines.join('\n');
    for (const secret of [
      email,
      'secret@example.com',
      'secret.person',
      unsubscribe,
      unsubscribe.split('/')[1]!,
      preferences.split('/')[1]!,
    ])
      expect(all).not.toContain(secret);
    expect(all).toContain('a subscribe page failed');
  } finally {
    page.provider.refusesAll = false;
    await page.service.database.query('alter table hidden_subscriber rename to subscriber');
    for (const spy of spies) spy.mockRestore();
  }
});

function errorReplacer(_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value;
}

describe('a request that is not a valid form', () => {
  test.each([
    ['larger than 128 kB', `email=${'a'.repeat(131_100)}`, 'application/x-www-form-urlencoded', 413],
    ['JSON', '{"email":"a@example.com"}', 'application/json', 415],
    ['multipart without the one-click field', '--x\r\n\r\nx\r\n--x--', 'multipart/form-data; boundary=x', 422],
  ])('is rejected when the body is %s', async (_, body, type, status) => {
    expect((await page.postBody('subscribe', body, type)).status).toBe(status);
    expect(page.mails).toEqual([]);
  });

  test('is read when it names as many components as a page can have', async () => {
    const chosen = Array.from({ length: 5_000 }, (_, index) => `components=${1_000_000 + index}`).join('&');
    const { status, text } = await page.postBody(
      'subscribe',
      `email=anna@example.com&kinds=planned&choices=1&${chosen}`,
      'application/x-www-form-urlencoded',
    );
    expect([status, text.includes('One of the components is no longer there')]).toEqual([422, true]);
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('is rejected for the method %s', async method => {
    const { status, headers } = await page.onHost(`${page.id}.localhost`, '/').send(method, 'subscribe');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });

  test.each(['subscribe/x', 'confirm/a/b', 'unsubscribe/a/b', 'preferences/a/b/c', 'Subscribe', 'subscribe/'])(
    'is a 404 at %s',
    async path => {
      expect((await page.get(path)).status).toBe(404);
    },
  );

  test('HEAD returns the response of GET without a body', async () => {
    const response = await page.onHost(`${page.id}.localhost`, '/').send('HEAD', 'subscribe');
    expect([response.status, response.text]).toEqual([200, '']);
  });

  test('POST to any other path of the page is a 405', async () => {
    const { status, headers } = await page.post('', {});
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('a page that sends no messages', () => {
  const switchPush = (value: boolean) =>
    page.service.graphql(
      `mutation { updatePage(id: "${page.id}", input: { shouldSendNotificationsByPush: ${value} }) { page { id } } }`,
    );

  test('offers feeds instead of the form, and still lets subscribers unsubscribe', async () => {
    await page.service.patch(`/v1/pages/${page.id}`, { send_notifications_by_email: false });
    const front = async () => (await page.get('')).text;
    await page.waitUntil(async () => !(await front()).includes('href="/subscribe"'));
    expect(await front()).toContain('href="/subscribe?by=sms"');
    await page.service.patch(`/v1/pages/${page.id}`, { send_notifications_by_sms: false });
    await switchPush(false);
    await page.waitUntil(async () => !(await front()).includes('href="/subscribe'));
    expect((await page.post('subscribe', { email: 'x@example.com' })).status).toBe(404);
    expect((await page.get('subscribe')).status).toBe(404);
    expect((await page.get(links().unsubscribe)).status).toBe(200);
    await page.service.patch(`/v1/pages/${page.id}`, {
      send_notifications_by_email: true,
      send_notifications_by_sms: true,
    });
    await switchPush(true);
    await page.waitUntil(async () => (await front()).includes('href="/subscribe"'));
  });
});

test('concurrent processes create one signing key', async () => {
  await page.query('delete from signing_key');
  const keys = await Promise.all(Array.from({ length: 10 }, () => loadSigningKey(page.service.database)));
  expect(new Set(keys.map(one => one.toString('hex'))).size).toBe(1);
  expect(keys[0]!.length).toBe(32);
});
