import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { EntityManager } from '../../db/database.js';
import { queryInTransaction, type RunQuery } from '../../db/prepared-statements.js';
import type { Target } from '../channels/channel.js';
import { push } from '../channels/push.js';
import type { WebhookFormat } from '../channels/webhook-formats.js';
import {
  openTarget,
  type SecretSettings,
  sealTarget,
  type Stored,
  targetColumn,
} from '../page-channels/channel-target.js';
import type { EncryptedColumn } from '../page-channels/encrypted-column.js';
import { Keyring } from '../page-channels/keyring.js';
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

const toContext = (id: number) => `webhook ${id}`;

export const sealWebhook = (settings: SecretSettings, id: number, secrets: WebhookSecrets): object =>
  sealTarget(secrets, new Keyring(settings), toContext(id));

export const openWebhook = (settings: SecretSettings, id: number, stored: object): WebhookSecrets =>
  openTarget(stored as Stored<WebhookSecrets>, new Keyring(settings), toContext(id));

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
  const { url, secrets } = openWebhook(settings, id, row.target);
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
      privateKey: openKey(settings, row.pageId, row.privateKey!),
    },
  };
}

const toKeyContext = (pageId: string) => `webhook key ${pageId}`;

/** Creates the key pair of a page with its first webhook. */
export async function ensureKeyPair(em: EntityManager, settings: SecretSettings, pageId: string): Promise<void> {
  const run = queryInTransaction(em);
  if ((await run('select 1 from webhook_key where page_id = $1', [pageId])).length) return;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  await run('insert into webhook_key (page_id, public_key, private_key) values ($1, $2, $3)', [
    pageId,
    encodePublicKey(publicKey),
    sealKey(settings, pageId, pem),
  ]);
}

/** As receivers get it. */
export const encodePublicKey = (key: KeyObject): string =>
  `whpk_${Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64')}`;

export function sealKey(settings: SecretSettings, pageId: string, pem: string): string {
  const keyring = new Keyring(settings);
  return keyring.currentId ? keyring.encrypt(pem, toKeyContext(pageId)) : pem;
}

const isPem = (text: string) => text.startsWith('-----');

export const openKey = (settings: SecretSettings, pageId: string, stored: string): string =>
  isPem(stored) ? stored : new Keyring(settings).decrypt(stored, toKeyContext(pageId));

export const webhookTargetColumn = targetColumn('webhook', ['id'], ({ id }) => toContext(Number(id)));

export const webhookKeyColumn: EncryptedColumn = {
  table: 'webhook_key',
  name: 'private_key',
  type: 'text',
  keys: ['page_id'],
  keyId: `case when private_key not like '-----%' then split_part(private_key, ':', 1) end`,
  encryptAgain: (settings, value, { page_id }) =>
    sealKey(settings, String(page_id), openKey(settings, String(page_id), String(value))),
};
