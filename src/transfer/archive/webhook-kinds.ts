import { createPrivateKey, createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { parseEmailAddress } from '../../core/address.js';
import { noticeTypes } from '../../notices/notice.states.js';
import { push } from '../../notifications/channels/push.js';
import { webhook as webhookChannel } from '../../notifications/channels/webhook.js';
import { webhookFormats } from '../../notifications/channels/webhook-formats.js';
import { areBrowserKeys } from '../../notifications/webhooks/push-subscription.service.js';
import { Webhook } from '../../notifications/webhooks/webhook.entity.js';
import { isPushKey, loadPushKey } from '../../notifications/webhooks/push-key.js';
import { encodePublicKey, webhookKeyColumn, webhookTargetColumn } from '../../notifications/webhooks/webhook-target.js';
import { describeEntity } from './entity-kind.js';
import { id, type Kind, pageId, parsed, text, webAddress } from './kind.js';
import { counts, refusals } from './subscriber-kinds.js';

const target = z.strictObject({ url: webAddress, secrets: z.array(text).min(1).max(3) });
type WebhookTarget = z.infer<typeof target>;

const secretPattern = /^whsec_[A-Za-z0-9+/]+=*$/;

/** Whether messages could be sent by them: secrets of a program, or two keys of a browser and that of its sender. */
function hasSecrets({ format, target }: Record<string, unknown>): boolean {
  const { secrets } = target as WebhookTarget;
  if (format !== push.name) return secrets.length <= 2 && secrets.every(secret => secretPattern.test(secret));
  const [p256dh, auth, sender] = secrets;
  return secrets.length === 3 && areBrowserKeys(p256dh!, auth!) && isPushKey(sender!);
}

function areKeyPair({ public_key, private_key }: Record<string, unknown>): boolean {
  try {
    const key = createPrivateKey(String(private_key));
    return key.asymmetricKeyType === 'ed25519' && encodePublicKey(createPublicKey(key)) === public_key;
  } catch {
    return false;
  }
}

const ofPage = { page_id: 'pages' } as const;

const isWebhookCount = `channel in ('${webhookChannel.name}', '${push.name}')`;

/** What programs, chats and browsers are sent, all of it secret: an address is enough to send to it. */
export const webhookKinds: Record<string, Kind> = {
  'webhook-keys': {
    table: 'webhook_key',
    description: 'The key pairs by which pages sign requests to webhooks.',
    fields: { page_id: pageId, public_key: text, private_key: text },
    order: 'k.page_id',
    references: ofPage,
    check: areKeyPair,
    sealed: { column: webhookKeyColumn },
  },
  webhooks: describeEntity(Webhook, {
    description: 'Webhooks, and the programs, chats and browsers that visitors subscribed, with their addresses.',
    fields: {
      format: z.enum([...webhookFormats, push.name]),
      target,
      kinds: z.array(z.enum(noticeTypes)),
      contact: parsed(parseEmailAddress).nullable(),
    },
    runs: [['confirmed_at', 'rotated_at']],
    check: hasSecrets,
    sealed: {
      column: webhookTargetColumn,
      complete: async (record, { settings, run }) => {
        const { url, secrets } = record.target as WebhookTarget;
        // A browser takes messages by the key that it was subscribed with alone, which is that of the installation.
        const isWithoutSender = record.format === push.name && secrets.length === 2;
        const sender = isWithoutSender ? [(await loadPushKey(run, settings)).privateKey] : [];
        return { ...record, target: { url, secrets: [...secrets, ...sender] } };
      },
    },
  }),
  'webhook-components': {
    table: 'webhook_component',
    description: 'The components that webhooks chose.',
    fields: { webhook_id: id, component_id: id },
    order: 'k.webhook_id, k.component_id',
    references: { webhook_id: 'webhooks', component_id: 'components' },
    sealed: {},
  },
  'webhook-suspensions': {
    table: 'recipient_refusals',
    description: 'Webhooks and browsers that did not accept the latest messages.',
    fields: { page_id: pageId, channel: z.enum([webhookChannel.name, push.name]), webhook_id: id, ...refusals },
    order: 'k.webhook_id',
    where: () => 'k.page_id = any($1) and k.webhook_id is not null',
    references: { ...ofPage, webhook_id: 'webhooks' },
    sealed: {},
  },
  'webhook-counts': {
    table: 'subscriber_count',
    description: 'How many programs, chats and browsers were confirmed and ended, by day.',
    fields: { page_id: pageId, channel: z.enum([webhookChannel.name, push.name]), ...counts },
    order: 'k.page_id, k.channel collate "C", k.day',
    where: () => `k.page_id = any($1) and ${isWebhookCount}`,
    references: ofPage,
    replacesRows: isWebhookCount,
    sealed: {},
  },
};

/** Finds a page of `$1` with a webhook whose requests nothing could sign. */
export const unsignedSql = `
  select from webhook w where w.page_id = any($1) and w.format <> '${push.name}'
    and not exists (select from webhook_key k where k.page_id = w.page_id) limit 1`;
