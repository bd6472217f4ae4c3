import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { createWebhookSuspensionMails } from '../../../src/notifications/delivery/suspension-report.js';
import { type SendMail, sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { startNotifications } from '../../../src/server/start-notifications.js';
import { createComponent, createNotice } from '../../support/factories.js';
import { startReceiver } from '../../support/http-receiver.js';
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';

/** A visitor subscribes a program, or a channel of a chat, by its URL. */
let page: PublicPage;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let channels: OpenChannels;
let stop: () => Promise<void>;
beforeAll(async () => {
  page = await startPublicPage({ settings: { secretsKey: Buffer.alloc(32, 2).toString('base64') } });
  receiver = await startReceiver();
  channels = openChannels(page.service.settings);
  stop = startNotifications(page.service.database, page.service.settings, channels);
});
afterAll(async () => {
  await stop();
  await channels.close();
  await page.service.stop();
  await receiver.stop();
});
beforeEach(async () => {
  await page.forgetRequests();
  for (const list of [page.mails, page.links, receiver.requests]) list.length = 0;
});

let count = 0;
const nextUrl = () => `${receiver.url}/hooks/secret-${++count}`;
const path = (url: string) => new URL(url).pathname.slice(1);
const linkIn = (text: string) => path(/http\S+\/webhook\/\S+/.exec(text)![0]);

async function subscribeProgram(url = nextUrl(), fields: Record<string, string | string[]> = {}) {
  const before = page.mails.length;
  const response = await page.post('subscribe', { by: 'webhook', url, email: 'dev@acme.example', ...fields });
  expect(response.status).toBe(200);
  await page.waitUntil(() => page.mails.length > before);
  return { url, confirm: linkIn(page.mails.at(-1)!.text) };
}
async function subscribeAndConfirm(fields: Record<string, string | string[]> = {}) {
  const { url, confirm } = await subscribeProgram(nextUrl(), fields);
  const confirmed = await page.post(confirm);
  return {
    url,
    confirm,
    secret: /whsec_[^<]+/.exec(confirmed.text)![0],
    choices: linkIn(confirmed.text.replaceAll('"', ' ')),
  };
}
const publish = (values: object = {}) =>
  createNotice(page.service, `/v1/pages/${page.id}`, { should_publish: true, ...values });
const waitForRequests = (number: number) => page.waitUntil(() => receiver.requests.length >= number);
const received = () => receiver.requests.map(each => each.path);

test('the form asks for a URL and for who is told; the menu leads to it', async () => {
  expect((await page.get('')).text).toContain('Slack, Teams, Discord, Webhook');
  const form = await page.get('subscribe?by=webhook');
  expect(form.text).toMatch(/name="url"[\s\S]*name="email"/);
  const refused = await page.post('subscribe', { by: 'webhook', url: 'example', email: 'nobody' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('Enter an address that begins with https://');
  expect(refused.text).toContain('Enter an e-mail address');
});

test('a program is called once its person has confirmed by mail, with the secret that was shown once', async () => {
  const { confirm } = await subscribeProgram();
  await publish({ subject: 'Before' });
  const question = await page.get(confirm);
  expect(question.text).toContain(new URL(receiver.url).host);
  expect(question.text).not.toMatch(/whsec_|secret-/);
  const confirmed = await page.post(confirm);
  const secret = /whsec_[^<]+/.exec(confirmed.text)![0];
  expect((await page.post(confirm)).status).toBe(410);
  await publish({ subject: 'After' });
  await waitForRequests(1);
  const [request] = receiver.requests;
  const body = new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>);
  expect(body).toMatchObject({ data: { notice: { subject: 'After' } } });
  const [stored] = await page.query<object>('select * from webhook order by id desc limit 1');
  expect(JSON.stringify(stored)).not.toMatch(/whsec_|secret-/);
  await page.query('delete from webhook');
});

test('its link changes the choices and ends it; the same URL again gets that link, not another webhook', async () => {
  const component = await createComponent(page.service, `/v1/pages/${page.id}`, { name: 'Checkout' });
  await page.waitUntil(async () => (await page.get('subscribe?by=webhook')).text.includes('Checkout'));
  const chosen = { choices: '1', kinds: ['unplanned'], components: [String(component.id)] };
  const { url, choices } = await subscribeAndConfirm(chosen);
  const other = await createComponent(page.service, `/v1/pages/${page.id}`, { name: 'Search' });
  await publish({ subject: 'Search', component_ids: [other.id] });
  await publish({ subject: 'Checkout', component_ids: [component.id] });
  await waitForRequests(1);
  expect(receiver.requests.map(({ body }) => JSON.parse(body).data.notice.subject)).toEqual(['Checkout']);
  const saved = await page.post(choices, { choices: '1', kinds: ['planned'] });
  expect(saved.text).toContain('Your choices are saved');
  const [row] = await page.query<object>('select kinds, chose_components from webhook');
  expect(row).toEqual({ kinds: ['planned'], chose_components: false });

  await page.forgetRequests();
  for (const thief of ['thief', 'another', 'third'])
    await page.post('subscribe', { by: 'webhook', url, email: `${thief}@evil.example` });
  // Sent after the others, if there were any: its contact gets one mail in a minute, for any number of requests.
  await page.post('subscribe', { by: 'webhook', url: nextUrl(), email: 'last@acme.example' });
  await page.waitUntil(() => page.mails.some(({ to }) => to === 'last@acme.example'));
  expect(page.mails.slice(1).map(({ to }) => to)).toEqual(['dev@acme.example', 'last@acme.example']);
  expect(page.mails[1]!.text).not.toContain('webhook/confirm');
  await page.post(choices, { end: '1' });
  expect(await page.query('select 1 from webhook where confirmed_at is not null')).toEqual([]);
  await page.query('delete from webhook');
  expect((await page.get(choices)).status).toBe(410);
});

test('who subscribed it is told when it fails, and by saving has it called again', async () => {
  const { choices } = await subscribeAndConfirm();
  await page.query(
    `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
     select page_id, 'webhook', id, $1, 1, '410', now() from webhook`,
    [new URL(receiver.url).host],
  );
  const mails: Parameters<SendMail>[0][] = [];
  const send: SendMail = async mail => void mails.push(mail);
  const createLink = async () => 'https://status.example/webhook/x';
  const { database } = page.service;
  await sendOperatorMails(database, createWebhookSuspensionMails(database, createLink), send);
  expect(mails.map(({ to, text }) => [to, text.includes('https://status.example/webhook/x')])).toEqual([
    ['dev@acme.example', true],
  ]);
  await page.post(choices, { choices: '1', kinds: ['unplanned'] });
  expect(await page.query('select 1 from recipient_refusals')).toEqual([]);
  await page.query('delete from webhook');
});

describe.each([
  ['slack', 'https://docs.slack.dev/'],
  ['teams', 'https://support.microsoft.com/'],
  ['discord', 'https://support.discord.com/'],
])('a channel of %s', (by, help) => {
  test('has a link beside its field that says how a URL is made', async () => {
    const form = await page.get(`subscribe?by=${by}`);
    expect(form.text).toMatch(new RegExp(`id="url-hint"><a href="${help}[^"]+" [^>]*>How to create a webhook URL in `));
    expect((await page.get('subscribe?by=webhook')).text).not.toContain('url-hint');
  });

  test('is confirmed by a link that is posted into it, and gets messages in its format', async () => {
    const url = nextUrl();
    const response = await page.post('subscribe', { by, url });
    expect([response.status, page.mails]).toEqual([200, []]);
    await page.waitUntil(() => page.links.length === 1);
    expect(page.links[0]).toMatchObject({ to: url, format: by });
    const confirmed = await page.post(path(page.links[0]!.link));
    expect(confirmed.status).toBe(200);
    expect(confirmed.text).not.toContain('whsec_');
    await publish({ subject: 'Down' });
    await waitForRequests(1);
    expect(received()).toEqual([new URL(url).pathname]);
    expect(Object.keys(JSON.parse(receiver.requests[0]!.body))).toContain(
      { slack: 'unfurl_links', teams: 'attachments', discord: 'embeds' }[by],
    );
    await page.query('delete from webhook');
  });
});

test('a channel that is subscribed as a program too is another webhook: the mail does not confirm it', async () => {
  const url = nextUrl();
  await page.post('subscribe', { by: 'slack', url });
  await page.waitUntil(() => page.links.length === 1);
  await page.forgetRequests();
  const { confirm } = await subscribeProgram(url);
  expect((await page.post(confirm)).status).toBe(200);
  const [row] = await page.query<object>('select format, contact from webhook where confirmed_at is not null');
  expect(row).toEqual({ format: 'standard', contact: 'dev@acme.example' });
  expect((await page.post(path(page.links[0]!.link))).status).toBe(200);
  await page.forgetRequests();
  await page.post('subscribe', { by: 'slack', url });
  await page.waitUntil(() => page.links.length === 2);
  expect(page.mails.map(({ to }) => to)).toEqual(['dev@acme.example']);
  await page.query('delete from webhook');
});

test('a link confirms the person to whom it was sent, and nobody who subscribed the same URL later', async () => {
  const { url, confirm: first } = await subscribeProgram();
  await page.forgetRequests();
  const { confirm: second } = await subscribeProgram(url, { email: 'other@acme.example' });
  expect((await page.post(first)).status).toBe(410);
  expect((await page.post(second)).status).toBe(200);
  expect(await page.query('select contact from webhook')).toEqual([{ contact: 'other@acme.example' }]);
  await page.query('delete from webhook');
});

test('a host has at most 50 programs of a page; unconfirmed ones take no place', async () => {
  await subscribeAndConfirm();
  await page.forgetRequests();
  const waiting = await subscribeProgram();
  const copy = (number: number, values: string) =>
    page.query(
      `insert into webhook (page_id, format, target, url_hash, confirmed_at, created_at, updated_at)
     select page_id, format, ${values}, now(), now() from webhook, generate_series(1, ${number}) n
     where confirmed_at is not null limit ${number}`,
    );
  await copy(1_000, `'{"url": "https://other.example"}', 'unconfirmed ' || row_number() over (), null`);
  await page.forgetRequests();
  await page.post(await subscribeProgram().then(({ confirm }) => confirm));
  expect(await page.query('select 1 from webhook where confirmed_at is not null')).toHaveLength(2);
  await page.query(`delete from webhook where url_hash like 'unconfirmed %'`);
  await copy(48, `target, 'confirmed ' || row_number() over (), now()`);
  await page.forgetRequests();
  const before = await page.query('select 1 from webhook');
  await page.post('subscribe', { by: 'webhook', url: `${nextUrl()}?1`, email: 'dev@acme.example' });
  expect(await page.query('select 1 from webhook')).toEqual(before);
  expect((await page.post(waiting.confirm)).status).toBe(410);
  await page.query('delete from webhook');
});

test('names and ports below one domain count together', async () => {
  await subscribeAndConfirm();
  await page.query(
    `insert into webhook (page_id, format, target, url_hash, confirmed_at, created_at, updated_at)
     select page_id, format, jsonb_build_object('url', 'https://' || n || '.example.com:' || 8000 + n), n::text, now(),
       now(), now()
     from webhook, generate_series(1, 50) n`,
  );
  const signUp = async (host: string) => {
    await page.forgetRequests();
    await page.post('subscribe', { by: 'webhook', url: `https://${host}/x`, email: 'dev@acme.example' });
    return (await page.query('select 1 from webhook')).length;
  };
  expect([await signUp('other.example.com:9000'), await signUp('notexample.com')]).toEqual([51, 52]);
  await page.query('delete from webhook');
});

test('one address has one webhook, whatever its fragment and the dot after its host', async () => {
  page.service.settings.allowPrivateTargets = false;
  const post = async (by: string, url: string) =>
    (await page.post('subscribe', { by, url, email: 'dev@acme.example' })).status;
  expect([
    await post('slack', 'https://hooks.slack.com/services/y#1'),
    await post('slack', 'https://hooks.slack.com./services/y?2#2'),
    await post('webhook', 'https://hooks.slack.com./services/y'),
    await post('webhook', 'https://example.com./y#1'),
    await post('webhook', 'https://example.com/y'),
  ]).toEqual([200, 200, 422, 200, 200]);
  page.service.settings.allowPrivateTargets = true;
  expect(await page.query('select format, count(*)::integer as count from webhook group by 1 order by 1')).toEqual([
    { format: 'slack', count: 1 },
    { format: 'standard', count: 1 },
  ]);
  await page.query('delete from webhook');
});

test('a message with a link is posted to the hosts of a chat alone, and to a chat by its real channel', async () => {
  page.service.settings.allowPrivateTargets = false;
  const post = async (by: string, url: string) => (await page.post('subscribe', { by, url })).status;
  expect([
    await post('slack', 'https://hooks.slack.com.evil.example/x'),
    await post('teams', 'https://evil.example/webhook.office.com'),
    await post('discord', 'https://hooks.slack.com/services/x'),
    await post('slack', 'https://hooks.slack.com/services/x'),
    await post('webhook', 'http://example.com/x'),
  ]).toEqual([422, 422, 422, 200, 422]);
  page.service.settings.allowPrivateTargets = true;
  await page.query('delete from webhook');
  await channels.confirmationSender.postLink({
    to: `${receiver.url}/chat`,
    format: 'slack',
    text: 'Confirm <b>',
    link: 'https://status.example/x',
  });
  expect(JSON.parse(receiver.requests[0]!.body)).toEqual({
    text: 'Confirm &lt;b&gt;\n<https://status.example/x>',
  });
});

test('the visitors’ webhooks of a page that has become private get nothing, and subscribers mails', async () => {
  const setVisibility = async (visibility: string) => {
    const { json } = await page.service.graphql(
      `mutation { setPageVisibility(pageId: "${page.id}", input: { visibility: ${visibility} }) { page { id } } }`,
    );
    expect(json.errors).toBeUndefined();
  };
  await subscribeAndConfirm();
  const { json } = await page.service.graphql(
    'mutation ($page: ID!, $url: String!) { createWebhook(pageId: $page, input: { url: $url }) { webhook { id } } }',
    { page: page.id, url: `${receiver.url}/hooks/of-the-operator` },
  );
  expect(json.errors).toBeUndefined();
  await page.service.post(`/v1/pages/${page.id}/subscribers`, { email: 'ada@acme.example' });
  await setVisibility('MEMBERS');
  await publish({ subject: 'Secret' });
  await waitForRequests(1);
  const sent = await page.query<{ channel: string }>(
    `select d.channel from delivery d join notice n on n.id = d.notice_id
     where n.subject = 'Secret' and d.state <> 'skipped' order by 1`,
  );
  expect(sent.map(({ channel }) => channel)).toEqual(['email', 'webhook']);
  expect(received()).toEqual(['/hooks/of-the-operator']);
  await setVisibility('PUBLIC');
  await page.waitUntil(async () => (await page.get('subscribe')).status === 200);
  await page.query('delete from webhook');
});

test('a page that has switched webhooks off offers none', async () => {
  await page.service.graphql(
    `mutation { updatePage(id: "${page.id}", input: { shouldSendNotificationsByWebhook: false }) { page { id } } }`,
  );
  await page.waitUntil(async () => !(await page.get('')).text.includes('Slack, Teams'));
  expect((await page.get('subscribe?by=webhook')).text).not.toContain('name="url"');
});
