import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { migrations } from '../../../src/db/migrations/migrations.js';

/** What Citus, with rows spread by `page_id`, or YugabyteDB cannot do. docs/decisions/the-sql-is-that-of-one-postgresql.md */
interface Rule {
  pattern: RegExp;
  /** Files, or tables and indexes, that do it nevertheless, by the reason. */
  exceptions: Record<string, string[]>;
}

/** The statements of all files, and the migrations among them. */
const statementRules: Record<string, Rule> = {
  'ids and snapshots of transactions, which YugabyteDB has not and Citus has per node': {
    pattern: /\bxid8?\b|\btxid_|\bpg_(current_)?(xact|snapshot)|\bx(min|max)\b(?=::|,| as)|\bctid\b/,
    exceptions: {},
  },
  'advisory locks of a session, which a pooler gives to another client': {
    pattern: /\bpg_(try_)?advisory_(un)?lock/,
    exceptions: {},
  },
  'settings of a session, which a pooler loses': {
    pattern: /\bset_config\(|[`'"]set (?!local|transaction)\w+ = |\bset session\b|\bdiscard all\b/,
    exceptions: {
      'of the transaction behind a pooler, else of the session': ['src/db/session-variables.ts'],
      'detects such a pooler': ['src/db/check-server.ts'],
    },
  },
  'notifications, which reach the listeners of one node, or nobody': {
    pattern: /\bpg_notify\(|[`'"](un)?listen /,
    exceptions: {
      'a wake-up: the table is polled': ['src/db/listen.ts', 'src/db/change-feed.ts'],
      'finds connections that listen, beside those that poll': ['src/cli/move.ts'],
    },
  },
  'triggers: Citus has none on spread tables, and YugabyteDB none with transition tables': {
    pattern: /\bcreate (or replace )?(constraint )?trigger\b|\btrigger (user|all)\b|\breturns trigger\b/,
    exceptions: {
      'daily counts of subscribers, which people change by many statements': [
        'src/db/migrations/20261201-initial.ts',
        'src/db/backup/move.ts',
      ],
    },
  },
  'temporary tables, which belong to a session': {
    pattern: /\bcreate (local |global )?temp(orary)? table\b/,
    exceptions: { 'dropped by its own transaction': ['src/db/disk-space.ts'] },
  },
  'statistics of one node': {
    pattern: /\bpg_stat_(?!ssl)\w+|\bpg_locks\b/,
    exceptions: {
      'a warning, beside the lock of the operator': ['src/cli/move.ts'],
      'only of the embedded database, which is one node': ['src/server/retention/vacuum.ts'],
    },
  },
  'positions in the write-ahead log of one server': {
    pattern: /\bpg_(current|last)_wal\w*|\bpg_wal_lsn_diff\b/,
    exceptions: { 'only where DATABASE_REPLICA_URLS is set': ['src/db/change-position.ts', 'src/db/replicas.ts'] },
  },
  'recursion over the rows of several nodes': {
    pattern: /\bwith recursive\b/,
    exceptions: {
      'the components of one page': [
        'src/transfer/archive/notice-kinds.ts',
        'src/components/component-states.service.ts',
        'src/components/component.service.ts',
        'src/components/component.entity.ts',
        'src/notices/notice.entity.ts',
        'src/notifications/publish.service.ts',
      ],
      'pages take turns in one queue': ['src/notifications/delivery/lease-deliveries.ts'],
      'tokens belong to no page': ['src/people/token-administration.service.ts'],
    },
  },
  'row locks in a statement that finds rows on several nodes': {
    pattern: /\bfor (no key )?(update|share)\b(?! to)|\bfor key share\b/,
    exceptions: {
      'one row by its key': [
        'src/alerts/handle-group.ts',
        'src/pages/metrics/metric-values.service.ts',
        'src/transfer/page-move/move-page.ts',
        'src/records/unit.ts',
        'src/notifications/delivery/stop.service.ts',
        'src/notifications/bounces/record-mail-events.ts',
      ],
      'one queue for all pages': [
        'src/alerts/draft-report.ts',
        'src/alerts/push-report.ts',
        'src/components/upstream/upstream.automation.ts',
        'src/pages/custom-domain/custom-domain.automation.ts',
        'src/notices/drafts/error-report.ts',
        'src/notices/automation/notice.automation.ts',
        'src/notifications/delivery/delete-deliveries.ts',
        'src/notifications/delivery/fan-out.ts',
        'src/notifications/delivery/lease-deliveries.ts',
        'src/notifications/delivery/skip-stopped.ts',
        'src/notifications/delivery/suspension-report.ts',
        'src/notifications/operator-mail/operator-mail.ts',
        'src/subscribers/unsubscribed-address.ts',
      ],
      'people and their addresses belong to no page': [
        'src/people/last-owner.ts',
        'src/people/person-administration.service.ts',
        'src/people/person.service.ts',
        'src/people/token-administration.service.ts',
        'src/transfer/person-data/erase-person-data.ts',
        'src/people/sign-in/identity.service.ts',
        'src/people/sign-in/passkey.service.ts',
      ],
    },
  },
  'what one of them lacks, or keeps per node': {
    pattern: new RegExp(
      [
        'exclude using|using gist|deferrable|initially deferred|generated always as \\(|create unlogged|tablesample',
        'lock table|inherits \\(|create (rule|materialized view|domain)|with hold|prepare transaction|alter type',
        'using gin \\([^)]*,',
      ]
        .map(words => `\\b(${words})`)
        .join('|'),
    ),
    exceptions: {
      'into an empty database, which is PostgreSQL or the embedded one': ['src/db/backup/move.ts'],
      'only of the embedded database, which is one node': ['src/transfer/archive/held-records.ts'],
    },
  },
};

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.startsWith('i18n'))
  .map(path => join('src', path))
  .map(path => ({ name: path, text: withoutComments(readFileSync(path, 'utf8')).toLowerCase() }));

const statements = migrations.flatMap(migration => migration.statements);
const tables = statements.flatMap(statement => {
  const [, name, text] = /^create table (\w+) \(([\s\S]*)\)$/.exec(statement) ?? [];
  return name && text ? [{ name, text, isOfPage: /\bpage_id text\b/.test(text) }] : [];
});
const pageTables = tables.filter(({ isOfPage }) => isOfPage);
const indexes = statements.flatMap(statement => {
  const [, unique, name, table, columns] =
    /^create (unique )?index (\w+)\s+on (\w+) \(([\s\S]*)$/.exec(statement) ?? [];
  const isOfPage = pageTables.some(each => each.name === table);
  return name && columns && isOfPage ? [{ name, columns, isUnique: unique !== undefined }] : [];
});

const listViolations = (names: string[], exceptions: Rule['exceptions']) => {
  const excepted = Object.values(exceptions).flat();
  return {
    violations: names.filter(name => !excepted.includes(name)),
    needlessExceptions: excepted.filter(name => !names.includes(name)),
  };
};
const none = { violations: [], needlessExceptions: [] };

test.each(Object.entries(statementRules))('no statement uses %s, but for exceptions', (_, { pattern, exceptions }) => {
  const names = sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
  expect(listViolations(names, exceptions)).toEqual(none);
});

describe('rows can be spread by page:', () => {
  const hasNoPageId = {
    'its id is the page id': ['page'],
    'of the whole installation': [
      'signing_key',
      'idempotent_response',
      'installation_fact',
      'used_access_token',
      'channel_check',
      'mail_refresh_token',
      'bounce_hook',
    ],
    'people, who have roles on several pages': [
      'person',
      'session',
      'sign_in_link',
      'one_time_code',
      'passkey',
      'passkey_challenge',
      'token',
      'identity',
      'identity_request',
      'alert_browser',
    ],
    'read and written by the id of the record that it belongs to': [
      'notice_update',
      'notice_update_revision',
      'notice_component',
      'notice_template_component',
      'notified_subscriber',
      'subscriber_component',
      'webhook_component',
      'attempt',
      'bounce_count',
      'deleted_delivery_count',
      'audit_change',
      'alert',
      'occurrence',
      'metric_bucket',
    ],
  };
  test('each table has page_id, but for exceptions', () => {
    const names = tables.filter(({ isOfPage }) => !isOfPage).map(({ name }) => name);
    expect(listViolations(names, hasNoPageId)).toEqual(none);
  });

  const isUniqueAcrossPages = {
    'a record is addressed by its id alone, in links, in /v1 and by foreign keys': [
      'component',
      'manual_status',
      'notice',
      'notice_template',
      'next_update_deadline',
      'draft',
      'subscriber',
      'subscription_request',
      'publication',
      'delivery',
      'recipient_refusals',
      'membership',
      'audit_entry',
      'webhook',
      'operator_mail',
      'alert_source',
      'alert_payload',
      'alert_group',
      'recurrence',
      'upstream',
      'metric',
    ],
    'a domain leads to one page of all': ['domain_reservation', 'custom_domain_verified_unique'],
    'of one record, which has an id': [
      'manual_status_current_unique',
      'membership_unique',
      'upstream_component_id_unique',
    ],
  };
  test('each key has page_id, but for exceptions', () => {
    const keys = pageTables.map(({ name, text }) => ({
      name,
      columns: /primary key \((.*)\)/.exec(text)?.[1] ?? /(\w+) \w+ primary key/.exec(text)![1]!,
    }));
    const names = [...keys, ...indexes.filter(({ isUnique }) => isUnique)]
      .filter(({ columns }) => !/\bpage_id\b(?!, '')/.test(columns))
      .map(({ name }) => name);
    expect(listViolations(names, isUniqueAcrossPages)).toEqual(none);
  });

  const isOrderedAcrossPages = {
    'one queue for all pages': [
      'custom_domain_next_check_at_index',
      'notice_begin_due_index',
      'notice_complete_due_index',
      'notice_reminder_index',
      'notice_stale_index',
      'next_update_deadline_due_index',
      'draft_publish_at_index',
      'publication_not_fanned_out_index',
      'publication_stopping_index',
      'delivery_retry_index',
      'delivery_lease_index',
      'page_change_created_at_index',
      'alert_group_unreported_index',
      'alert_group_unpushed_index',
      'recurrence_due_at_index',
      'upstream_next_poll_at_index',
      'operator_mail_due_at_index',
    ],
    'rows of all pages are deleted by their age': [
      'access_try_expires_at_index',
      'audit_entry_at_index',
      'alert_payload_received_at_index',
      'alert_group_last_received_at_index',
      'subscriber_unconfirmed_index',
      'subscriber_unsubscribed_at_index',
    ],
    'read by the id of the record that it belongs to': [
      'component_parent_id_index',
      'manual_status_current_unique',
      'manual_status_component_id_index',
      'notice_template_component_id_index',
      'next_update_deadline_notice_id_index',
      'draft_notice_id_index',
      'publication_notice_id_created_at_index',
      'publication_notice_id_id_index',
      'publication_preview_hash_index',
      'delivery_open_index',
      'delivery_subscriber_index',
      'recipient_refusals_subscriber_id_index',
      'delivery_webhook_index',
      'recipient_refusals_webhook_id_index',
      'alert_payload_source_id_id_index',
      'alert_group_latest_draft_id_index',
      'alert_group_notice_id_index',
      'upstream_component_id_unique',
      'upstream_period_component_id_index',
    ],
    'people and networks, who are not of one page': [
      'operator_mail_person_id_index',
      'notice_owner_id_index',
      'membership_unique',
      'custom_domain_verified_unique',
      'subscription_request_recipient_created_at_index',
      'subscription_request_caller_created_at_index',
    ],
    'the planner has to begin with the address': ['subscriber_email_unique', 'subscriber_phone_unique'],
  };
  test('each index begins with page_id, but for exceptions', () => {
    const names = indexes.filter(({ columns }) => !columns.startsWith('page_id')).map(({ name }) => name);
    expect(listViolations(names, isOrderedAcrossPages)).toEqual(none);
  });

  const hasSmallKey = {
    'made by people one by one: two billion are enough, and the driver returns larger ones as text': [
      'component',
      'manual_status',
      'notice',
      'notice_update',
      'notice_update_revision',
      'next_update_deadline',
      'draft',
      'subscriber',
      'subscription_request',
      'publication',
      'recipient_refusals',
      'person',
      'membership',
      'session',
      'one_time_code',
      'passkey',
      'token',
      'webhook',
      'alert_source',
      'alert_group',
      'alert_browser',
      'recurrence',
      'upstream',
      'metric',
    ],
  };
  test('each number that is a key has 64 bits, but for exceptions', () => {
    const names = tables.filter(({ text }) => /\bid serial\b/.test(text)).map(({ name }) => name);
    expect(listViolations(names, hasSmallKey)).toEqual(none);
  });
});
