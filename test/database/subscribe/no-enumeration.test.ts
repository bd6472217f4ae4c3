/** @jest-environment ./test/support/isolated-environment.js */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { unsubscribeLink } from '../../../src/subscribers/signed-link.js';
import { signingKey } from '../../../src/subscribers/signing-key.service.js';
import { linkIn, type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';

let page: PublicPage;
let people = 0;
let email: string;
let phone: string;
let id: number;
let leave: string;
beforeAll(async () => {
  page = await startPublicPage();
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.mails.length = 0;
  page.messages.length = 0;
  await page.forgetRequests();
  email = `left${++people}@example.com`;
  phone = `+49301${1_000_000 + people}`;
  id = (await add({ email, phone_number: phone })).id;
  leave = new URL(
    unsubscribeLink(await signingKey(page.service.database), { id: page.id, address: 'http://x' }, id),
  ).pathname.slice(1);
  expect((await page.post(leave)).status).toBe(200);
});

const subscribers = () => `/v1/pages/${page.id}/subscribers`;
async function add(fields: object): Promise<{ id: number }> {
  const { status, json } = await page.service.post(subscribers(), fields);
  expect([status, json.errors]).toEqual([201, undefined]);
  return json.response;
}
const reached = async () =>
  (await page.service.get(subscribers())).json.response
    .flatMap((one: { email: string | null; phone_number: string | null }) => [one.email, one.phone_number])
    .filter((address: string | null) => address !== null);
/** What an import of both addresses says of those who left. */
async function left(): Promise<number> {
  const { json } = await page.service.graphql(
    'mutation ($page: ID!, $input: ImportSubscribers!) { importSubscribers(pageId: $page, input: $input) { left } }',
    { page: page.id, input: { csv: `email,phone_number\n${email},\n,${phone}`, consentSource: 'list', dryRun: false } },
  );
  return json.data.importSubscribers.left;
}

test('who left with two addresses stays away with both', async () => {
  expect(await left()).toBe(2);
  expect(await reached()).not.toContain(email);
  expect(await reached()).not.toContain(phone);
});

test('a phone that somebody else has now brings back nobody, and the old link does not reach them', async () => {
  const other = `other${people}@example.com`;
  const { id: theirs } = await add({ email: other, phone_number: phone });
  expect(theirs).not.toBe(id);
  expect(await left()).toBe(1);
  expect(await reached()).not.toContain(email);
  expect((await page.post(leave)).status).toBe(200);
  expect(await reached()).toContain(other);
});

test('who is added again by their mail address has not consented to be called, and may leave by the old link', async () => {
  expect((await add({ email })).id).toBe(id);
  expect(await left()).toBe(1);
  await page.post(leave);
  expect(await left()).toBe(2);
});

test('who left by phone and later by mail, and is added again by both, may leave by the old link in a mail', async () => {
  await page.rows('update subscriber set id = -id where phone_number = $1', [phone]);
  expect((await add({ email, phone_number: phone })).id).toBe(id);
  await page.post(leave);
  expect(await left()).toBe(2);
});

test('a subscriber who takes over one of the addresses leaves the mark of the other', async () => {
  const other = await add({ email: `other${people}@example.com` });
  expect((await page.service.patch(`${subscribers()}/${other.id}`, { email })).status).toBe(200);
  expect(await left()).toBe(1);
  expect(await reached()).not.toContain(phone);
});

test('who comes back by a link in a mail has not come back by phone', async () => {
  await page.post('subscribe', { email });
  await page.sent(1);
  expect((await page.post(linkIn(page.mails[0]!.text, 'confirm'))).status).toBe(200);
  expect(await reached()).toContain(email);
  expect(await left()).toBe(1);
});

test('who comes back by a code has not come back by mail, and the old link in a mail does not reach them', async () => {
  await page.post('subscribe', { by: 'sms', phone });
  await page.sent(1);
  expect((await page.post('confirm', { phone, code: page.messages[0]!.text.slice(0, 6) })).status).toBe(200);
  expect(await left()).toBe(1);
  await page.post(leave);
  expect(await reached()).toContain(phone);
  expect(await reached()).not.toContain(email);
});
