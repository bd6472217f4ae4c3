import { changeRetention } from '../db/change-reader.js';
import { endedAtSql } from '../auth/session.service.js';

interface ExpiredRows {
  kind: string;
  table: string;
  /** SQL: which rows are deleted; `t` is a row. */
  condition: string;
}

const olderThan = (column: string, interval: string) => `t.${column} < clock_timestamp() - interval '${interval}'`;
const hasExpired = 't.expires_at < clock_timestamp()';

/** What is deleted after a time that is no setting. docs/operations.md has the same table for people. */
export const expiredRows: readonly ExpiredRows[] = [
  {
    kind: 'subscriptions that were not confirmed',
    table: 'subscriber',
    condition: `t.confirmed_at is null and t.unsubscribed_at is null and ${olderThan('updated_at', '7 days')}`,
  },
  {
    kind: 'requests for confirmations',
    table: 'subscription_request',
    condition: olderThan('created_at', '1 day'),
  },
  {
    // Codes of a network are counted for an hour.
    kind: 'one-time codes',
    table: 'one_time_code',
    condition: `${hasExpired} and (t.network is null or ${olderThan('created_at', '1 hour')})`,
  },
  { kind: 'tries of page passwords', table: 'access_try', condition: hasExpired },
  { kind: 'used access tokens', table: 'used_access_token', condition: hasExpired },
  { kind: 'sign-in links', table: 'sign_in_link', condition: hasExpired },
  { kind: 'challenges of passkeys', table: 'passkey_challenge', condition: hasExpired },
  { kind: 'sign-ins at an identity provider', table: 'identity_request', condition: hasExpired },
  {
    // The newest one of a person says that this person has signed in before.
    kind: 'sessions that ended',
    table: 'session',
    condition: `${endedAtSql('t')} < clock_timestamp() - interval '30 days'
      and exists (select from session newer where newer.person_id = t.person_id and newer.id > t.id)`,
  },
  {
    kind: 'responses to requests with an Idempotency-Key',
    table: 'idempotent_response',
    condition: olderThan('created_at', '24 hours'),
  },
  { kind: 'changes of pages', table: 'page_change', condition: olderThan('created_at', changeRetention) },
  { kind: 'reservations of domains', table: 'domain_reservation', condition: 't.until < clock_timestamp()' },
];
