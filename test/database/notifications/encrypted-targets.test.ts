import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { sourceSecretColumn } from '../../../src/alerts/source-secret.js';
import type { Database } from '../../../src/db/database.js';
import { channelTargetColumn, loadTarget } from '../../../src/notifications/page-channels/channel-target.js';
import { encryptColumn } from '../../../src/notifications/page-channels/encrypted-column.js';
import {
  loadWebhookTarget,
  webhookKeyColumn,
  webhookTargetColumn,
} from '../../../src/notifications/webhooks/webhook-target.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const createKey = () => randomBytes(32).toString('base64');
const oldKey = createKey();
const newKey = createKey();
const service = useOwnService({ ...withChannels, secretsKey: oldKey });
const webhook = 'https://hooks.example.com/services/T0/B0/secret';

const encryptWebhooks = async (settings: { secretsKey: string }) => {
  for (const column of [webhookTargetColumn, webhookKeyColumn]) await encryptColumn(service.database, settings, column);
};

const configure = async (pageId: string, input: object) => {
  const { json } = await service.graphql(
    `mutation ($page: ID!, $input: ConfigureChannelInput!) {
       configureChannel(pageId: $page, input: $input) { page { channels { channel host isConfigured } } } }`,
    { page: pageId, input },
  );
  expect(json.errors).toBeUndefined();
  return json.data.configureChannel.page.channels;
};
const readStored = async (pageId: string): Promise<Record<string, string>> => {
  const [row] = await service.database.query<{ target: Record<string, string> }>(
    'select target from channel_target where page_id = $1',
    [pageId],
  );
  return row!.target;
};
const load = (secretsKey: string, pageId: string, channel: 'chatA' | 'social' = 'chatA') =>
  loadTarget(service.database.query, { secretsKey }, pageId, channel);

test('The database has the host of a webhook, and the rest by AES-256-GCM, which another page cannot use', async () => {
  const [{ id: page }, { id: other }] = [await createPage(service), await createPage(service)];
  expect(await configure(page, { channel: 'SLACK', url: webhook })).toContainEqual({
    channel: 'SLACK',
    host: 'hooks.example.com',
    isConfigured: true,
  });
  const stored = await readStored(page);
  expect(stored).toEqual({ url: 'https://hooks.example.com', sealed: expect.stringMatching(/^[0-9a-f]{8}:[\w-]+$/) });
  expect(await load(oldKey, page)).toEqual({ url: webhook });
  await service.database.query('insert into channel_target (page_id, channel, target) values ($1, $2, $3)', [
    other,
    'chatA',
    JSON.stringify(stored),
  ]);
  await expect(load(oldKey, other)).rejects.toThrow('unable to authenticate data');
  await service.database.query('delete from channel_target where page_id = $1', [other]);
});

test('A token that is left out is kept', async () => {
  const { id: page } = await createPage(service);
  await configure(page, { channel: 'MASTODON', url: 'https://mastodon.example', token: 'abc' });
  await configure(page, { channel: 'MASTODON', url: 'https://mastodon.example' });
  expect(await load(oldKey, page, 'social')).toEqual({ url: 'https://mastodon.example', token: 'abc' });
});

test('A start encrypts what is in clear or by an older key, and refuses a key that is missing', async () => {
  const { id: page } = await createPage(service);
  await service.database.query('insert into channel_target (page_id, channel, target) values ($1, $2, $3)', [
    page,
    'chatA',
    JSON.stringify({ url: webhook }),
  ]);
  await encryptColumn(service.database, { secretsKey: '' }, channelTargetColumn).catch(() => {});
  expect(await readStored(page)).toEqual({ url: webhook });
  await encryptColumn(service.database, { secretsKey: oldKey }, channelTargetColumn);
  const before = await readStored(page);
  expect(before).toMatchObject({ url: 'https://hooks.example.com' });
  const statements: string[] = [];
  const query: Database['query'] = (text, values) => {
    statements.push(text);
    return service.database.query(text, values);
  };
  await encryptColumn({ query }, { secretsKey: oldKey }, channelTargetColumn);
  expect(statements).toEqual([
    expect.stringMatching(/is distinct from '\w{8}'\s+order by page_id, channel limit 500$/),
  ]);
  expect(await readStored(page)).toEqual(before);
  for (const secretsKey of [newKey, ''])
    await expect(encryptColumn(service.database, { secretsKey }, channelTargetColumn)).rejects.toThrow(
      /^SECRETS_KEY lacks the key \w{8},/,
    );
  await encryptColumn(service.database, { secretsKey: `${newKey}, ${oldKey}` }, channelTargetColumn);
  expect(await load(newKey, page)).toEqual({ url: webhook });
  await encryptColumn(service.database, { secretsKey: newKey }, channelTargetColumn);
});

test('The secrets of sources of alerts are encrypted, too, and re-encrypted at a start', async () => {
  const { id: page } = await createPage(service);
  const secret = 'a-secret-of-the-tests';
  const { json } = await service.graphql(
    `mutation ($page: ID!, $secret: String) {
       createAlertSource(pageId: $page, input: { name: "Grafana", secret: $secret }) { alertSource { id } } }`,
    { page, secret },
  );
  const { id } = json.data.createAlertSource.alertSource;
  const read = async () => {
    const [row] = await service.database.query<{ hash: string; secret: string }>(
      'select hash, secret from alert_source where id = $1',
      [id],
    );
    return row!;
  };
  const before = await read();
  expect(before.secret).toMatch(/^[0-9a-f]{8}:[\w-]+$/);
  await encryptColumn(service.database, { secretsKey: `${newKey}, ${oldKey}` }, sourceSecretColumn);
  const after = await read();
  expect(sourceSecretColumn.open({ secretsKey: newKey }, after, after.secret)).toBe(secret);
  await expect(encryptColumn(service.database, { secretsKey: '' }, sourceSecretColumn)).rejects.toThrow(
    'SECRETS_KEY lacks the key',
  );
});

test('The URL, the secrets and the private key of a webhook are encrypted, and by the new key after a start', async () => {
  const { id: page } = await createPage(service);
  const { json } = await service.graphql(
    `mutation ($page: ID!, $url: String!) {
       createWebhook(pageId: $page, input: { url: $url }) { webhook { id } secret } }`,
    { page, url: webhook },
  );
  const { webhook: created, secret } = json.data.createWebhook;
  const loadWebhook = (secretsKey: string) =>
    loadWebhookTarget(service.database.query, { secretsKey }, Number(created.id));
  const expected = {
    url: webhook,
    webhook: { format: 'standard', secrets: [secret], privateKey: expect.stringMatching(/^-----BEGIN PRIVATE KEY/) },
  };
  const readAll = async () =>
    JSON.stringify(await service.database.query('select w.target, k.private_key from webhook w, webhook_key k'));
  expect(await loadWebhook(oldKey)).toEqual(expected);
  expect(await readAll()).not.toMatch(/secret|PRIVATE/);
  await expect(encryptWebhooks({ secretsKey: newKey })).rejects.toThrow(/^SECRETS_KEY lacks the key/);
  await encryptWebhooks({ secretsKey: `${newKey},${oldKey}` });
  expect(await loadWebhook(newKey)).toEqual(expected);
  await service.database.query('delete from webhook where page_id = $1', [page]);
});
