import { beforeEach, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useReceivers } from '../../support/receivers.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { createToken } from '../../support/tokens.js';
import { codesByField } from '../../support/user-errors.js';

const service = useOwnService({ ...withChannels, secretsKey: Buffer.alloc(32, 1).toString('base64') });
const startReceiver = useReceivers();
let page: { id: string; path: string };
beforeEach(async () => {
  page = await createPage(service);
});

const url = 'https://hooks.example.com/services/secret-path';
const fields = 'id host format componentIds rotatedAt suspendedAt suspensionReason testOutcome testResponse publicKey';

async function ask(document: string, variables: Record<string, unknown> = {}) {
  const { json } = await service.graphql(document, variables);
  return json.errors ? json.errors[0] : Object.values(json.data)[0];
}
const create = (input: object = {}) =>
  ask(
    `mutation($page: ID!, $input: CreateWebhookInput!) {
       createWebhook(pageId: $page, input: $input) { webhook { ${fields} version } secret } }`,
    { page: page.id, input: { url, ...input } },
  );
const mutate = (name: string, id: string, selection = `webhook { ${fields} version }`) =>
  ask(`mutation { ${name}(id: "${id}") { ${selection} } }`);
const update = (id: string, input: object) =>
  ask(
    `mutation($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { webhook { ${fields} } } }`,
    { id, input },
  );
const readStored = async (id: string) =>
  (await service.database.query<{ target: object }>('select target from webhook where id = $1', [Number(id)]))[0];
const suspend = (id: string) =>
  service.database.query(
    `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
     values ($1, 'webhook', $2, 'hooks.example.com', 1, '410 Gone', now())`,
    [page.id, Number(id)],
  );

test('createWebhook shows the secret once, and stores it encrypted like the URL', async () => {
  const { id: component } = await createComponent(service, page.path);
  const { webhook, secret } = await create({ format: 'STATUSPAGE', componentIds: [component] });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({
    id: expect.any(String),
    host: 'hooks.example.com',
    format: 'STATUSPAGE',
    componentIds: [String(component)],
    rotatedAt: null,
    suspendedAt: null,
    suspensionReason: null,
    testOutcome: null,
    testResponse: null,
    publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
    version: 1,
  });
  expect(await readStored(webhook.id)).toEqual({
    target: { url: 'https://hooks.example.com', sealed: expect.any(String) },
  });
  const listed = await ask(`{ webhooks(pageId: "${page.id}") { nodes { ${fields} version } } }`);
  expect(listed.nodes).toEqual([webhook]);
  const key = await service.get(`/status/${page.id}/webhook-key`, { token: null });
  expect([key.status, key.text]).toEqual([200, `${webhook.publicKey}\n`]);
  const log = await ask(
    `{ auditLog(filter: { pageId: { eq: "${page.id}" } }, first: 1) { nodes { operation subjectId changes { field after } } } }`,
  );
  expect(log.nodes[0]).toMatchObject({ operation: 'createWebhook', subjectId: webhook.id });
  expect(log.nodes[0].changes).toContainEqual({ field: 'target', after: '[redacted]' });
  expect(JSON.stringify(log)).not.toMatch(/secret-path|whsec_/);
});

test('a page without a webhook has no key', async () => {
  expect((await service.get(`/status/${page.id}/webhook-key`, { token: null })).status).toBe(404);
});

describe('an input is refused', () => {
  test.each([
    ['a URL that is not https', { url: 'ftp://example.com' }, { url: ['INVALID'] }],
    ['a URL with a password', { url: 'https://a:b@example.com' }, { url: ['INVALID'] }],
    ['a blank URL', { url: ' ' }, { url: ['BLANK'] }],
    ['a component of another page', { componentIds: ['2147483647'] }, { 0: ['NOT_FOUND'] }],
  ])('with %s', async (_, input, codes) => {
    expect(codesByField({ errors: [await create(input)] })).toEqual(codes);
  });

  test('beyond 100 webhooks of a page', async () => {
    await create();
    await service.database.query(
      `insert into webhook (created_at, updated_at, page_id, format, target)
       select now(), now(), $1, 'standard', '{}' from generate_series(1, 99)`,
      [page.id],
    );
    expect(await create()).toMatchObject({ extensions: { code: 'CONFLICT' } });
    await service.database.query('delete from webhook where page_id = $1', [page.id]);
  });
});

test('updateWebhook changes what the input names, and another URL lifts a suspension', async () => {
  const { id: component } = await createComponent(service, page.path);
  const { id } = (await create()).webhook;
  await suspend(id);
  expect((await update(id, { format: 'STATUSPAGE', componentIds: [component] })).webhook).toMatchObject({
    format: 'STATUSPAGE',
    componentIds: [String(component)],
    suspensionReason: '410 Gone',
  });
  expect((await update(id, { url: 'https://new.example.com/x', componentIds: null })).webhook).toMatchObject({
    host: 'new.example.com',
    format: 'STATUSPAGE',
    componentIds: [],
    suspendedAt: null,
  });
});

test('rotateWebhookSecret returns another secret', async () => {
  const { webhook, secret } = await create();
  const rotated = await mutate('rotateWebhookSecret', webhook.id, `webhook { rotatedAt } secret`);
  expect(rotated).toEqual({ webhook: { rotatedAt: expect.any(String) }, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.secret).not.toBe(secret);
});

test('testWebhook returns the response, and one that succeeds lifts a suspension', async () => {
  let status = 503;
  const receiver = await startReceiver(() => ({ status, body: 'Not now' }));
  const { id } = (await create({ url: `${receiver.url}/hook` })).webhook;
  await service.database.query(
    `insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
     values ($1, 'webhook', $2, $3, 1, '410 Gone', now())`,
    [page.id, Number(id), new URL(receiver.url).host],
  );
  expect(await mutate('testWebhook', id, 'outcome response webhook { suspensionReason testOutcome }')).toEqual({
    outcome: 'FAILED',
    response: '503 Not now',
    webhook: { suspensionReason: '410 Gone', testOutcome: 'FAILED' },
  });
  status = 204;
  const succeeded = await mutate('testWebhook', id, 'outcome webhook { suspendedAt testResponse }');
  expect(succeeded).toMatchObject({ outcome: 'SENT', webhook: { suspendedAt: null } });
  expect(JSON.parse(receiver.requests[1]!.body)).toMatchObject({ type: 'webhook.test' });
});

test('suspended webhooks do not suspend the channel', async () => {
  for (const { webhook } of [await create(), await create()]) await suspend(webhook.id);
  const { channels } = await ask(`{ page(id: "${page.id}") { channels { channel suspendedAt } } }`);
  expect(channels.filter(({ channel }: { channel: string }) => channel === 'WEBHOOK')).toEqual([
    { channel: 'WEBHOOK', suspendedAt: null },
  ]);
});

test.each(['rotateWebhookSecret', 'resumeWebhook', 'deleteWebhook'])('%s is refused at another version', async verb => {
  const { id } = (await create()).webhook;
  await suspend(id);
  const field = verb === 'deleteWebhook' ? 'deletedId' : 'webhook { id }';
  const write = (version: number) =>
    service.graphql(`mutation { ${verb}(id: "${id}", ifVersion: ${version}) { ${field} } }`);
  expect((await write(9)).json.errors[0].extensions).toMatchObject({ code: 'PRECONDITION_FAILED', currentVersion: 1 });
  expect((await write(1)).json.errors).toBeUndefined();
});

test('resumeWebhook lifts a suspension, once', async () => {
  const { id } = (await create()).webhook;
  await suspend(id);
  expect((await mutate('resumeWebhook', id)).webhook.suspendedAt).toBeNull();
  expect(await mutate('resumeWebhook', id)).toMatchObject({ extensions: { code: 'CONFLICT' } });
});

test('owners see the suspension of a chat that a visitor subscribed, and lift it', async () => {
  const { id } = (await create({ format: 'SLACK' })).webhook;
  await service.database.query(`update webhook set url_hash = 'chat' where id = $1`, [Number(id)]);
  await suspend(id);
  const { nodes } = await ask(
    `{ webhooks(pageId: "${page.id}", filter: { isSubscription: { eq: true }, suspendedAt: { present: true } }) {
         nodes { id suspensionReason } } }`,
  );
  expect(nodes).toEqual([{ id, suspensionReason: '410 Gone' }]);
  expect((await mutate('resumeWebhook', id)).webhook.suspendedAt).toBeNull();
});

test('a webhook that a visitor subscribed is not changed by owners', async () => {
  const { id } = (await create()).webhook;
  await service.database.query(`update webhook set url_hash = 'x' where id = $1`, [Number(id)]);
  const conflict = { extensions: { code: 'CONFLICT' } };
  expect(await update(id, { format: 'STATUSPAGE' })).toMatchObject(conflict);
  expect(await mutate('rotateWebhookSecret', id)).toMatchObject(conflict);
});

test('deleteWebhook deletes it', async () => {
  const { id } = (await create()).webhook;
  expect(await mutate('deleteWebhook', id, 'deletedId page { id }')).toEqual({ deletedId: id, page: { id: page.id } });
  expect(await ask(`{ page(id: "${page.id}") { webhooks { totalCount } } }`)).toEqual({ webhooks: { totalCount: 0 } });
});

test('webhookUrls returns to owners what they created, but for chats', async () => {
  const two = 'https://hooks.example.com/two';
  const webhooks = [
    await create(),
    await create({ url: two, format: 'STATUSPAGE', contact: 'ops@example.com' }),
    await create({ url: 'https://hooks.slack.com/services/T/B/x', format: 'SLACK' }),
  ];
  const ids = webhooks.map(({ webhook }) => webhook.id);
  const askFor = (given: readonly string[]) =>
    `{ webhookUrls(pageId: "${page.id}", ids: ${JSON.stringify(given)}) { url } }`;
  const document = askFor([...ids, '99999999', 'x']);
  expect(await ask(document)).toEqual([{ url }, { url: two }]);
  expect(await ask(askFor([ids[1]]))).toEqual([{ url: two }]);
  const many = await service.graphql(askFor(Array.from({ length: 101 }, () => '1')));
  expect(many.json.errors[0].extensions.code).toBe('INVALID');
  const tokenOf = (role: 'owner' | 'publisher', id: string) =>
    createToken(service.database, `${role} ${id}`, { role, pageIds: [id] });
  const codeFor = async (token: string) => {
    const { json, text } = await service.graphql(document, {}, { token });
    expect(text).not.toContain('hooks.example.com');
    return json.errors[0].extensions.code;
  };
  expect(await codeFor(await tokenOf('publisher', page.id))).toBe('FORBIDDEN');
  expect(await codeFor(await tokenOf('owner', (await createPage(service)).id))).toBe('NOT_FOUND');
});

test('the contact of a webhook is an e-mail address', async () => {
  const { webhook } = await create({ contact: 'OPS@example.com' });
  const read = `{ webhook(id: "${webhook.id}") { contact } }`;
  expect(await ask(read)).toEqual({ contact: 'OPS@example.com' });
  const wrong = await ask(
    `mutation { updateWebhook(id: "${webhook.id}", input: { contact: "ops" }) { userErrors { path } } }`,
  );
  expect(wrong.userErrors).toEqual([{ path: ['input', 'contact'] }]);
  await ask(`mutation { updateWebhook(id: "${webhook.id}", input: { contact: null }) { webhook { id } } }`);
  expect(await ask(read)).toEqual({ contact: null });
});
