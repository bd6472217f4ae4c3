import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { EntityManager } from '../../db/database.js';
import { queryInTransaction, type RunQuery } from '../../db/prepared-statements.js';
import type { Target } from '../channels/channel.js';
import { push } from '../channels/push.js';
import type { WebhookFormat } from '../channels/webhook-formats.js';
import { EncryptedColumn, type SecretSettings } from '../page-channels/encrypted-column.js';
import { createTargetFormat, pem } from '../page-channels/stored-formats.js';
import { loadPushKey, toPushKey } from './push-key.js';

/**
 * `secrets` are `whsec_...`, the newest first, and two at most. Of a browser they are its two keys, and the private key
 * of the sender if the browser was subscribed at another installation.
 */
interface WebhookSecrets {
  url: string;
  secrets: string[];
}

export const createSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export const webhookTargetColumn = new EncryptedColumn({
  table: 'webhook',
  name: 'target',
  format: createTargetFormat<WebhookSecrets>(),
  keys: ['id'],
  toContext: ({ id }: { id: number }) => `webhook ${id}`,
});

export const webhookKeyColumn = new EncryptedColumn({
  table: 'webhook_key',
  name: 'private_key',
  format: pem,
  keys: ['page_id'],
  toContext: ({ page_id }: { page_id: string }) => `webhook key ${page_id}`,
});

interface StoredWebhook {
  target: object;
  format: WebhookFormat | typeof push.name;
  isRotating: boolean;
  pageId: string;
  /** Null until the page has a webhook that is not a browser. */
  privateKey: string | null;
}

/** How long two secrets sign after a rotation. */
const rotationPeriod = '1 day';

/** What a request to a webhook needs; null if it was deleted. */
export async function loadWebhookTarget(run: RunQuery, settings: SecretSettings, id: number): Promise<Target | null> {
  const [row] = await run<StoredWebhook>(
    `select w.target, w.format, w.page_id as "pageId", k.private_key as "privateKey",
       coalesce(w.rotated_at > clock_timestamp() - interval '${rotationPeriod}', false) as "isRotating"
     from webhook w left join webhook_key k on k.page_id = w.page_id where w.id = $1`,
    [id],
  );
  if (!row) return null;
  const { url, secrets } = webhookTargetColumn.open(settings, { id }, row.target);
  if (row.format === push.name) {
    const [p256dh, auth, sender] = secrets;
    const key = sender ? toPushKey(sender) : await loadPushKey(run, settings);
    return { url, push: { keys: { p256dh: p256dh!, auth: auth! }, ...key } };
  }
  return {
    url,
    webhook: {
      format: row.format,
      secrets: secrets.slice(0, row.isRotating ? 2 : 1),
      privateKey: webhookKeyColumn.open(settings, { page_id: row.pageId }, row.privateKey!),
    },
  };
}

/** Creates the key pair of a page with its first webhook. */
export async function ensureKeyPair(em: EntityManager, settings: SecretSettings, pageId: string): Promise<void> {
  const run = queryInTransaction(em);
  if ((await run('select 1 from webhook_key where page_id = $1', [pageId])).length) return;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  await run('insert into webhook_key (page_id, public_key, private_key) values ($1, $2, $3)', [
    pageId,
    encodePublicKey(publicKey),
    webhookKeyColumn.seal(settings, { page_id: pageId }, text),
  ]);
}

/** As receivers get it. */
export const encodePublicKey = (key: KeyObject): string =>
  `whpk_${Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64')}`;
