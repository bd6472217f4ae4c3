import { type PublicPage, encodeForm, extractLink, startPublicPage } from '../../support/subscribe-forms.js';
import { waitForResponse } from '../../support/visitor.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { prune } from '../../../src/server/retention/prune.js';
import {
  type Link,
  buildPreferencesUrl,
  signLink,
  buildUnsubscribeUrl,
  verifyLink,
} from '../../../src/subscribers/signed-link.js';
import { loadLinkKey } from '../../../src/auth/link-key.service.js';
import { visibleText } from '../../support/rendered-page.js';
import { createComponent, createPage } from '../../support/factories.js';

let page: PublicPage;
let key: Buffer;
let count = 0;
let email: string;
beforeAll(async () => {
  page = await startPublicPage();
  key = await loadLinkKey(page.service.database, page.id);
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.mails.length = 0;
  email = `person${++count}@example.com`;
  await page.forgetRequests();
});

const listEmails = async () =>
  (await page.service.get(`/v1/pages/${page.id}/subscribers`)).json.response.map(
    (one: { email: string }) => one.email,
  ) as string[];
const readSubscriber = async () =>
  (
    await page.query<{
      id: number;
      confirmed: boolean;
      left: boolean;
      kinds: string[];
      chose: boolean;
      components: number[];
      version: number;
      consent: string;
    }>(
      `select id, confirmed_at is not null as confirmed, unsubscribed_at is not null as left, kinds,
         chose_components as chose, version, consent_source as consent,
         array(select component_id from subscriber_component c where c.subscriber_id = s.id order by 1) as components
       from subscriber s where page_id = $1 and lower(email) = lower($2)`,
      [page.id, email],
    )
  )[0];

/** Submits the form and returns the path of the link in the mail. */
async function signUp(fields: Record<string, string | string[]> = {}, route = 'confirm'): Promise<string> {
  await page.forgetRequests();
  const before = page.mails.length;
  expect((await page.post('subscribe', { email, ...fields })).status).toBe(200);
  await page.waitForMessages(before + 1);
  return extractLink(page.mails.at(-1)!.text, route);
}

async function subscribe(
  fields: Record<string, string | string[]> = {},
): Promise<{ id: number; unsubscribe: string; confirm: string }> {
  const confirm = await signUp(fields);
  expect((await page.post(confirm)).status).toBe(200);
  const { id } = (await readSubscriber())!;
  return { id, confirm, unsubscribe: pathOf(buildUnsubscribeUrl(key, { id: page.id, address: 'http://x' }, id)) };
}

const pathOf = (address: string) => new URL(address).pathname.slice(1);
const tokenOf = (path: string) => path.split('/').at(-1)!;
const linkSigner = (path: string) => (link: Omit<Link, 'pageId'>) =>
  `${path}/${signLink(key, { pageId: page.id, ...link })}`;
const seconds = () => Math.floor(Date.now() / 1000);

describe('a visitor who subscribes by e-mail', () => {
  test('gets a link to a page with a button, which subscribes them', async () => {
    email = 'Anna@Example.com';
    const link = await signUp();
    expect(page.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [email, 'Confirm your subscription to Meridian Freight'],
    ]);
    const response = await page.get(link);
    expect(visibleText(response.text)).toContain('A…@E… wants to receive updates from Meridian Freight.');
    expect(response.text).toContain(`<form method="post" action="/${link}"`);
    expect(await listEmails()).not.toContain(email);
    const { status, text } = await page.post(link);
    expect([status, visibleText(text)]).toEqual([200, expect.stringContaining('You are subscribed')]);
    expect(await listEmails()).toContain(email);
    expect(await readSubscriber()).toMatchObject({
      consent: 'page',
      kinds: ['unplanned', 'planned', 'general'],
      chose: false,
    });
  });

  test('sees the address that they typed in full, and what they chose before and after they confirm', async () => {
    const { id } = await createComponent(page.service, `/v1/pages/${page.id}`, { name: 'Payments' });
    await waitForResponse(
      () => page.get('subscribe'),
      ({ text }) => text.includes('Payments'),
    );
    const sent = await page.post('subscribe', {
      email,
      choices: '1',
      kinds: ['unplanned', 'planned'],
      components: String(id),
    });
    expect(visibleText(sent.text)).toContain(`on its way to ${email}.`);
    await page.waitForMessages(1);
    const link = extractLink(page.mails[0]!.text, 'confirm');
    for (const { text } of [await page.get(link), await page.post(link)]) {
      expect(visibleText(text)).toMatch(/Incidents and Maintenance\s+Payments/);
      expect(text).not.toContain(email);
    }
  });

  test('sees that they get everything where they chose nothing', async () => {
    const { text } = await page.get(await signUp());
    expect(visibleText(text)).toMatch(/Incidents, Maintenance,? and Announcements\s+All components/);
  });

  test('can do so below a path of the service, with links below that path', async () => {
    const below = page.onHost('localhost', `/status/${page.id}/`);
    expect((await below.post('subscribe', { email })).status).toBe(200);
    await page.waitForMessages(1);
    expect(page.mails[0]!.text).toContain(`/status/${page.id}/confirm/`);
    const link = extractLink(page.mails[0]!.text, 'confirm');
    expect((await below.get(link)).text).toContain(`action="/status/${page.id}/${link}"`);
    expect((await below.post(link)).status).toBe(200);
    expect(await listEmails()).toContain(email);
  });

  test('gets a mail in the language they chose, with the link as text and HTML, and no auto-replies', async () => {
    await page.post('subscribe?lang=de', { email });
    await page.waitForMessages(1);
    const { html, text, headers } = page.mails[0]!;
    const address = /http\S+\/confirm\/\S+/.exec(text)![0];
    expect((await page.get(extractLink(text, 'confirm'))).text).toContain('<html lang="de"');
    expect(html).toContain(`href="${address}"`);
    expect(html).toContain('<html lang="de"');
    expect(headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
  });

  test('can choose kinds and components', async () => {
    const components = await Promise.all(
      ['Website', 'API'].map(async name => (await createComponent(page.service, `/v1/pages/${page.id}`, { name })).id),
    );
    // The page shows a change after the change feed delivered it.
    await waitForResponse(
      () => page.get('subscribe'),
      ({ text }) => components.every(id => text.includes(`name="components" value="${id}"`)),
    );
    await subscribe({ choices: '1', kinds: ['planned', 'general'], components: [String(components[1])] });
    expect(await readSubscriber()).toMatchObject({
      kinds: ['planned', 'general'],
      chose: true,
      components: [components[1]],
    });
    await Promise.all(components.map(id => page.service.delete(`/v1/pages/${page.id}/components/${id}`)));
  });

  test('gets messages about all components when they choose none', async () => {
    await subscribe({ choices: '1', kinds: ['unplanned'] });
    expect(await readSubscriber()).toMatchObject({ kinds: ['unplanned'], chose: false, components: [] });
  });

  test('sees errors beside the fields and in a summary, with their input kept', async () => {
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

  test('can use either link of two requests, once', async () => {
    const first = await signUp();
    const second = await signUp();
    expect((await page.post(first)).status).toBe(200);
    expect((await page.post(second)).status).toBe(410);
  });

  test('gets no mail but the same response when the honeypot is filled in', async () => {
    const bot = await page.post('subscribe', { email: 'program@example.com', website: 'https://spam.example' });
    const person = await page.post('subscribe', { email });
    await page.waitForMessages(1);
    expect(bot.text.replace('program@example.com', email)).toBe(person.text);
    expect(page.mails.map(({ to }) => to)).toEqual([email]);
    expect(await page.query(`select 1 from subscriber where email = 'program@example.com'`)).toEqual([]);
  });

  test('gets the next mail at once when the first one was rejected', async () => {
    page.provider.refusesAll = true;
    expect((await page.post('subscribe', { email })).status).toBe(200);
    await page.waitUntil(async () => (await page.query('select 1 from subscription_request where sent')).length === 0);
    page.provider.refusesAll = false;
    await page.post('subscribe', { email });
    await page.waitForMessages(1);
    expect(page.mails[0]!.to).toBe(email);
  });
});

describe('a confirmation link', () => {
  test('expires after 7 days', async () => {
    const link = verifyLink(key, 'confirm', page.id, tokenOf(await signUp()))!;
    expect(Math.abs(link.expiresAt! - seconds() - 7 * 86_400)).toBeLessThan(60);
  });

  test('works once, and not after unsubscribing either', async () => {
    const { confirm, unsubscribe } = await subscribe();
    const statuses = async () => [(await page.get(confirm)).status, (await page.post(confirm)).status];
    expect(await statuses()).toEqual([410, 410]);
    await page.post(unsubscribe);
    expect(await statuses()).toEqual([410, 410]);
    expect(await readSubscriber()).toMatchObject({ left: true });
  });

  test('is rejected when expired, unversioned, or signed for another purpose, page or subscriber', async () => {
    await signUp();
    const { id: subscriberId } = (await readSubscriber())!;
    const later = seconds() + 600;
    const confirm = linkSigner('confirm');
    const other = (await createPage(page.service, { name: 'Other' })).id;
    const links = [
      confirm({ purpose: 'confirm', subscriberId, version: 1, expiresAt: seconds() - 1 }),
      confirm({ purpose: 'confirm', subscriberId, version: 2, expiresAt: later }),
      confirm({ purpose: 'confirm', subscriberId, expiresAt: later }),
      confirm({ purpose: 'confirm', subscriberId, version: 1 }),
      confirm({ purpose: 'confirm', subscriberId: 2 ** 31 - 1, version: 1, expiresAt: later }),
      confirm({ purpose: 'unsubscribe', subscriberId }),
      confirm({ purpose: 'preferences', subscriberId, version: 1, expiresAt: later }),
      `confirm/${signLink(key, { purpose: 'confirm', pageId: other, subscriberId, version: 1, expiresAt: later })}`,
      'confirm/x',
    ];
    for (const link of links) {
      expect([link, (await page.get(link)).status]).toEqual([link, 410]);
      expect([link, (await page.post(link)).status]).toEqual([link, 410]);
    }
    const elsewhere = page.onHost(`${other}.localhost`, '/');
    const own = confirm({ purpose: 'confirm', subscriberId, version: 1, expiresAt: later });
    expect((await elsewhere.post(own)).status).toBe(410);
    // A valid signature for a subscriber of another page.
    const foreignLink = { purpose: 'confirm', pageId: other, subscriberId, version: 1, expiresAt: later } as const;
    const foreign = `confirm/${signLink(key, foreignLink)}`;
    expect((await elsewhere.post(foreign)).status).toBe(410);
    expect(await readSubscriber()).toMatchObject({ confirmed: false });
    expect((await page.post(own)).status).toBe(200);
  });

  test('works once for concurrent requests', async () => {
    const link = await signUp();
    const statuses = (await Promise.all([page.post(link), page.post(link), page.post(link)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 410, 410]);
  });
});

describe('preferences saved unchanged', () => {
  test('keep a subscriber without components when all the chosen ones were deleted', async () => {
    const component = (await createComponent(page.service, `/v1/pages/${page.id}`, { name: 'To go' })).id;
    await waitForResponse(
      () => page.get('subscribe'),
      ({ text }) => text.includes(`name="components" value="${component}"`),
    );
    const { id } = await subscribe({ choices: '1', kinds: ['unplanned'], components: [String(component)] });
    await page.service.delete(`/v1/pages/${page.id}/components/${component}`);
    const preferences = pathOf(buildPreferencesUrl(key, { id: page.id, address: 'http://x' }, id));
    expect((await page.post(preferences, { choices: '1', kinds: ['unplanned'] })).status).toBe(200);
    expect(await readSubscriber()).toMatchObject({ chose: true, components: [] });
  });
});

describe('an operator changes an address', () => {
  const linked = () => ({ id: page.id, address: 'http://x' });
  const linksTo = (id: number, address: string) => ({
    unsubscribe: pathOf(buildUnsubscribeUrl(key, linked(), id, address)),
    preferences: pathOf(buildPreferencesUrl(key, linked(), id, address)),
  });
  const change = (id: number, values: object) => page.service.patch(`/v1/pages/${page.id}/subscribers/${id}`, values);

  test('and the links of earlier messages neither show nor change the subscription, until it has the address again', async () => {
    const { id } = await subscribe();
    const old = email;
    const before = linksTo(id, old.toUpperCase());
    const hour = await signUp({}, 'preferences');
    email = `zoe${email}`;
    expect((await change(id, { email })).status).toBe(200);
    for (const path of [before.preferences, hour]) {
      expect((await page.get(path)).status).toBe(410);
      expect((await page.post(path, { choices: '1', kinds: 'planned' })).status).toBe(410);
    }
    for (const { status, text } of [await page.get(before.unsubscribe), await page.post(before.unsubscribe)]) {
      expect([status, visibleText(text)]).toEqual([
        410,
        expect.stringContaining(
          'This link is not valid It is from a message to an address that receives no more updates from ' +
            'Meridian Freight. To end those to another address, use the link in the newest message there.',
        ),
      ]);
      expect(text).not.toMatch(/z…|You are unsubscribed/);
    }
    const oneClick = encodeForm({ 'List-Unsubscribe': 'One-Click' });
    const form = 'application/x-www-form-urlencoded';
    expect((await page.postBody(before.unsubscribe, oneClick, form)).status).toBe(200);
    expect(await readSubscriber()).toMatchObject({ left: false, kinds: ['unplanned', 'planned', 'general'] });
    expect((await page.get(linksTo(id, email).preferences)).status).toBe(200);
    await change(id, { email: old });
    const { text } = await page.get(before.preferences);
    await page.post(extractLink(text, 'unsubscribe'));
    email = old;
    expect(await readSubscriber()).toMatchObject({ left: true });
  });

  test('and the link to the choices that its confirmation showed ends', async () => {
    const { text } = await page.post(await signUp());
    const shown = extractLink(text, 'preferences');
    expect((await page.get(shown)).status).toBe(200);
    const { id } = (await readSubscriber())!;
    email = `zoe${email}`;
    await change(id, { email });
    expect((await page.get(shown)).status).toBe(410);
  });

  test('and those that went to the other address of the subscriber stay valid', async () => {
    await page.service.post(`/v1/pages/${page.id}/subscribers`, { email, phone_number: '+49301234568' });
    const { id } = (await readSubscriber())!;
    const [mail, text] = [linksTo(id, email), linksTo(id, '+49301234568')];
    await change(id, { phone_number: '+49301234569' });
    expect((await page.get(text.preferences)).status).toBe(410);
    expect((await page.get(mail.preferences)).status).toBe(200);
    await page.post(text.unsubscribe);
    expect(await readSubscriber()).toMatchObject({ left: false });
    await page.post(mail.unsubscribe);
    expect(await readSubscriber()).toMatchObject({ left: true });
  });
});

describe('a known address', () => {
  test('gets the link at its stored spelling', async () => {
    await subscribe();
    email = email.toUpperCase();
    await signUp({}, 'preferences');
    expect(page.mails.at(-1)!.to).toBe(email.toLowerCase());
  });

  test('that is subscribed gets a link to the preferences, and nothing changes', async () => {
    await subscribe({ choices: '1', kinds: ['planned'] });
    const before = await readSubscriber();
    const link = await signUp({}, 'preferences');
    expect(await readSubscriber()).toEqual(before);
    expect(visibleText((await page.get(link)).text)).toContain('p…@e… receives updates from Meridian Freight.');
  });

  test('that is unsubscribed is resubscribed only by a new link', async () => {
    const { unsubscribe } = await subscribe();
    await page.post(unsubscribe);
    const link = await signUp({ choices: '1', kinds: ['general'] });
    expect(await listEmails()).not.toContain(email);
    expect((await page.post(link)).status).toBe(200);
    expect(await readSubscriber()).toMatchObject({ confirmed: true, left: false, kinds: ['general'] });
  });

  test('of a subscriber who left with two addresses is resubscribed without the other one', async () => {
    await page.service.post(`/v1/pages/${page.id}/subscribers`, { email, phone_number: '+49301234567' });
    const { id } = (await readSubscriber())!;
    await page.post(pathOf(buildUnsubscribeUrl(key, { id: page.id, address: 'http://x' }, id)));
    await page.post(await signUp());
    expect(await page.query('select phone_number from subscriber where id = $1', [id])).toEqual([
      { phone_number: null },
    ]);
  });

  test('that the API added meanwhile is subscribed, and its link no longer works', async () => {
    const link = await signUp({ choices: '1', kinds: ['planned'] });
    expect((await page.service.post(`/v1/pages/${page.id}/subscribers`, { email })).status).toBe(201);
    expect(await readSubscriber()).toMatchObject({
      confirmed: true,
      kinds: ['unplanned', 'planned', 'general'],
      consent: 'interface',
    });
    expect((await page.post(link)).status).toBe(410);
    const { id } = (await readSubscriber())!;
    await page.post(pathOf(buildUnsubscribeUrl(key, { id: page.id, address: 'http://x' }, id)));
    expect((await page.post(link)).status).toBe(410);
  });

  test('is deleted 7 days after an unconfirmed request, but not once unsubscribed', async () => {
    await signUp();
    const age = (days: string) =>
      page.query('update subscriber set updated_at = updated_at - $1::interval where lower(email) = lower($2)', [
        days,
        email,
      ]);
    await age('6 days 23 hours');
    await prune(page.service.database, page.service.settings);
    expect(await readSubscriber()).toBeDefined();
    await age('2 hours');
    await prune(page.service.database, page.service.settings);
    expect(await readSubscriber()).toBeUndefined();
    const { unsubscribe } = await subscribe();
    await page.post(unsubscribe);
    await signUp();
    await age('400 days');
    await prune(page.service.database, page.service.settings);
    expect(await readSubscriber()).toMatchObject({ left: true });
  });
});

describe('a subscriber who unsubscribes', () => {
  test('sees a page with a button, which works repeatedly', async () => {
    const { unsubscribe } = await subscribe();
    const response = await page.get(unsubscribe);
    expect(visibleText(response.text)).toContain('p…@e… will receive no more updates from Meridian Freight.');
    expect(await listEmails()).toContain(email);
    for (const _ of ['once', 'twice']) {
      const { status, text } = await page.post(unsubscribe);
      expect([status, visibleText(text)]).toEqual([200, expect.stringContaining('You are unsubscribed')]);
    }
    expect(await listEmails()).not.toContain(email);
    expect(visibleText((await page.get(unsubscribe)).text)).toContain('You are unsubscribed');
  });

  test('by the button of a mail client gets a plain response, for both encodings (RFC 8058)', async () => {
    const boundary = '----boundary';
    const part = 'Content-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click';
    const parts = `--${boundary}\r\n${part}\r\n--${boundary}--\r\n`;
    const bodies = [
      [encodeForm({ 'List-Unsubscribe': 'One-Click' }), 'application/x-www-form-urlencoded'],
      [parts, `multipart/form-data; boundary=${boundary}`],
    ] as const;
    for (const [body, type] of bodies) {
      email = `person${++count}@example.com`;
      const { unsubscribe } = await subscribe();
      const { status, text } = await page.postBody(unsubscribe, body, type);
      expect([status, text]).toEqual([200, 'Unsubscribed.\n']);
      expect(await listEmails()).not.toContain(email);
    }
  });

  test('can do so by any old link, even after deletion, but not by a forged one', async () => {
    const { id, unsubscribe } = await subscribe();
    const other = linkSigner('unsubscribe')({ purpose: 'request', subscriberId: id });
    expect((await page.post(other)).status).toBe(410);
    expect(await listEmails()).toContain(email);
    await page.service.delete(`/v1/pages/${page.id}/subscribers/${id}`);
    expect((await page.post(unsubscribe)).status).toBe(200);
  });
});

describe('a subscriber who changes their preferences', () => {
  test('gets a link by submitting their address, which expires after an hour', async () => {
    await subscribe();
    await page.forgetRequests();
    expect((await page.get('preferences')).status).toBe(200);
    await page.post('preferences', { email });
    await page.waitForMessages(2);
    const path = extractLink(page.mails[1]!.text, 'preferences');
    const link = verifyLink(key, 'preferences', page.id, tokenOf(path))!;
    expect(Math.abs(link.expiresAt! - seconds() - 3_600)).toBeLessThan(60);
    const response = await page.get(path);
    expect(
      [...response.text.matchAll(/name="kinds" value="(\w+)"( checked)?/g)].map(([, kind, isChosen]) => [
        kind,
        Boolean(isChosen),
      ]),
    ).toEqual([
      ['unplanned', true],
      ['planned', true],
      ['general', true],
    ]);
    const saved = await page.post(path, { choices: '1', kinds: 'planned' });
    expect(visibleText(saved.text)).toContain('Your choices are saved');
    expect(await readSubscriber()).toMatchObject({ kinds: ['planned'] });
    expect((await page.post(path, { choices: '1' })).status).toBe(422);
    expect(await readSubscriber()).toMatchObject({ kinds: ['planned'] });
  });

  test('does so by the link in any message, without another mail', async () => {
    const { id } = await subscribe();
    const path = pathOf(buildPreferencesUrl(key, { id: page.id, address: 'http://x' }, id));
    const { text } = await page.get(path);
    expect(visibleText(text)).toContain('p…@e…');
    expect(text).not.toContain(email);
    const saved = await page.post(path, { choices: '1', kinds: ['planned'] });
    expect(visibleText(saved.text)).toContain('Your choices are saved');
    expect(await readSubscriber()).toMatchObject({ kinds: ['planned'] });
    expect(page.mails.length).toBe(1);
  });

  test('changes their address by a link in a mail to the new one, and keeps their choices', async () => {
    const { id } = await subscribe({ choices: '1', kinds: ['planned'] });
    await page.query('update subscriber set tag_list = $2 where id = $1', [id, ['vip']]);
    const path = pathOf(buildPreferencesUrl(key, { id: page.id, address: 'http://x' }, id));
    const old = email;
    email = `new-${email}`;
    await page.forgetRequests();
    expect((await page.get(path)).text).toContain('New e-mail address');
    expect((await page.post(path, { email: 'nonsense' })).status).toBe(422);
    expect(visibleText((await page.post(path, { email })).text)).toContain(`on its way to ${email}.`);
    await page.waitForMessages(2);
    expect(page.mails[1]!.to).toBe(email);
    expect(await listEmails()).toContain(old);
    const link = extractLink(page.mails[1]!.text, 'confirm');
    const forged = verifyLink(key, 'confirm', page.id, tokenOf(link))!;
    expect(forged.replaces?.id).toBe(id);
    const other = linkSigner('confirm')({ ...forged, replaces: { ...forged.replaces!, id: id + 1 } }).replace(
      /[^.]+$/,
      tokenOf(link).split('.').at(-1)!,
    );
    expect((await page.post(other)).status).toBe(410);
    expect((await page.post(link)).status).toBe(200);
    const emails = await listEmails();
    expect([emails.includes(old), emails.includes(email)]).toEqual([false, true]);
    expect(await readSubscriber()).toMatchObject({ kinds: ['planned'], confirmed: true });
    expect(
      await page.query('select tag_list from subscriber where page_id = $1 and email = $2', [page.id, email]),
    ).toEqual([{ tag_list: ['vip'] }]);
    // The mailbox of the old address no longer has a say.
    expect((await page.get(path)).status).toBe(410);
    expect((await page.post(link)).status).toBe(410);
  });

  test('does not end the subscription of somebody else to whom an operator gave the old one', async () => {
    const { id } = await subscribe();
    const path = pathOf(buildPreferencesUrl(key, { id: page.id, address: 'http://x' }, id, email));
    const successor = `successor-${email}`;
    email = `new-${email}`;
    await page.forgetRequests();
    await page.post(path, { email });
    await page.waitForMessages(2);
    const link = extractLink(page.mails[1]!.text, 'confirm');
    await page.service.patch(`/v1/pages/${page.id}/subscribers/${id}`, { email: successor });
    expect((await page.post(link)).status).toBe(200);
    const emails = await listEmails();
    expect([emails.includes(successor), emails.includes(email)]).toEqual([true, true]);
  });

  test('is sent to them from the link of earlier messages', async () => {
    const { id } = await subscribe();
    const { status, headers } = await page.get(
      linkSigner('preferences/request')({ purpose: 'request', subscriberId: id }),
    );
    expect(status).toBe(303);
    expect(pathOf(String(headers.location))).toBe(
      pathOf(buildPreferencesUrl(key, { id: page.id, address: 'http://x' }, id)),
    );
  });

  test('cannot do so by an expired link, a link of another purpose, or after unsubscribing', async () => {
    const { id: subscriberId, unsubscribe } = await subscribe();
    const preferences = linkSigner('preferences');
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
    expect(await readSubscriber()).toMatchObject({ kinds: ['unplanned', 'planned', 'general'] });
  });
});

test('GET requests, as mail scanners make them, change nothing', async () => {
  const pending = await signUp();
  const before = await readSubscriber();
  for (let visit = 0; visit < 3; visit++) expect((await page.get(pending)).status).toBe(200);
  expect(await readSubscriber()).toEqual(before);
  await page.post(pending);
  const { id: subscriberId, ...rest } = (await readSubscriber())!;
  const links = [
    pathOf(buildUnsubscribeUrl(key, { id: page.id, address: 'http://x' }, subscriberId)),
    pathOf(buildPreferencesUrl(key, { id: page.id, address: 'http://x' }, subscriberId)),
    linkSigner('preferences')({ purpose: 'preferences', subscriberId, expiresAt: seconds() + 600 }),
    pending,
    'subscribe',
    'preferences',
    'confirm',
    'unsubscribe',
  ];
  for (const link of links)
    for (const query of ['', '?List-Unsubscribe=One-Click', '?lang=de']) await page.get(link + query);
  expect(await readSubscriber()).toEqual({ id: subscriberId, ...rest });
  expect(page.mails.length).toBe(1);
});
