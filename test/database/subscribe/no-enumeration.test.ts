import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildUnsubscribeUrl } from '../../../src/subscribers/signed-link.js';
import { loadLinkKey } from '../../../src/auth/link-key.service.js';
import { extractLink, type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';

let page: PublicPage;
let count = 0;
let email: string;
let phone: string;
let id: number;
let unsubscribePath: string;
beforeAll(async () => {
  page = await startPublicPage();
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.mails.length = 0;
  page.messages.length = 0;
  await page.forgetRequests();
  email = `left${++count}@example.com`;
  phone = `+49301${1_000_000 + count}`;
  id = (await add({ email, phone_number: phone })).id;
  unsubscribePath = new URL(
    buildUnsubscribeUrl(await loadLinkKey(page.service.database, page.id), { id: page.id, address: 'http://x' }, id),
  ).pathname.slice(1);
  expect((await page.post(unsubscribePath)).status).toBe(200);
});

const subscribers = () => `/v1/pages/${page.id}/subscribers`;
async function add(fields: object): Promise<{ id: number }> {
  const { status, json } = await page.service.post(subscribers(), fields);
  expect([status, json.errors]).toEqual([201, undefined]);
  return json.response;
}
const listAddresses = async () =>
  (await page.service.get(subscribers())).json.response
    .flatMap((one: { email: string | null; phone_number: string | null }) => [one.email, one.phone_number])
    .filter((address: string | null) => address !== null);
/** How many of both addresses an import reports as unsubscribed. */
async function countUnsubscribed(): Promise<number> {
  const { json } = await page.service.graphql(
    'mutation($page: ID!, $input: ImportSubscribersInput!) { importSubscribers(pageId: $page, dryRun: false, input: $input) { left } }',
    { page: page.id, input: { csv: `email,phone_number\n${email},\n,${phone}`, consentSource: 'list' } },
  );
  return json.data.importSubscribers.left;
}

test('unsubscribing a subscriber with two addresses unsubscribes both', async () => {
  expect(await countUnsubscribed()).toBe(2);
  expect(await listAddresses()).not.toContain(email);
  expect(await listAddresses()).not.toContain(phone);
});

test('a phone number of another subscriber now resubscribes nobody, and ignores the old link', async () => {
  const other = `other${count}@example.com`;
  const { id: theirs } = await add({ email: other, phone_number: phone });
  expect(theirs).not.toBe(id);
  expect(await countUnsubscribed()).toBe(1);
  expect(await listAddresses()).not.toContain(email);
  expect((await page.post(unsubscribePath)).status).toBe(200);
  expect(await listAddresses()).toContain(other);
});

test('a subscriber added again by e-mail stays unsubscribed by phone, and the old link unsubscribes them', async () => {
  expect((await add({ email })).id).toBe(id);
  expect(await countUnsubscribed()).toBe(1);
  await page.post(unsubscribePath);
  expect(await countUnsubscribed()).toBe(2);
});

test('the old link in a mail works for a subscriber who left twice and was added with both addresses', async () => {
  await page.query('update subscriber set id = -id where phone_number = $1', [phone]);
  expect((await add({ email, phone_number: phone })).id).toBe(id);
  await page.post(unsubscribePath);
  expect(await countUnsubscribed()).toBe(2);
});

test('a subscriber who takes over one address leaves the other unsubscribed', async () => {
  const other = await add({ email: `other${count}@example.com` });
  expect((await page.service.patch(`${subscribers()}/${other.id}`, { email })).status).toBe(200);
  expect(await countUnsubscribed()).toBe(1);
  expect(await listAddresses()).not.toContain(phone);
});

test('confirming by mail does not resubscribe the phone', async () => {
  await page.post('subscribe', { email });
  await page.waitForMessages(1);
  expect((await page.post(extractLink(page.mails[0]!.text, 'confirm'))).status).toBe(200);
  expect(await listAddresses()).toContain(email);
  expect(await countUnsubscribed()).toBe(1);
});

test('confirming by code does not resubscribe the mail address, and ignores the old link in a mail', async () => {
  await page.post('subscribe', { by: 'sms', phone });
  await page.waitForMessages(1);
  expect((await page.post('confirm', { phone, code: page.messages[0]!.text.slice(0, 6) })).status).toBe(200);
  expect(await countUnsubscribed()).toBe(1);
  await page.post(unsubscribePath);
  expect(await listAddresses()).toContain(phone);
  expect(await listAddresses()).not.toContain(email);
});
