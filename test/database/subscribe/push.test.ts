import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { encryptColumn } from '../../../src/notifications/page-channels/encrypted-column.js';
import { loadPushKey, pushKeyColumn } from '../../../src/notifications/webhooks/push-key.js';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { startNotifications } from '../../../src/server/start-notifications.js';
import { createComponent, createNotice, createUpdate } from '../../support/factories.js';
import { wakeWorkers } from '../../support/ledger.js';
import { startPushService, verifySignature } from '../../support/push-service.js';
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';

/** A visitor subscribes a browser, whose push service is a real HTTP server. */
const secretsKey = Buffer.alloc(32, 2).toString('base64');
let page: PublicPage;
let service: Awaited<ReturnType<typeof startPushService>>;
let channels: OpenChannels;
let stop: () => Promise<void>;
beforeAll(async () => {
  page = await startPublicPage({ settings: { secretsKey } });
  service = await startPushService();
  channels = openChannels(page.service.settings);
  stop = startNotifications(page.service.database, page.service.settings, channels);
});
afterAll(async () => {
  await stop();
  await channels.close();
  await page.service.stop();
  await service.stop();
});
beforeEach(() => page.forgetRequests());
afterEach(() => page.query('delete from webhook'));

const base = () => `/v1/pages/${page.id}`;
const post = (fields: Record<string, string | string[]>) => page.post('subscribe', { by: 'push', ...fields });
const publish = (values: object = {}) => createNotice(page.service, base(), { should_publish: true, ...values });
const countBrowsers = async () => (await page.query("select 1 from webhook where format = 'push'")).length;
const toPath = (url: string) => new URL(url, 'http://x').pathname.slice(1);
const queryFigures = async () => {
  const today = new Date().toISOString().slice(0, 10);
  const { json } = await page.service.graphql(
    `{ page(id: "${page.id}") { subscriberStatistics(firstDay: "${today}", lastDay: "${today}") {
      channels { channel subscribers added ended } } } }`,
  );
  const { channels } = json.data.page.subscriberStatistics[0];
  const { channel: _, ...figures } = channels.find(({ channel }: { channel: string }) => channel === 'PUSH');
  return figures;
};

const switchPush = (value: boolean) =>
  page.service.graphql(
    `mutation { updatePage(id: "${page.id}", input: { shouldSendNotificationsByPush: ${value} }) { page { id } } }`,
  );

async function subscribe(fields: Record<string, string | string[]> = {}) {
  const browser = service.createBrowser();
  const response = await post({ ...browser.fields, ...fields });
  expect(response.status).toBe(303);
  return { ...browser, choices: toPath(response.headers.location as string) };
}

test('the menu leads to the form, whose script alone asks the browser, and whose worker the page serves', async () => {
  const front = await page.get('');
  expect(front.text).toContain('In this browser');
  expect(front.text).not.toContain('serviceWorker');
  const form = await page.get('subscribe?by=push');
  expect(form.text).toContain('navigator.serviceWorker.register');
  const { publicKey } = await loadPushKey(page.service.database.query, page.service.settings);
  expect(form.text).toContain(`data-key="${publicKey}"`);
  expect(form.headers['content-security-policy']).toContain("worker-src 'self'");
  expect(form.text).toContain('data-worker="/push-worker.js"');
  const below = await page.onHost('localhost', `/status/${page.id}/`).get('subscribe?by=push');
  expect(below.text).toContain(`data-worker="/status/${page.id}/push-worker.js"`);
  const script = await page.get('push-worker.js');
  expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(script.text).toContain('notificationclick');
});

test('a browser gets encrypted, signed messages; updates of a notice have the same tag', async () => {
  const browser = await subscribe();
  const notice = await publish({ subject: 'Payments are slow' });
  await page.waitUntil(() => browser.requests().length === 1);
  await createUpdate(page.service, `${base()}/notices/${notice.id}`, {
    content: 'The cause is a full disk.',
    should_publish: true,
  });
  await page.waitUntil(() => browser.requests().length === 2);
  const [first, second] = browser.messages();
  expect(first).toMatchObject({ title: 'Payments are slow', lang: 'en', dir: 'ltr' });
  expect(second).toMatchObject({ title: 'Payments are slow', tag: first.tag });
  expect(second.body).toMatch(/Meridian Freight.*The cause is a full disk\./);
  expect(new URL(first.url).pathname).toMatch(/notices/);
  const [request] = browser.requests();
  expect(request!.headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' });
  expect(request!.headers.topic).toBe(first.tag);
  expect(request!.bytes.length).toBeLessThan(4_096);
  const { claims, key } = verifySignature(request!);
  expect(claims).toMatchObject({ aud: service.url, sub: expect.stringMatching(/^https:/) });
  expect(key).toBe((await loadPushKey(page.service.database.query, page.service.settings)).publicKey);
});

test('its page changes the choices, and ends it by a click; so does the form, which knows the endpoint', async () => {
  const component = await createComponent(page.service, base(), { name: 'Checkout' });
  await page.waitUntil(async () => (await page.get('subscribe?by=push')).text.includes('Checkout'));
  const browser = await subscribe({ choices: '1', kinds: ['unplanned'], components: [String(component.id)] });
  const shown = await page.get(browser.choices);
  expect(shown.text).toContain('This browser receives updates from Meridian Freight.');
  const other = await createComponent(page.service, base(), { name: 'Search' });
  await publish({ subject: 'Search', component_ids: [other.id] });
  await publish({ subject: 'Checkout', component_ids: [component.id] });
  await page.waitUntil(() => browser.requests().length === 1);
  expect(browser.messages().map(({ title }) => title)).toEqual(['Checkout']);
  await page.post(browser.choices, { choices: '1', kinds: ['planned'] });
  expect(await page.query('select kinds, chose_components from webhook')).toEqual([
    { kinds: ['planned'], chose_components: false },
  ]);
  await post({ ...browser.fields, choices: '1', kinds: ['general'] });
  expect(await page.query('select kinds from webhook')).toEqual([{ kinds: ['general'] }]);
  expect((await page.post(browser.choices, { end: '1' })).text).toContain('You are unsubscribed');
  expect(await countBrowsers()).toBe(0);
  expect((await page.get(browser.choices)).status).toBe(410);

  const again = await subscribe();
  expect((await post({ endpoint: again.fields.endpoint, end: '1' })).text).toContain('You are unsubscribed');
  expect(await countBrowsers()).toBe(0);
});

test.each([404, 410])('an endpoint that is gone (%i) ends its subscription, and not another', async status => {
  const gone = await subscribe();
  const kept = await subscribe();
  service.responses.set(gone.path, { status });
  await publish();
  await page.waitUntil(async () => (await countBrowsers()) === 1);
  await page.waitUntil(() => kept.requests().length === 1);
  await publish();
  await page.waitUntil(() => kept.requests().length === 2);
  expect(gone.requests()).toHaveLength(1);
  expect(await page.query('select 1 from recipient_refusals')).toEqual([]);
});

const findDelivery = async () =>
  (
    await page.query<{ id: string; state: string; reason: string | null }>(
      "select id::text, state, reason from delivery where channel = 'push' order by delivery.id desc limit 1",
    )
  )[0];
/** Longer than the first delay of a retry, until which the worker waits. */
const waitForDelivery = (state: string) => page.waitUntil(async () => (await findDelivery())?.state === state, 10_000);
const isSuspended = async () =>
  (await page.query('select 1 from recipient_refusals where suspended_at is not null')).length > 0;

test.each([403, 503])(
  'a browser whose push service answers %i is tried again for 75 hours, then suspended, and not deleted',
  async status => {
    const browser = await subscribe();
    service.responses.set(browser.path, { status });
    await publish();
    await waitForDelivery('retrying');
    expect(await isSuspended()).toBe(false);
    // The last attempt.
    await page.query('update delivery set tries = 9, due_at = now() - make_interval(secs => 1) where id = $1', [
      (await findDelivery())!.id,
    ]);
    wakeWorkers(page.service.database, page.id);
    await waitForDelivery('dead');
    expect([await countBrowsers(), await isSuspended()]).toEqual([1, true]);
    await publish();
    await waitForDelivery('skipped');
    expect((await findDelivery())!.reason).toBe('suspended');
    expect(browser.requests()).toHaveLength(2);
  },
);

test.each(['subscribing anew', 'saving the choices'])('%s lifts the suspension of a browser', async by => {
  const browser = await subscribe();
  await page.query(
    `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
     select page_id, 'push', id, $1, 1, '503', now() from webhook`,
    [new URL(service.url).host],
  );
  expect((await page.get(browser.choices)).text).toContain('Nothing is sent there until you save');
  if (by === 'subscribing anew') await post(browser.fields);
  else expect((await page.post(browser.choices, { choices: '1', kinds: ['unplanned'] })).status).toBe(200);
  expect((await page.get(browser.choices)).text).toContain('This browser receives updates');
  expect(await isSuspended()).toBe(false);
  await publish();
  await page.waitUntil(() => browser.requests().length === 1);
});

test('a browser that is gone and fails in one batch of outcomes ends, and leaves no suspension', async () => {
  const browser = await subscribe();
  for (const number of [1, 2]) {
    await publish();
    await page.waitUntil(() => browser.requests().length === number);
  }
  const rows = await page.query<{ id: string }>(
    "select id::text from delivery where channel = 'push' order by delivery.id desc limit 2",
  );
  const toOutcome = (id: string, isGone: boolean) => ({
    id,
    lease: randomUUID(),
    outcome: isGone ? ('refused' as const) : ('failed' as const),
    response: '',
    retrySeconds: null,
    thread: null,
    isGone,
  });
  await recordOutcomes(page.service.database, [toOutcome(rows[0]!.id, true), toOutcome(rows[1]!.id, false)]);
  expect([await countBrowsers(), await isSuspended()]).toEqual([0, false]);
});

/** Adds browsers whose hosts are of SQL, of the row `n`. */
const addBrowsers = (count: number, host: string) =>
  page.query(
    `insert into webhook (page_id, format, target, url_hash, confirmed_at, created_at, updated_at)
     select '${page.id}', 'push', jsonb_build_object('url', 'https://' || ${host}), ${host} || ' ' || n, now(), now(), now()
     from generate_series(1, ${count}) n`,
  );
const signUpAt = async (host: string) =>
  (await post({ ...service.createBrowser().fields, endpoint: `https://${host}/x` })).status;

test('a domain has at most 50 browsers of a page, by whatever hosts and ports, but for the push services of browsers', async () => {
  await addBrowsers(25, `n || '.push.example.com'`);
  await addBrowsers(25, `'example.com:' || 8000 + n`);
  await addBrowsers(50, `'fcm.googleapis.com'`);
  expect(await signUpAt('other.example.com:9000')).toBe(429);
  page.forgetRequests();
  expect([await signUpAt('example.org'), await signUpAt('notexample.com')]).toEqual([303, 303]);
  page.forgetRequests();
  expect([await signUpAt('fcm.googleapis.com'), await signUpAt('wns2-par02p.notify.windows.com')]).toEqual([303, 303]);
});

test('the IPv6 addresses of one customer have as many together', async () => {
  await addBrowsers(50, `'[2001:470:1:' || to_hex(n) || '::9]:444'`);
  expect(await signUpAt('[2001:470:1:abcd::1]')).toBe(429);
  page.forgetRequests();
  expect(await signUpAt('[2001:470:2::1]')).toBe(303);
});

test('on a full page, browsers that accepted no message give their places away: those that refused, then the oldest', async () => {
  const browser = await subscribe();
  await publish();
  await page.waitUntil(async () => (await findDelivery())?.state === 'sent');
  await addBrowsers(4_999, `'fcm.googleapis.com'`);
  const [{ oldest, refusing }] = (await page.query<{ oldest: number; refusing: number }>(
    `select min(id) as oldest, max(id) as refusing from webhook where url_hash like 'fcm%'`,
  )) as [{ oldest: number; refusing: number }];
  await page.query(
    `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response)
     values ($1, 'push', $2, 'fcm.googleapis.com', 1, '404')`,
    [page.id, refusing],
  );
  const listLeft = async () =>
    (
      await page.query<{ id: number }>('select id from webhook where id = any($1) order by 1', [[oldest, refusing]])
    ).map(({ id }) => id);
  await subscribe();
  expect([await countBrowsers(), await listLeft()]).toEqual([5_000, [oldest]]);
  // The newest is no push service of browsers.
  await subscribe();
  expect([await countBrowsers(), await listLeft()]).toEqual([5_000, [oldest]]);
  await post({ ...service.createBrowser().fields, endpoint: 'https://fcm.googleapis.com/x' });
  await post({ ...service.createBrowser().fields, endpoint: 'https://fcm.googleapis.com/y' });
  expect([await countBrowsers(), await listLeft()]).toEqual([5_000, []]);
  expect((await page.get(browser.choices)).status).toBe(200);
  // A page that sends nothing for a day keeps those that refused nothing, and takes no other.
  await page.query(`update webhook set created_at = now() - interval '2 days' where page_id = $1`, [page.id]);
  page.forgetRequests();
  expect([await signUpAt('fcm.googleapis.com/late'), await countBrowsers()]).toEqual([429, 5_000]);
  await page.query(
    `update webhook set created_at = now() where id = (select max(id) from webhook where page_id = $1)`,
    [page.id],
  );
  expect([await signUpAt('fcm.googleapis.com/later'), await countBrowsers()]).toEqual([303, 5_000]);
});

test('a busy push service is asked again when it says so', async () => {
  const browser = await subscribe();
  service.responses.set(browser.path, { status: 429, headers: { 'retry-after': '3600' } });
  await publish();
  await page.waitUntil(() => browser.requests().length === 1);
  const find = () =>
    page.query<{ state: string; minutes: number }>(
      `select state, (extract(epoch from due_at - clock_timestamp()) / 60)::int as minutes
       from delivery where channel = 'push' order by id desc limit 1`,
    );
  await page.waitUntil(async () => (await find())[0]!.state === 'retrying');
  expect((await find())[0]!.minutes).toBeGreaterThan(55);
  expect(await countBrowsers()).toBe(1);
});

test('endpoints of other kinds and keys that are none are refused', async () => {
  const { fields } = service.createBrowser();
  const point = Buffer.from(fields.p256dh, 'base64url').fill(1, 40).toString('base64url');
  const statuses = [];
  for (const wrong of [{ endpoint: 'ftp://x/' }, { endpoint: '' }, { p256dh: point }, { auth: 'short' }])
    statuses.push((await post({ ...fields, ...wrong })).status);
  page.service.settings.allowPrivateTargets = false;
  statuses.push((await post(fields)).status);
  const hosts = ['127.1', '[::1]', '[::ffff:10.0.0.1]', '0x7f.1', '169.254.169.254', 'localhost.', 'a.LOCALHOST'];
  for (const host of hosts) statuses.push((await post({ ...fields, endpoint: `https://${host}/x` })).status);
  page.service.settings.allowPrivateTargets = true;
  expect(statuses).toEqual(Array(12).fill(422));
  expect(await countBrowsers()).toBe(0);
});

test('a private address is refused when a message is sent, and not asked', async () => {
  const browser = await subscribe();
  page.service.settings.allowPrivateTargets = false;
  await publish();
  await page.waitUntil(async () => {
    const rows = await page.query<{ state: string }>("select state from delivery where channel = 'push' order by id");
    return rows.at(-1)!.state === 'dead';
  });
  page.service.settings.allowPrivateTargets = true;
  expect(browser.requests()).toEqual([]);
});

test('the keys are encrypted in the database, and no API shows a browser as a webhook', async () => {
  const browser = await subscribe();
  const key = await loadPushKey(page.service.database.query, page.service.settings);
  const rows = JSON.stringify([
    await page.query('select * from webhook'),
    await page.query("select * from signing_key where name = 'web push'"),
  ]);
  for (const secret of [browser.path, browser.fields.auth, browser.fields.p256dh, key.privateKey])
    expect(rows).not.toContain(secret);
  const { json } = await page.service.graphql(`{ webhooks(pageId: "${page.id}") { nodes { id } } }`);
  expect(json.data.webhooks.nodes).toEqual([]);
});

test('another SECRETS_KEY encrypts the key of the installation anew', async () => {
  const { query } = page.service.database;
  const before = await loadPushKey(query, { secretsKey });
  const newer = `${Buffer.alloc(32, 3).toString('base64')},${secretsKey}`;
  const read = async () =>
    (await page.query<{ secret: string }>("select secret from signing_key where name = 'web push'"))[0];
  const stored = await read();
  await encryptColumn({ query }, { secretsKey: newer }, pushKeyColumn);
  expect(await read()).not.toEqual(stored);
  expect(await loadPushKey(query, { secretsKey: newer.split(',')[0]! })).toEqual(before);
  await encryptColumn({ query }, { secretsKey: `${secretsKey},${newer}` }, pushKeyColumn);
});

test('the figures, the audience and the deliveries have it', async () => {
  const before = await queryFigures();
  const browser = await subscribe();
  expect((await queryFigures()).subscribers).toBe(before.subscribers + 1);
  await publish();
  await page.waitUntil(() => browser.requests().length === 1);
  const { json } = await page.service.graphql(
    `{ publications(pageId: "${page.id}", first: 1) { nodes {
      audience { channel count } deliveries { nodes { channel address subscriber { id } } } } } }`,
  );
  const [publication] = json.data.publications.nodes;
  expect(publication.audience).toContainEqual({ channel: 'PUSH', count: 1 });
  expect(publication.deliveries.nodes).toEqual([
    { channel: 'PUSH', address: new URL(service.url).host, subscriber: null },
  ]);
  await post({ endpoint: browser.fields.endpoint, end: '1' });
  const after = await queryFigures();
  expect(after).toMatchObject({ subscribers: before.subscribers, ended: before.ended + 1 });
});

test('a page that has switched push messages off offers none, and sends none', async () => {
  const browser = await subscribe();
  await switchPush(false);
  await page.waitUntil(async () => !(await page.get('')).text.includes('In this browser'));
  expect((await page.get('subscribe?by=push')).text).not.toContain('serviceWorker');
  expect((await page.get('push-worker.js')).status).toBe(404);
  await publish({ subject: 'Unheard' });
  const [channel] = await page.query<{ disabled_channels: string[] }>('select disabled_channels from page');
  expect(channel!.disabled_channels).toEqual(['push']);
  await page.waitUntil(async () => !(await page.query('select 1 from publication where fanned_out_at is null')).length);
  expect(browser.requests()).toEqual([]);
  await switchPush(true);
  await page.waitUntil(async () => (await page.get('')).text.includes('In this browser'));
});

test('a network may subscribe 30 browsers in an hour', async () => {
  const statuses = [];
  for (let count = 0; count < 31; count += 1) statuses.push((await post(service.createBrowser().fields)).status);
  expect(statuses.filter(status => status === 303)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});
