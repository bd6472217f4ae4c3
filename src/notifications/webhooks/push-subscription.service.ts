import { createPublicKey } from 'node:crypto';
import type { Settings } from '../../core/config.js';
import { keyedHash } from '../../core/keyed-hash.js';
import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { chosenAtSql, setChosenComponents } from '../../subscribers/chosen-components.js';
import type { Link } from '../../subscribers/signed-link.js';
import { type Choices, writeToPage } from '../../subscribers/sign-up.service.js';
import { push } from '../channels/push.js';
import { liftSuspensionOfWebhook } from '../delivery/suspension.js';
import { takeRoom } from './subscription-capacity.js';
import { webhookTargetColumn } from './webhook-target.js';

/** A browser that a visitor subscribed: a row of the webhooks, whose secrets are the keys of the browser. */
interface PushSignUp extends Choices {
  /** The endpoint, which only the browser, its push service and this installation know. */
  url: string;
  p256dh: string;
  auth: string;
}

/** Whether they are a point on P-256 and 16 bytes: nothing could be encrypted for others. */
export function areBrowserKeys(p256dh: string, auth: string): boolean {
  // Node ignores characters that are not of base64url.
  if (!/^[\w-]+=*$/.test(p256dh) || !/^[\w-]+=*$/.test(auth)) return false;
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(each => each.toString('base64url'));
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Active at once: only the browser knows its endpoint, and it has asked the person. Who sends the same endpoint again
 * changes the choices, and lifts a suspension. Returns the link to them; null if the page has too many.
 */
export const signUpPush = (
  database: Database,
  settings: Pick<Settings, 'secretsKey'>,
  key: Buffer,
  pageId: string,
  { url, p256dh, auth, kinds, componentIds }: PushSignUp,
): Promise<Link | null> =>
  writeToPage(database, pageId, async em => {
    const hash = keyedHash(key, push.name, url);
    const [existing] = await query<{ id: number }>(em, 'select id from webhook where page_id = $1 and url_hash = $2', [
      pageId,
      hash,
    ]);
    if (!existing && !(await takeRoom(em, pageId, { format: push.name, host: new URL(url).host }))) return null;
    const [row] = existing
      ? [existing]
      : await query<{ id: number }>(em, `select nextval('webhook_id_seq')::integer as id`);
    const { id } = row!;
    const target = webhookTargetColumn.seal(settings, { id }, { url, secrets: [p256dh, auth] });
    await query(
      em,
      `insert into webhook (id, page_id, format, target, url_hash, kinds, chose_components, confirmed_at, created_at,
         updated_at)
       select $1, $2, '${push.name}', $3::jsonb, $4, $5, $6, at, at, at from clock_timestamp() at
       on conflict (id) do update set target = excluded.target, kinds = excluded.kinds,
         chosen_at = ${chosenAtSql('webhook', 'webhook', { kinds: 'excluded.kinds', componentIds: '$7' })},
         chose_components = excluded.chose_components, updated_at = excluded.updated_at, version = webhook.version + 1`,
      [id, pageId, JSON.stringify(target), hash, kinds, componentIds.length > 0, componentIds],
    );
    await setChosenComponents(em, 'webhook', { pageId, id, componentIds });
    await liftSuspensionOfWebhook(em, id);
    return { purpose: 'webhook', pageId, subscriberId: id };
  });

/** Idempotent; from the commit on nothing is sent. */
export const endPush = (database: Database, key: Buffer, pageId: string, url: string): Promise<unknown> =>
  writeToPage(database, pageId, async em => {
    await query(em, 'delete from webhook where page_id = $1 and url_hash = $2', [
      pageId,
      keyedHash(key, push.name, url),
    ]);
  });
