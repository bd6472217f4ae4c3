import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pushAlertDrafts } from '../../../src/alerts/push-report.js';
import { createInputFormat } from '../../../src/notices/drafts/input-format.js';
import { postGuarded } from '../../../src/notifications/channels/http/post.js';
import { schema } from '../../../src/schema.js';
import { ownBody } from '../../support/alert-payloads.js';
import { createPublishingPage } from '../../support/ledger.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { startPushService } from '../../support/push-service.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService({ ...withChannels, publicUrl: peopleOrigin });
let pushService: Awaited<ReturnType<typeof startPushService>>;
beforeAll(async () => {
  pushService = await startPushService();
});
afterAll(() => pushService.stop());

let page: Awaited<ReturnType<typeof createPublishingPage>>;
let publisher: SignedInPerson;
beforeEach(async () => {
  await service.database.query('delete from alert_source');
  await service.database.query('delete from alert_browser');
  page = await createPublishingPage(service, {});
  publisher = await signIn(service, 'publisher', [page.id]);
});

const report = () =>
  pushAlertDrafts({
    database: service.database,
    settings: service.settings,
    consoleOrigin: peopleOrigin,
    draftFormat: createInputFormat(schema),
    post: (url, value, headers) => postGuarded(url, value, { allowPrivate: true, proxies: service.settings }, headers),
  });

const enable = async (person: SignedInPerson, browser = pushService.createBrowser(), changes: object = {}) => {
  const { endpoint: url, ...keys } = browser.fields;
  const { data, errors } = await askAs(
    service,
    person,
    `mutation ($input: EnableAlertPushInput!) { enableAlertPush(input: $input) {
       publicKey userErrors { path message } } }`,
    { input: { url, ...keys, ...changes } },
  );
  return { browser, ...data?.enableAlertPush, errors };
};

async function alert(): Promise<void> {
  const { json } = await service.graphql(
    'mutation ($page: ID!) { createAlertSource(pageId: $page, input: { name: "Prometheus" }) { hookUrl } }',
    { page: page.id },
  );
  await service.post(new URL(json.data.createAlertSource.hookUrl).pathname, ownBody(), { token: null });
}

test('Browsers of those who may publish get one message, which leads to exactly the preview', async () => {
  const { browser } = await enable(publisher);
  const { browser: other } = await enable(await signIn(service, 'drafter', [page.id]));
  await alert();
  expect(await report()).toBe(1);
  expect(await report()).toBe(0);
  expect(other.messages()).toEqual([]);
  const [{ title, body, url, tag }] = browser.messages();
  expect(title).toBe('Publish it? The shop does not answer');
  expect(body).toMatch(/^Meridian · To 1 by Slack, .*: Investigating: The shop does not answer/);
  const [, draftId, hash] = /\/console\/pages\/\w+\/drafts\/(\d+)\?preview=(\S+)/.exec(url)!;
  expect(tag).toBe(`draft-${draftId}`);
  const { json } = await service.graphql(
    'query ($page: ID!, $id: ID!) { previewDraft(pageId: $page, id: $id) { hash } }',
    { page: page.id, id: draftId },
  );
  expect(decodeURIComponent(hash!)).toBe(json.data.previewDraft.hash);
});

test('A browser that is gone is forgotten, one that fails is not, and the mail has its own turn', async () => {
  const { browser: gone } = await enable(publisher);
  const { browser: failing } = await enable(publisher);
  pushService.responses.set(gone.path, { status: 410 });
  pushService.responses.set(failing.path, { status: 503 });
  await alert();
  expect(await report()).toBe(0);
  expect(await service.database.query("select target ->> 'url' as url from alert_browser")).toEqual([
    { url: failing.fields.endpoint },
  ]);
  expect(await service.database.query('select reported_draft_id from alert_group')).toEqual([
    { reported_draft_id: null },
  ]);
});

test('A browser that is ended gets none, and one that somebody else ends stays', async () => {
  const { browser } = await enable(publisher);
  const disable = (person: SignedInPerson) =>
    askAs(service, person, 'mutation ($url: String!) { disableAlertPush(input: { url: $url }) { publicKey } }', {
      url: browser.fields.endpoint,
    });
  const count = async () => (await service.database.query('select 1 from alert_browser')).length;
  browser.fields.endpoint = browser.fields.endpoint.replace('http:', 'HTTP:');
  await disable(await signIn(service, 'owner', [page.id]));
  expect(await count()).toBe(1);
  await disable(publisher);
  expect(await count()).toBe(0);
});

test('What is no subscription, a 21st browser, and who is not signed in are refused', async () => {
  const key = await askAs(service, publisher, 'mutation { requestAlertPush { publicKey } }', {});
  const { browser, publicKey } = await enable(publisher);
  expect(publicKey).toBe(key.data.requestAlertPush.publicKey);
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  expect((await enable(publisher, browser, { auth: 'x' })).userErrors[0].path).toEqual(['input', 'p256dh']);
  const withNul = { p256dh: `${browser.fields.p256dh}\0` };
  expect((await enable(publisher, browser, withNul)).userErrors[0].path).toEqual(['input', 'p256dh']);
  expect((await enable(publisher, browser, { url: 'ftp://a.example' })).userErrors[0].path).toEqual(['input', 'url']);
  for (let number = 2; number <= 20; number++) await enable(publisher);
  expect((await enable(publisher)).userErrors[0].message).toContain('20 browsers');
  expect((await enable(publisher, browser)).userErrors).toEqual([]);
  const { json } = await service.graphql('mutation { requestAlertPush { publicKey } }', {}, { token: null });
  expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
});
