import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { deleteDeliveriesCtes, finishedStates } from '../../notifications/delivery/delete-deliveries.js';
import { skipReasons } from '../../notifications/delivery/delivery.states.js';
import { withRemainingOwner } from '../../people/last-owner.js';
import type { Unit } from '../../records/unit.js';
import { rememberUnsubscribed } from '../../subscribers/unsubscribed-address.js';
import { describeCounts, type FoundPerson, findPerson, type PersonDataCount } from './find-person.js';

export interface Erasure {
  erased: PersonDataCount[];
  /** Columns that still have the address, in texts that operators wrote. */
  remaining: PersonDataCount[];
}

/** In place of what was erased. */
const erasedText = '(erased)';

/** What is not sent of a deleted delivery counts as skipped. */
const deleteDeliveriesSql = `
  with doomed as materialized (
    select id, publication_id, channel,
      case when state in ${finishedStates} then state else 'skipped' end as state,
      case when state in ${finishedStates} then reason else '${skipReasons.subscriberDeleted}' end as reason
    from delivery d
    where d.page_id in (select id from page) and lower(d.address) = lower($1) or d.subscriber_id = any($2::integer[])
    for update
  ), ${deleteDeliveriesCtes}
  select 1 from doomed`;

const redact = (column: string) => `${column} = regexp_replace(${column}, $1, '${erasedText}', 'gi')`;

/**
 * By kind, in this order: the log is redacted last, since what the others delete is found by it. `$1` is the address,
 * or its pattern, as the second item says.
 */
const statements: [kind: string, by: 'address' | 'pattern', sql: string][] = [
  ['refusals', 'address', 'delete from recipient_refusals where lower(address) = lower($1)'],
  ['webhooks', 'address', 'delete from webhook where lower(contact) = lower($1)'],
  ['codes', 'address', 'delete from one_time_code where subject = $1'],
  [
    'responses to requests with an Idempotency-Key',
    'pattern',
    'delete from idempotent_response where body ~* $1 or headers::text ~* $1',
  ],
  ['publications', 'pattern', `update publication set ${redact('made_by')} where made_by ~* $1`],
  [
    'earlier texts of updates',
    'pattern',
    `update notice_update_revision set ${redact('replaced_by')} where replaced_by ~* $1`,
  ],
  ['entries of the audit log', 'pattern', `update audit_entry set ${redact('actor')} where actor ~* $1`],
  [
    'changes in the audit log',
    'pattern',
    `update audit_change set ${redact('before')}, ${redact('after')} where before ~* $1 or after ~* $1`,
  ],
];

/**
 * Deletes what is stored of the person with an address, or replaces the address where a record stays. Its subscriptions
 * end, and an import leaves the address out. The account of an operator is deleted with its tokens, but for the only
 * owner of all pages.
 */
export async function erasePersonData(unit: Unit, text: string): Promise<Erasure> {
  const { em } = unit;
  const person = await findPerson(em, text);
  const erased: PersonDataCount[] = [
    { kind: 'subscriptions', count: await deleteSubscribers(em, person) },
    {
      kind: 'deliveries, with their attempts',
      count: await run(deleteDeliveriesSql, person.address, person.subscriberIds),
    },
    { kind: 'fields of subscribers in the audit log', count: await redactSubscribers(em, person) },
    { kind: 'accounts', count: await deleteAccount(unit, person) },
  ];
  for (const [kind, by, sql] of statements) erased.push({ kind, count: await run(`${sql} returning 1`, person[by]) });
  const found = erased.filter(({ count }) => count > 0);
  // The address itself would be in the log again.
  unit.describeChange('PersonData', '', { erased: { after: describeCounts(found) } }, null);
  return { erased: found, remaining: await findRemaining(em, person.pattern) };

  async function run(sql: string, ...values: unknown[]): Promise<number> {
    return (await query(em, sql, values)).length;
  }
}

async function deleteSubscribers(em: EntityManager, { subscriberIds }: FoundPerson): Promise<number> {
  const deleted = await query<{ pageId: string; addresses: string[] }>(
    em,
    `delete from subscriber where id = any($1::integer[])
     returning page_id as "pageId", array_remove(array[lower(email), phone_number], null) as addresses`,
    [subscriberIds],
  );
  await rememberUnsubscribed(
    em,
    deleted.flatMap(({ pageId, addresses }) => addresses.map(address => ({ pageId, address }))),
  );
  return deleted.length;
}

/** Names and other fields, too, which a pattern would not find. */
async function redactSubscribers(em: EntityManager, { loggedSubscriberIds }: FoundPerson): Promise<number> {
  const rows = await query(
    em,
    `update audit_change set before = case when before is not null then $2 end,
       after = case when after is not null then $2 end
     where record = 'Subscriber' and record_id = any($1::text[]) returning 1`,
    [loggedSubscriberIds, erasedText],
  );
  return rows.length;
}

async function deleteAccount(unit: Unit, { personId }: FoundPerson): Promise<number> {
  if (personId === null) return 0;
  await withRemainingOwner(unit, () => query(unit.em, 'delete from person where id = $1', [personId]));
  return 1;
}

/** These tables grow with each message, and have an address only in the rows that were deleted. */
const erasedTables = ['delivery', 'attempt'];

async function findRemaining(em: EntityManager, pattern: string): Promise<PersonDataCount[]> {
  const columns = await query<{ table: string; column: string }>(
    em,
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema() and data_type in ('text', 'json', 'jsonb', 'ARRAY')
       and table_name <> all($1::text[]) order by 1, ordinal_position`,
    [erasedTables],
  );
  const remaining: PersonDataCount[] = [];
  for (const [table, own] of Map.groupBy(columns, each => each.table)) {
    const counts = own.map(({ column }) => `count(*) filter (where "${column}"::text ~* $1)::integer as "${column}"`);
    const [row] = await query<Record<string, number>>(em, `select ${counts.join(', ')} from "${table}"`, [pattern]);
    for (const [column, count] of Object.entries(row!))
      if (count) remaining.push({ kind: `${table}.${column}`, count });
  }
  return remaining;
}
