import { issueCode, redeemCode } from '../auth/one-time-code.service.js';
import { keyedHash } from '../core/keyed-hash.js';
import type { Database, EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { isPhoneCodeSql } from './end-subscription.js';
import type { Link } from './signed-link.js';
import { activateSql, epochAfterSql, isActiveSql, writeToPage } from './sign-up.service.js';

interface PhoneHolder {
  pageId: string;
  phone: string;
  /** That of the visitor. */
  network: string;
}

/**
 * A code has tries for the network that requested it, and others for all networks: what others try, or request, leaves
 * it valid for the visitor who waits for it. The tries of who has requested one leave it valid for all others.
 */
function toHolders(key: Buffer, { pageId, phone, network }: PhoneHolder) {
  const holder = { purpose: 'confirm_phone', subject: phone } as const;
  return {
    own: { ...holder, scope: `${pageId} ${keyedHash(key, 'phone network', network)}` },
    shared: { ...holder, scope: pageId },
  };
}

export const issuePhoneCode = (database: Database, key: Buffer, visitor: PhoneHolder): Promise<string> =>
  inTransaction(database, async em => {
    const { own, shared } = toHolders(key, visitor);
    return issueCode(em, key, own, null, await issueCode(em, key, shared));
  });

/** Uses up all codes of the phone number if one of them is right. */
async function redeem(em: EntityManager, key: Buffer, visitor: PhoneHolder, code: string): Promise<boolean> {
  const { own, shared } = toHolders(key, visitor);
  const { pageId, phone } = visitor;
  const requested = await query(
    em,
    'select from one_time_code where purpose = $1 and scope = $2 and subject = $3 and expires_at > clock_timestamp()',
    [own.purpose, own.scope, phone],
  );
  if (!(await redeemCode(em, key, requested.length ? own : shared, code))) return false;
  await query(em, `update one_time_code c set expires_at = created_at where ${isPhoneCodeSql('c', '$1', '$2')}`, [
    pageId,
    phone,
  ]);
  return true;
}

/** A correct code confirms the subscriber, or gives an already confirmed one an hour to change preferences. */
interface RedeemedCode {
  isNew: boolean;
  preferences: Link;
}

/** Null if the code is not accepted, or is of no subscriber. */
export function redeemPhoneCode(
  database: Database,
  key: Buffer,
  visitor: PhoneHolder,
  code: string,
): Promise<RedeemedCode | null> {
  const { pageId, phone } = visitor;
  return writeToPage(database, pageId, async em => {
    if (!(await redeem(em, key, visitor, code.replace(/\D/g, '')))) return null;
    const confirmed = await query<SubscriberRow>(
      em,
      `update subscriber set ${activateSql} where page_id = $1 and phone_number = $2 and not ${isActiveSql}
       returning id, ${epochAfterSql('1 hour')} as hour`,
      [pageId, phone],
    );
    const [subscriber] = confirmed.length
      ? confirmed
      : await query<SubscriberRow>(
          em,
          `select id, ${epochAfterSql('1 hour')} as hour from subscriber where page_id = $1 and phone_number = $2`,
          [pageId, phone],
        );
    return subscriber
      ? {
          isNew: confirmed.length > 0,
          preferences: { purpose: 'preferences', pageId, subscriberId: subscriber.id, expiresAt: subscriber.hour },
        }
      : null;
  });
}

interface SubscriberRow {
  id: number;
  hour: number;
}
