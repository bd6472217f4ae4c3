import type { Database, EntityManager } from '../db/database.js';
import { query, queryInTransaction, type RunQuery } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { toAlertLine } from './alert-text.js';
import { findLatestStart, isReportDue, nextStep, type ReportedGroup } from './alert.rules.js';
import { openSql } from '../notices/notice.states.js';
import type { Alert, AlertStatus } from './formats/format.js';
import type { FormatName } from './formats/registry.js';

/** A request, as it is stored. */
interface Payload {
  sourceId: number;
  format: FormatName | null;
  alertCount: number;
  body: string;
  error: string | null;
}

/** Of a source: older requests are deleted. */
const maxPayloads = 200;
/** Of a source, of the bodies of its requests: a page has 20 sources. The latest request is kept in any case. */
const maxPayloadBytes = 5 * 1024 * 1024;
/** Of a source: while so many are not over, the alerts of further groups are one group. */
const maxGroups = 100;
/** Of a group: further alerts are counted only. */
const maxAlerts = 1_000;
const overflowKey = '';

const storePayloadSql = `
  with stored as (
    insert into alert_payload (page_id, source_id, received_at, format, alert_count, body, error)
    select page_id, id, clock_timestamp(), $2, $3, $4, $5 from alert_source where id = $1
  )
  delete from alert_payload where id in (
    select id from (
      select id, row_number() over latest as number, sum(octet_length(body)) over latest as bytes
      from alert_payload where source_id = $1 window latest as (order by id desc)
    ) earlier
    where number >= ${maxPayloads} or bytes > ${maxPayloadBytes} - octet_length($4::text))`;

export const storePayload = (run: RunQuery, { sourceId, format, alertCount, body, error }: Payload): Promise<unknown> =>
  run(storePayloadSql, [sourceId, format, alertCount, body, error]);

interface AcceptedPayload extends Payload {
  /** Whether the same body changes no alert when it comes again. */
  countsOnce: boolean;
}

const isRepeatedSql = 'select 1 from alert_payload where source_id = $1 and body = $2 and error is null limit 1';

interface StoredGroup extends ReportedGroup {
  id: number;
  hasDraft: boolean;
}

/** SQL: the columns of a `ReportedGroup`. */
export const knownGroupSql = (group: string): string => `
  (extract(epoch from clock_timestamp() - ${group}.first_received_at) * 1000)::float8 as "sinceReportMs",
  exists (select 1 from draft d where d.id = ${group}.latest_draft_id) as "hasDraft",
  ${group}.state, (extract(epoch from ${group}.starts_at) * 1000)::float8 as "startsAtMs",
  case
    when exists (select 1 from draft d where d.id = ${group}.latest_draft_id) then 'pending'
    when ${group}.notice_id is not null then
      case when exists (select 1 from notice n where n.id = ${group}.notice_id and ${openSql('n.state')})
        then 'pending' else 'ended' end
    when ${group}.latest_draft_id is not null or ${group}.error is not null then 'dismissed'
    else 'pending'
  end as outcome`;

/** A group that needs a draft or a notice, or whose draft is to name other alerts, and its alerts in the request. */
export interface GroupToHandle extends StoredGroup {
  alerts: readonly Alert[];
  /** Whether its unpublished draft is reported again to those who may publish it. */
  isReportDue: boolean;
}

/** Groups that are stored by one transaction: others wait for it. */
const groupsAtOnce = 50;

/**
 * Stores a request, and counts its alerts in their groups, without the lock of the page. Returns the groups that need a
 * draft or a notice. A repeated alert costs these few statements, however often it comes.
 */
export async function storeAlerts(
  database: Database,
  { countsOnce, ...payload }: AcceptedPayload,
  alerts: readonly Alert[],
): Promise<GroupToHandle[]> {
  const repeated = countsOnce ? await database.query(isRepeatedSql, [payload.sourceId, payload.body]) : [];
  const groups = await placeGroups(database, payload.sourceId, alerts);
  const handled: GroupToHandle[] = [];
  let stored = 0;
  do {
    const batch = groups.slice(stored, stored + groupsAtOnce);
    stored += batch.length;
    await inTransaction(database, async em => {
      for (const group of batch) handled.push(...(await storeGroup(em, payload.sourceId, group, repeated.length > 0)));
      // With the last ones: the same body would count as repeated where the others are missing.
      if (stored === groups.length) await storePayload(queryInTransaction(em), payload);
    });
  } while (stored < groups.length);
  return handled;
}

/** Alerts with one key, in a request. */
interface ReceivedGroup {
  key: string;
  members: readonly Alert[];
}

const placeSql = `
  select array(select key from alert_group where source_id = $1 and key = any($2)) as stored,
    (select count(*)::integer from alert_group where source_id = $1 and state <> 'resolved') as "openCount"`;

/**
 * Groups the alerts of a request by the keys of their groups. New ones that the source has no place for share one.
 * In one order, so that two requests do not wait for each other.
 */
async function placeGroups(
  { query: run }: Pick<Database, 'query'>,
  sourceId: number,
  alerts: readonly Alert[],
): Promise<ReceivedGroup[]> {
  const received = [...Map.groupBy(alerts, ({ group }) => group)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const [place] = await run<{ stored: string[]; openCount: number }>(placeSql, [
    sourceId,
    received.map(([key]) => key),
  ]);
  const stored = new Set(place!.stored);
  let free = maxGroups - place!.openCount;
  const placed = Map.groupBy(
    received.map(([key, members]) => ({ key, members })),
    ({ key, members }) => {
      const isNew = !stored.has(key) && members.some(({ status }) => status === 'firing');
      return stored.has(key) || (isNew && free-- > 0) ? key : overflowKey;
    },
  );
  return [...placed].map(([key, groups]) => ({ key, members: groups.flatMap(({ members }) => members) }));
}

/** Returns the group if it needs a draft or a notice. */
async function storeGroup(
  em: EntityManager,
  sourceId: number,
  { key, members }: ReceivedGroup,
  isRepeated: boolean,
): Promise<GroupToHandle[]> {
  const group = await countGroup(em, sourceId, key, members);
  if (!group) return [];
  // A group that could not be handled at the first attempt is handled now.
  const isChanged = !isRepeated && (await storeMembers(em, group.id, members));
  const startsAtMs = findLatestStart(members);
  const step = nextStep(group, await findStatus(em, group.id), startsAtMs);
  const isFiring = members.some(({ status }) => status === 'firing');
  const isReported = group.hasDraft && isFiring && isReportDue(group, startsAtMs);
  // Else the start is set with the report, so that a report that failed is due at the next attempt.
  if (!step && !isReported && group.outcome === 'pending' && startsAtMs !== null)
    await query(em, setStartSql, [group.id, startsAtMs]);
  const isToHandle = step || (isChanged && group.hasDraft) || isReported;
  return isToHandle ? [{ ...group, alerts: members, isReportDue: isReported }] : [];
}

const insertSql = `
  insert into alert_group as stored (page_id, source_id, key, title, state, received_count, first_received_at,
    last_received_at)
  select page_id, id, $2, $3, 'new', $4, clock_timestamp(), clock_timestamp() from alert_source where id = $1
  on conflict (source_id, key) do update
    set last_received_at = excluded.last_received_at, received_count = stored.received_count + excluded.received_count
  returning id, ${knownGroupSql('stored')}`;

const updateSql = `
  update alert_group stored set last_received_at = clock_timestamp(), received_count = received_count + $3
  where source_id = $1 and key = $2 returning id, ${knownGroupSql('stored')}`;

/** Of a group, $1, whose alerts begin at $2. */
export const setStartSql = `
  update alert_group set starts_at = to_timestamp($2::float8 / 1000)
  where id = $1 and (starts_at is null or starts_at < to_timestamp($2::float8 / 1000))`;

/** Null for the end of alerts that were never received. */
async function countGroup(
  em: EntityManager,
  sourceId: number,
  key: string,
  alerts: readonly Alert[],
): Promise<StoredGroup | null> {
  const firing = alerts.find(({ status }) => status === 'firing');
  const [group] = firing
    ? await query<StoredGroup>(em, insertSql, [sourceId, key, firing.title, alerts.length])
    : await query<StoredGroup>(em, updateSql, [sourceId, key, alerts.length]);
  return group ?? null;
}

const storeMembersSql = `
  insert into alert as stored (group_id, fingerprint, status, line)
  select $1, member.fingerprint, member.status, member.line
  from jsonb_to_recordset($2::jsonb) member (fingerprint text, status text, line text)
  where exists (select 1 from alert where group_id = $1 and fingerprint = member.fingerprint)
    or (member.status = 'firing' and (select count(*) from alert where group_id = $1) < ${maxAlerts})
  on conflict (group_id, fingerprint) do update set status = excluded.status, line = excluded.line
    where stored.status <> excluded.status
  returning 1`;

/** Of alerts with one fingerprint the last one counts. Returns whether one is new, or has another status. */
async function storeMembers(em: EntityManager, groupId: number, alerts: readonly Alert[]): Promise<boolean> {
  const members = alerts.map(alert => {
    const { fingerprint, status } = alert;
    return [fingerprint, { fingerprint, status, line: toAlertLine(alert) }] as const;
  });
  const changed = await query(em, storeMembersSql, [groupId, JSON.stringify([...new Map(members).values()])]);
  return changed.length > 0;
}

export async function findStatus(em: EntityManager, groupId: number): Promise<AlertStatus> {
  const firing = await query(em, `select 1 from alert where group_id = $1 and status = 'firing' limit 1`, [groupId]);
  return firing.length ? 'firing' : 'resolved';
}
