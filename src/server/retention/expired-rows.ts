import { changeRetention } from '../../db/change-reader.js';
import { endedAtSql } from '../../auth/session.service.js';

interface ExpiredRows {
  kind: string;
  table: string;
  /** The columns of the primary key. */
  key: string;
  /** SQL: which rows are deleted; `t` is a row. */
  condition: string;
  /** Whether thousands of rows can belong to one, which are deleted with it, or it can have megabytes of text. */
  isLarge?: true;
}

const olderThan = (column: string, interval: string) => `t.${column} < clock_timestamp() - interval '${interval}'`;
const hasExpired = 't.expires_at < clock_timestamp()';

/** What is deleted after a time that is not a setting. docs/operations.md has the same table for people. */
export const expiredRows: readonly ExpiredRows[] = [
  {
    kind: 'subscriptions that were not confirmed',
    table: 'subscriber',
    key: 'id',
    condition: `t.confirmed_at is null and t.unsubscribed_at is null and ${olderThan('updated_at', '7 days')}`,
    isLarge: true,
  },
  {
    kind: 'webhooks that were not confirmed',
    table: 'webhook',
    key: 'id',
    condition: `t.confirmed_at is null and ${olderThan('updated_at', '7 days')}`,
    isLarge: true,
  },
  {
    kind: 'requests for confirmations',
    table: 'subscription_request',
    key: 'id',
    condition: olderThan('created_at', '1 day'),
  },
  {
    // Codes of a network are counted for an hour.
    kind: 'one-time codes',
    table: 'one_time_code',
    key: 'id',
    condition: `${hasExpired} and (t.network is null or ${olderThan('created_at', '1 hour')})`,
  },
  { kind: 'tries of page passwords', table: 'access_try', key: 'page_id, network', condition: hasExpired },
  { kind: 'used access tokens', table: 'used_access_token', key: 'hash', condition: hasExpired },
  { kind: 'sign-in links', table: 'sign_in_link', key: 'hash', condition: hasExpired },
  { kind: 'challenges of passkeys', table: 'passkey_challenge', key: 'hash', condition: hasExpired },
  { kind: 'sign-ins at an identity provider', table: 'identity_request', key: 'hash', condition: hasExpired },
  {
    // The newest one of a person says that this person has signed in before.
    kind: 'sessions that ended',
    table: 'session',
    key: 'id',
    condition: `${endedAtSql('t')} < clock_timestamp() - interval '30 days'
      and exists (select from session newer where newer.person_id = t.person_id and newer.id > t.id)`,
  },
  {
    kind: 'responses to requests with an Idempotency-Key',
    table: 'idempotent_response',
    key: 'id',
    condition: `t.counted_bytes is null and ${olderThan('created_at', '24 hours')}`,
  },
  {
    kind: 'long responses to requests with an Idempotency-Key',
    table: 'idempotent_response',
    key: 'id',
    condition: `t.counted_bytes is not null and ${olderThan('created_at', '24 hours')}`,
    isLarge: true,
  },
  {
    kind: 'changes of pages',
    table: 'page_change',
    key: 'page_id, id',
    condition: olderThan('created_at', changeRetention),
  },
  {
    kind: 'reservations of domains',
    table: 'domain_reservation',
    key: 'domain',
    condition: 't.until < clock_timestamp()',
  },
  {
    kind: 'values of metrics',
    table: 'metric_bucket',
    key: 'metric_id, seconds, began_at',
    condition: olderThan('began_at', '90 days'),
  },
  {
    kind: 'what upstreams said',
    table: 'upstream_period',
    key: 'page_id, component_id, began_at',
    condition: olderThan('ended_at', '3 years'),
  },
  {
    kind: 'requests with alerts',
    table: 'alert_payload',
    key: 'id',
    condition: olderThan('received_at', '7 days'),
    isLarge: true,
  },
  {
    kind: 'groups of alerts',
    table: 'alert_group',
    key: 'id',
    condition: olderThan('last_received_at', '7 days'),
    isLarge: true,
  },
];
