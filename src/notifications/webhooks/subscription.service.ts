import type { Settings } from '../../core/config.js';
import { keyedHash } from '../../core/keyed-hash.js';
import type { Database, EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { chosenAtSql, setChosenComponents } from '../../subscribers/chosen-components.js';
import type { Link } from '../../subscribers/signed-link.js';
import { type Choices, epochAfterSql, writeToPage } from '../../subscribers/sign-up.service.js';
import { push } from '../channels/push.js';
import { targetHostSql } from '../channels/target-host.js';
import type { WebhookFormat } from '../channels/webhook-formats.js';
import { liftSuspensionOfWebhook } from '../delivery/suspension.js';
import { hasRoom, takeRoom } from './subscription-capacity.js';
import { createSecret, ensureKeyPair, webhookTargetColumn } from './webhook-target.js';

/** Webhooks that visitors of a page subscribe. */

interface WebhookSignUp extends Choices {
  url: string;
  format: WebhookFormat;
  /** Who is notified when it fails, and confirms it; null for a chat, where the channel itself confirms it. */
  contact: string | null;
}

interface StoredWebhook {
  id: number;
  contact: string | null;
  isActive: boolean;
  week: number;
  hour: number;
}

const storedSql = `id, contact, confirmed_at is not null as "isActive",
  ${epochAfterSql('7 days')} as week, ${epochAfterSql('1 hour')} as hour`;

/**
 * Stores the choices until the webhook is confirmed. One that is active stays as it is, and gets a link to its choices
 * instead. Returns the link, and the address that has to confirm; null if the page has too many.
 */
export const signUpWebhook = (
  database: Database,
  settings: Pick<Settings, 'secretsKey'>,
  key: Buffer,
  pageId: string,
  { url, format, contact, kinds, componentIds }: WebhookSignUp,
): Promise<{ address: string; link: Link } | null> =>
  writeToPage(database, pageId, async em => {
    // A chat confirms itself, and a program is confirmed by mail: one URL as both are two webhooks.
    const hash = keyedHash(key, 'webhook', `${format} ${url}`);
    const [existing] = await query<StoredWebhook>(
      em,
      `select ${storedSql} from webhook where page_id = $1 and url_hash = $2`,
      [pageId, hash],
    );
    const address = (contactOf: string | null) => contactOf ?? url;
    if (existing?.isActive) {
      const { id, hour } = existing;
      return {
        address: address(existing.contact),
        link: { purpose: 'webhook', pageId, subscriberId: id, expiresAt: hour },
      };
    }
    const row = existing ?? (await insertWebhook(em, settings, pageId, { url, format, hash }));
    if (!row) return null;
    // Another contact ends the link that the first one got.
    const [updated] = await query<{ version: number }>(
      em,
      `update webhook set contact = $2, kinds = $3, chose_components = $4, updated_at = clock_timestamp(),
         link_version = link_version + (contact is distinct from $2)::integer
       where id = $1 returning link_version as version`,
      [row.id, contact, kinds, componentIds.length > 0],
    );
    await setChosenComponents(em, 'webhook', { pageId, id: row.id, componentIds });
    const link: Link = {
      purpose: 'confirm-webhook',
      pageId,
      subscriberId: row.id,
      version: updated!.version,
      expiresAt: row.week,
    };
    return { address: address(contact), link };
  });

async function insertWebhook(
  em: EntityManager,
  settings: Pick<Settings, 'secretsKey'>,
  pageId: string,
  { url, format, hash }: { url: string; format: WebhookFormat; hash: string },
): Promise<StoredWebhook | undefined> {
  if (!(await hasRoom(em, pageId, { format, host: new URL(url).host }))) return undefined;
  const [reserved] = await query<{ id: number }>(em, `select nextval('webhook_id_seq')::integer as id`);
  const { id } = reserved!;
  await ensureKeyPair(em, settings, pageId);
  const target = webhookTargetColumn.seal(settings, { id }, { url, secrets: [createSecret()] });
  const [row] = await query<StoredWebhook>(
    em,
    `insert into webhook (id, page_id, format, target, url_hash, created_at, updated_at)
     values ($1, $2, $3, $4::jsonb, $5, clock_timestamp(), clock_timestamp()) returning ${storedSql}`,
    [id, pageId, format, JSON.stringify(target), hash],
  );
  return row;
}

/** What the holder of a signed link may see of a webhook. */
export interface SubscribedWebhook {
  id: number;
  format: WebhookFormat | typeof push.name;
  host: string;
  isActive: boolean;
  /** Until the choices are saved again. */
  isSuspended: boolean;
  /** The link has not expired, and one that confirms has not been used. */
  isValid: boolean;
  kinds: Choices['kinds'];
  componentIds: number[];
}

/** Null if the page has no such webhook (any more). */
export async function loadSubscribedWebhook(
  database: Database,
  { pageId, subscriberId, expiresAt, version }: Link,
): Promise<SubscribedWebhook | null> {
  const [row] = await database.query<SubscribedWebhook>(
    `select id, format, ${targetHostSql('target')} as host, confirmed_at is not null as "isActive", kinds,
       exists (select 1 from recipient_refusals where webhook_id = w.id and suspended_at is not null) as "isSuspended",
       array(select component_id from webhook_component where webhook_id = w.id order by 1) as "componentIds",
       ($3::float8 is null or to_timestamp($3::float8) > clock_timestamp())
         and ($4::int is null or (link_version = $4 and confirmed_at is null)) as "isValid"
     from webhook w where id = $1 and page_id = $2 and url_hash is not null`,
    [subscriberId, pageId, expiresAt ?? null, version ?? null],
  );
  return row ?? null;
}

/** Confirms by a link that is valid and unused. Returns the secret, which is shown once. */
export const confirmWebhook = (
  database: Database,
  settings: Pick<Settings, 'secretsKey'>,
  { pageId, subscriberId, version, expiresAt }: Link,
): Promise<string | null> =>
  writeToPage(database, pageId, async em => {
    const [row] = await query<{ target: object; format: WebhookFormat; host: string }>(
      em,
      `select target, format, ${targetHostSql('target')} as host from webhook
       where id = $1 and page_id = $2 and link_version = $3 and confirmed_at is null
         and to_timestamp($4::float8) > clock_timestamp()`,
      [subscriberId, pageId, version ?? null, expiresAt ?? null],
    );
    if (!row || !(await takeRoom(em, pageId, row))) return null;
    await query(
      em,
      `update webhook set confirmed_at = clock_timestamp(), link_version = link_version + 1, version = version + 1
       where id = $1`,
      [subscriberId],
    );
    return webhookTargetColumn.open(settings, { id: subscriberId }, row.target).secrets[0]!;
  });

/** Saves the choices, and lifts a suspension: the person has come back. */
export const saveWebhookChoices = (
  database: Database,
  { pageId, subscriberId }: Link,
  { kinds, componentIds }: Choices,
): Promise<unknown> =>
  writeToPage(database, pageId, async em => {
    await query(
      em,
      // If all chosen components were deleted, none is shown as chosen: that must not become everything.
      `update webhook w set kinds = $3, updated_at = clock_timestamp(), version = version + 1,
         chosen_at = ${chosenAtSql('webhook', 'w', { kinds: '$3', componentIds: '$5' })},
         chose_components = $4 or (chose_components
           and not exists (select 1 from webhook_component c where c.webhook_id = w.id))
       where id = $1 and page_id = $2`,
      [subscriberId, pageId, kinds, componentIds.length > 0, componentIds],
    );
    await setChosenComponents(em, 'webhook', { pageId, id: subscriberId, componentIds });
    await liftSuspensionOfWebhook(em, subscriberId);
  });

/** Idempotent; from the commit on nothing is sent. */
export const endWebhook = (database: Database, { pageId, subscriberId }: Link): Promise<unknown> =>
  writeToPage(database, pageId, async em => {
    await query(em, 'delete from webhook where id = $1 and page_id = $2 and url_hash is not null', [
      subscriberId,
      pageId,
    ]);
  });
