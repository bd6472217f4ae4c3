/** @jest-environment ./test/support/isolated-environment.js */
import { type PublicPage, formBody, linkIn, startPublicPage } from '../../support/subscribe-forms.js';
import { eventually } from '../../support/visitor.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { forgetExpired } from '../../../src/subscribers/subscriber.automation.js';
import { type Link, preferencesLink, signed, unsubscribeLink, verified } from '../../../src/subscribers/signed-link.js';
import { signingKey } from '../../../src/subscribers/signing-key.service.js';
import { wordsOf } from '../../support/rendered-page.js';

let page: PublicPage;
let key: Buffer;
let names = 0;
let email: string;
beforeAll(async () => {
  page = await startPublicPage();
  key = await signingKey(page.service.database);
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.mails.length = 0;
  email = `person${++names}@example.com`;
  await page.forgetRequests();
});

const listed = async () =>
  (await page.service.get(`/v1/pages/${page.id}/subscribers`)).json.response.map(
    (one: { email: string }) => one.email,
  ) as string[];
const stored = async () =>
  (
    await page.rows<{
      id: number;
      confirmed: boolean;
      left: boolean;
      kinds: string[];
      chose: boolean;
      components: number[];
      version: number;
      consent: string;
    }>(
      `select id, confirmed_at is not null as confirmed, unsubscribed_at is not null as left, kinds, chose_components as chose, version, consent_source as consent,
         array(select component_id from subscriber_component c where c.subscriber_id = s.id order by 1) as components
       from subscriber s where page_id = $1 and lower(email) = lower($2)`,
      [page.id, email],
    )
  )[0];

/** Signs up and returns the path of the link that was sent. */
async function signUp(more: Record<string, string | string[]> = {}, name = 'confirm'): Promise<string> {
  await page.forgetRequests();
  const before = page.mails.length;
  expect((await page.post('subscribe', { email, ...more })).status).toBe(200);
  await page.sent(before + 1);
  return linkIn(page.mails.at(-1)!.text, name);
}

async function subscribed(
  more: Record<string, string | string[]> = {},
): Promise<{ id: number; unsubscribe: string; confirm: string }> {
  const confirm = await signUp(more);
  expect((await page.post(confirm)).status).toBe(200);
  const { id } = (await stored())!;
  return { id, confirm, unsubscribe: pathOf(unsubscribeLink(key, { id: page.id, address: 'http://x' }, id)) };
}

const pathOf = (address: string) => new URL(address).pathname.slice(1);
const tokenOf = (path: string) => path.split('/').at(-1)!;
const at = (path: string) => (link: Omit<Link, 'pageId'>) => `${path}/${signed(key, { pageId: page.id, ...link })}`;
const seconds = () => Math.floor(Date.now() / 1000);

describe('who subscribes by e-mail', () => {
  test('gets a link, is shown a page with a button, and is subscribed once the button is pressed', async () => {
    email = 'Anna@Example.com';
    const link = await signUp();
    expect(page.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [email, 'Confirm your subscription to Meridian Freight'],
    ]);
    const shown = await page.get(link);
    expect(wordsOf(shown.text)).toContain('A…@E… wants to receive updates of Meridian Freight.');
    expect(shown.text).toContain(`<form method="post" action="/${link}"`);
    expect(await listed()).not.toContain(email);
    const { status, text } = await page.post(link);
    expect([status, wordsOf(text)]).toEqual([200, expect.stringContaining('You are subscribed')]);
    expect(await listed()).toContain(email);
    expect(await stored()).toMatchObject({ consent: 'page', kinds: ['unplanned', 'planned', 'general'], chose: false });
  });

  test('finds the same below the path of the service, with links that stay there', async () => {
    const below = page.at('localhost', `/status/${page.id}/`);
    expect((await below.post('subscribe', { email })).status).toBe(200);
    await page.sent(1);
    expect(page.mails[0]!.text).toContain(`/status/${page.id}/confirm/`);
    const link = linkIn(page.mails[0]!.text, 'confirm');
    expect((await below.get(link)).text).toContain(`action="/status/${page.id}/${link}"`);
    expect((await below.post(link)).status).toBe(200);
    expect(await listed()).toContain(email);
  });

  test('is written to in the language that they chose, by a mail that holds the link twice and calls for no answer', async () => {
    await page.post('subscribe?lang=de', { email });
    await page.sent(1);
    const { html, text, headers } = page.mails[0]!;
    const address = /http\S+\/confirm\/\S+/.exec(text)![0];
    expect((await page.get(linkIn(text, 'confirm'))).text).toContain('<html lang="de"');
    expect(html).toContain(`href="${address}"`);
    expect(html).toContain('<html lang="de"');
    expect(headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
  });

  test('may choose kinds and components', async () => {
    const components = await Promise.all(
      ['Website', 'API'].map(
        async name => (await page.service.post(`/v1/pages/${page.id}/components`, { name })).json.response.id,
      ),
    );
    // The page follows a change at once, and not before.
    await eventually(
      () => page.get('subscribe'),
      ({ text }) => components.every(id => text.includes(`name="components" value="${id}"`)),
    );
    await subscribed({ choices: '1', kinds: ['planned', 'general'], components: [String(components[1])] });
    expect(await stored()).toMatchObject({ kinds: ['planned', 'general'], chose: true, components: [components[1]] });
    await Promise.all(components.map(id => page.service.delete(`/v1/pages/${page.id}/components/${id}`)));
  });

  test('and chooses none hears of all, also what comes later', async () => {
    await subscribed({ choices: '1', kinds: ['unplanned'] });
    expect(await stored()).toMatchObject({ kinds: ['unplanned'], chose: false, components: [] });
  });

  test('is told what is wrong beside the field and at the top, with what they typed', async () => {
    const { status, text } = await page.post('subscribe', { email: 'anna@', choices: '1', components: '999999' });
    expect(status).toBe(422);
    expect(text).toContain('value="anna@"');
    for (const [field, sentence] of [
      ['email', 'Enter an e-mail address, as in name@example.com'],
      ['kinds', 'Choose at least one'],
      ['components', 'One of the components is no longer there. Choose again'],
    ]) {
      if (field !== 'components') expect(text).toContain(`id="${field}-wrong">${sentence}<`);
      expect(text).toContain(`<li><a href="#${field}">${sentence}</a></li>`);
    }
    expect(text).toMatch(/<input id="email"[^>]* aria-describedby="email-wrong" aria-invalid="true"/);
    expect(page.mails).toEqual([]);
  });

  test('and asks twice may use either link, once', async () => {
    const first = await signUp();
    const second = await signUp();
    expect((await page.post(first)).status).toBe(200);
    expect((await page.post(second)).status).toBe(410);
  });

  test('and fills in the field that people do not see gets no mail, and the same answer', async () => {
    const program = await page.post('subscribe', { email: 'program@example.com', website: 'https://spam.example' });
    const person = await page.post('subscribe', { email });
    await page.sent(1);
    expect(program.text).toBe(person.text);
    expect(page.mails.map(({ to }) => to)).toEqual([email]);
    expect(await page.rows(`select 1 from subscriber where email = 'program@example.com'`)).toEqual([]);
  });

  test('does not get lost with a mail that nobody took: the next one comes at once', async () => {
    page.refuse.all = true;
    expect((await page.post('subscribe', { email })).status).toBe(200);
    await page.until(async () => (await page.rows('select 1 from subscription_request where sent')).length === 0);
    page.refuse.all = false;
    await page.post('subscribe', { email });
    await page.sent(1);
    expect(page.mails[0]!.to).toBe(email);
  });
});

describe('a confirmation link', () => {
  test('lasts 7 days', async () => {
    const link = verified(key, 'confirm', page.id, tokenOf(await signUp()))!;
    expect(Math.abs(link.expiresAt! - seconds() - 7 * 86_400)).toBeLessThan(60);
  });

  test('works once, and not again after they have left', async () => {
    const { confirm, unsubscribe } = await subscribed();
    const statuses = async () => [(await page.get(confirm)).status, (await page.post(confirm)).status];
    expect(await statuses()).toEqual([410, 410]);
    await page.post(unsubscribe);
    expect(await statuses()).toEqual([410, 410]);
    expect(await stored()).toMatchObject({ left: true });
  });

  test('does nothing once it has expired, is of another purpose, of another page, of nobody, or has no version', async () => {
    await signUp();
    const { id: subscriberId } = (await stored())!;
    const later = seconds() + 600;
    const confirm = at('confirm');
    const other = (await page.service.post('/v1/pages', { name: 'Other' })).json.response.id;
    const links = [
      confirm({ purpose: 'confirm', subscriberId, version: 1, expiresAt: seconds() - 1 }),
      confirm({ purpose: 'confirm', subscriberId, version: 2, expiresAt: later }),
      confirm({ purpose: 'confirm', subscriberId, expiresAt: later }),
      confirm({ purpose: 'confirm', subscriberId, version: 1 }),
      confirm({ purpose: 'confirm', subscriberId: 2 ** 31 - 1, version: 1, expiresAt: later }),
      confirm({ purpose: 'unsubscribe', subscriberId }),
      confirm({ purpose: 'preferences', subscriberId, version: 1, expiresAt: later }),
      `confirm/${signed(key, { purpose: 'confirm', pageId: other, subscriberId, version: 1, expiresAt: later })}`,
      'confirm/x',
    ];
    for (const link of links) {
      expect([link, (await page.get(link)).status]).toEqual([link, 410]);
      expect([link, (await page.post(link)).status]).toEqual([link, 410]);
    }
    const elsewhere = page.at(`${other}.localhost`, '/');
    const own = confirm({ purpose: 'confirm', subscriberId, version: 1, expiresAt: later });
    expect((await elsewhere.post(own)).status).toBe(410);
    // Signed rightly, with a subscriber of another page.
    const foreign = `confirm/${signed(key, { purpose: 'confirm', pageId: other, subscriberId, version: 1, expiresAt: later })}`;
    expect((await elsewhere.post(foreign)).status).toBe(410);
    expect(await stored()).toMatchObject({ confirmed: false });
    expect((await page.post(own)).status).toBe(200);
  });

  test('of two presses at once lets one through', async () => {
    const link = await signUp();
    const statuses = (await Promise.all([page.post(link), page.post(link), page.post(link)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 410, 410]);
  });
});

describe('choices that are sent back as they were shown', () => {
  test('change nothing for who had chosen components that are all gone: they hear of no others', async () => {
    const component = (await page.service.post(`/v1/pages/${page.id}/components`, { name: 'To go' })).json.response.id;
    await eventually(
      () => page.get('subscribe'),
      ({ text }) => text.includes(`name="components" value="${component}"`),
    );
    const { id } = await subscribed({ choices: '1', kinds: ['unplanned'], components: [String(component)] });
    await page.service.delete(`/v1/pages/${page.id}/components/${component}`);
    const link = preferencesLink(key, { id: page.id, address: 'http://x' }, id);
    await page.forgetRequests();
    const asked = await page.post(pathOf(link));
    expect(asked.status).toBe(200);
    await page.sent(2);
    const own = linkIn(page.mails.at(-1)!.text, 'preferences');
    expect((await page.post(own, { choices: '1', kinds: ['unplanned'] })).status).toBe(200);
    expect(await stored()).toMatchObject({ chose: true, components: [] });
  });
});

describe('whoever is known already', () => {
  test('is sent the link to the address that is kept', async () => {
    await subscribed();
    email = email.toUpperCase();
    await signUp({}, 'preferences');
    expect(page.mails.at(-1)!.to).toBe(email.toLowerCase());
  });

  test('and subscribed is sent a link to their choices, and nothing of theirs changes', async () => {
    await subscribed({ choices: '1', kinds: ['planned'] });
    const before = await stored();
    const link = await signUp({}, 'preferences');
    expect(await stored()).toEqual(before);
    expect(wordsOf((await page.get(link)).text)).toContain('p…@e… receives updates of Meridian Freight.');
  });

  test('and has left comes back only by a new link', async () => {
    const { unsubscribe } = await subscribed();
    await page.post(unsubscribe);
    const link = await signUp({ choices: '1', kinds: ['general'] });
    expect(await listed()).not.toContain(email);
    expect((await page.post(link)).status).toBe(200);
    expect(await stored()).toMatchObject({ confirmed: true, left: false, kinds: ['general'] });
  });

  test('and has left with two addresses comes back with the one that they confirmed', async () => {
    await page.service.post(`/v1/pages/${page.id}/subscribers`, { email, phone_number: '+49301234567' });
    const { id } = (await stored())!;
    await page.post(pathOf(unsubscribeLink(key, { id: page.id, address: 'http://x' }, id)));
    await page.post(await signUp());
    expect(await page.rows('select phone_number from subscriber where id = $1', [id])).toEqual([
      { phone_number: null },
    ]);
  });

  test('and is added by the interface meanwhile is subscribed, and the link is used up', async () => {
    const link = await signUp({ choices: '1', kinds: ['planned'] });
    expect((await page.service.post(`/v1/pages/${page.id}/subscribers`, { email })).status).toBe(201);
    expect(await stored()).toMatchObject({
      confirmed: true,
      kinds: ['unplanned', 'planned', 'general'],
      consent: 'interface',
    });
    expect((await page.post(link)).status).toBe(410);
    const { id } = (await stored())!;
    await page.post(pathOf(unsubscribeLink(key, { id: page.id, address: 'http://x' }, id)));
    expect((await page.post(link)).status).toBe(410);
  });

  test('and did not confirm falls after 7 days; who has left keeps the mark for ever', async () => {
    await signUp();
    const age = (days: string) =>
      page.rows('update subscriber set updated_at = updated_at - $1::interval where lower(email) = lower($2)', [
        days,
        email,
      ]);
    await age('6 days 23 hours');
    await forgetExpired(page.service.database);
    expect(await stored()).toBeDefined();
    await age('2 hours');
    await forgetExpired(page.service.database);
    expect(await stored()).toBeUndefined();
    const { unsubscribe } = await subscribed();
    await page.post(unsubscribe);
    await signUp();
    await age('400 days');
    await forgetExpired(page.service.database);
    expect(await stored()).toMatchObject({ left: true });
  });
});

describe('who leaves', () => {
  test('is shown a page with a button; the button ends it, and may be pressed again', async () => {
    const { unsubscribe } = await subscribed();
    const shown = await page.get(unsubscribe);
    expect(wordsOf(shown.text)).toContain('p…@e… will receive no more updates of Meridian Freight.');
    expect(await listed()).toContain(email);
    for (const _ of ['once', 'twice']) {
      const { status, text } = await page.post(unsubscribe);
      expect([status, wordsOf(text)]).toEqual([200, expect.stringContaining('You are unsubscribed')]);
    }
    expect(await listed()).not.toContain(email);
    expect(wordsOf((await page.get(unsubscribe)).text)).toContain('You are unsubscribed');
  });

  test('by the button of a mail program sees no page, in whichever form the program writes it (RFC 8058)', async () => {
    const boundary = '----boundary';
    const parts = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;
    const bodies = [
      [formBody({ 'List-Unsubscribe': 'One-Click' }), 'application/x-www-form-urlencoded'],
      [parts, `multipart/form-data; boundary=${boundary}`],
    ] as const;
    for (const [body, type] of bodies) {
      email = `person${++names}@example.com`;
      const { unsubscribe } = await subscribed();
      const { status, text } = await page.raw(unsubscribe, body, type);
      expect([status, text]).toEqual([200, 'Unsubscribed.\n']);
      expect(await listed()).not.toContain(email);
    }
  });

  test('can still do so after they were deleted, by a link that is years old; a forged one does nothing', async () => {
    const { id, unsubscribe } = await subscribed();
    const other = at('unsubscribe')({ purpose: 'request', subscriberId: id });
    expect((await page.post(other)).status).toBe(410);
    expect(await listed()).toContain(email);
    await page.service.delete(`/v1/pages/${page.id}/subscribers/${id}`);
    expect((await page.post(unsubscribe)).status).toBe(200);
  });
});

describe('who changes what they receive', () => {
  test('asks by their address for a link, which lasts an hour', async () => {
    await subscribed();
    await page.forgetRequests();
    expect((await page.get('preferences')).status).toBe(200);
    await page.post('preferences', { email });
    await page.sent(2);
    const path = linkIn(page.mails[1]!.text, 'preferences');
    const link = verified(key, 'preferences', page.id, tokenOf(path))!;
    expect(Math.abs(link.expiresAt! - seconds() - 3_600)).toBeLessThan(60);
    const shown = await page.get(path);
    expect(
      [...shown.text.matchAll(/name="kinds" value="(\w+)"( checked)?/g)].map(([, kind, isChosen]) => [
        kind,
        Boolean(isChosen),
      ]),
    ).toEqual([
      ['unplanned', true],
      ['planned', true],
      ['general', true],
    ]);
    const saved = await page.post(path, { choices: '1', kinds: 'planned' });
    expect(wordsOf(saved.text)).toContain('Your choices are saved');
    expect(await stored()).toMatchObject({ kinds: ['planned'] });
    expect((await page.post(path, { choices: '1' })).status).toBe(422);
    expect(await stored()).toMatchObject({ kinds: ['planned'] });
  });

  test('or by the link in any message, which knows the address', async () => {
    const { id } = await subscribed();
    await page.forgetRequests();
    const path = pathOf(preferencesLink(key, { id: page.id, address: 'http://x' }, id));
    expect(wordsOf((await page.get(path)).text)).toContain('p…@e…');
    expect(page.mails.length).toBe(1);
    await page.post(path);
    await page.sent(2);
    expect((await page.get(linkIn(page.mails[1]!.text, 'preferences'))).status).toBe(200);
  });

  test('cannot do so by a link that has expired, is of another purpose, or after they have left', async () => {
    const { id: subscriberId, unsubscribe } = await subscribed();
    const preferences = at('preferences');
    const good = preferences({ purpose: 'preferences', subscriberId, expiresAt: seconds() + 600 });
    const refused = [
      preferences({ purpose: 'preferences', subscriberId, expiresAt: seconds() - 1 }),
      preferences({ purpose: 'request', subscriberId }),
      preferences({ purpose: 'unsubscribe', subscriberId }),
    ];
    for (const link of refused) {
      expect([link, (await page.get(link)).status]).toEqual([link, 410]);
      expect([link, (await page.post(link, { choices: '1', kinds: 'planned' })).status]).toEqual([link, 410]);
    }
    await page.post(unsubscribe);
    expect((await page.get(good)).status).toBe(410);
    expect((await page.post(good, { choices: '1', kinds: 'planned' })).status).toBe(410);
    expect(await stored()).toMatchObject({ kinds: ['unplanned', 'planned', 'general'] });
  });
});

test('programs that look at every link of a mail change nothing, however often', async () => {
  const pending = await signUp();
  const before = await stored();
  for (let look = 0; look < 3; look++) expect((await page.get(pending)).status).toBe(200);
  expect(await stored()).toEqual(before);
  await page.post(pending);
  const { id: subscriberId, ...rest } = (await stored())!;
  const links = [
    pathOf(unsubscribeLink(key, { id: page.id, address: 'http://x' }, subscriberId)),
    pathOf(preferencesLink(key, { id: page.id, address: 'http://x' }, subscriberId)),
    at('preferences')({ purpose: 'preferences', subscriberId, expiresAt: seconds() + 600 }),
    pending,
    'subscribe',
    'preferences',
    'confirm',
    'unsubscribe',
  ];
  for (const link of links)
    for (const query of ['', '?List-Unsubscribe=One-Click', '?lang=de']) await page.get(link + query);
  expect(await stored()).toEqual({ id: subscriberId, ...rest });
  expect(page.mails.length).toBe(1);
});
