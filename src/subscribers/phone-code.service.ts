import { issueCode, redeemCode } from '../auth/one-time-code.service.js';
import type { Database } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import type { Link } from './signed-link.js';
import { activateSql, epochAfterSql, isActiveSql, writeToPage } from './sign-up.service.js';

const toHolder = (pageId: string, phone: string) =>
  ({ purpose: 'confirm_phone', scope: pageId, subject: phone }) as const;

export const issuePhoneCode = (database: Database, key: Buffer, pageId: string, phone: string): Promise<string> =>
  inTransaction(database, em => issueCode(em, key, toHolder(pageId, phone)));

/** A correct code confirms the subscriber, or gives an already confirmed one an hour to change preferences. */
interface RedeemedCode {
  isNew: boolean;
  preferences: Link;
}

/** Null if the code is not accepted, or is of no subscriber. */
export function redeemPhoneCode(
  database: Database,
  key: Buffer,
  pageId: string,
  phone: string,
  code: string,
): Promise<RedeemedCode | null> {
  return writeToPage(database, pageId, async em => {
    if (!(await redeemCode(em, key, toHolder(pageId, phone), code.replace(/\D/g, '')))) return null;
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
