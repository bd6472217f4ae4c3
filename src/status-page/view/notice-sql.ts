import { isCurrentSql } from '../../components/manual-status.rules.js';
import { defaultImpact } from '../../notices/impact.rules.js';
import { beginOrder, creationOrder, endOrder, orderSql } from '../../notices/notice.order.js';
import { presentSql } from '../../notices/notice.states.js';
import { publishedSql } from '../../notifications/published.js';
import { maxRevisions, type NoticeHistory, type SnapshotNotice, type UpdateLimits, updateLimits } from './snapshot.js';
import type { Responses } from './response-statistics.js';
import { formatTimes } from './snapshot-times.js';

// The SQL of notices as JSON, in which `p` is the row of their page.

/** How many notices a history is computed from: of each kind of open ones, and of ended ones, as of manual statuses. */
const historyLimits = { open: 250, ended: 1_000 };

/** Notices of the page `p`. The order is that of an index, so that few rows are read of a list of many. */
export const selectNotices = (condition: string, order: typeof endOrder, limit: string | number) =>
  `(select n.* from notice n where n.page_id = p.id and ${condition} order by ${orderSql(order)} limit ${limit})`;

export const countNotices = (condition: string) =>
  `(select count(*) from notice n where n.page_id = p.id and ${condition})`;

export const jsonRows = (columns: string, from: string, order: string) =>
  `(select coalesce(json_agg(row_to_json(r) order by ${order}), '[]') from (select ${columns} from ${from}) r)`;

/** How many components the notices of a list, or of a history, name in all; beyond that, each of a list has a few. */
const componentLimits = { total: 50_000, beyond: 50 };

/**
 * The ids of the notices whose components are within the limit, in this order. PostgreSQL reads no others for it, since
 * both orders are the same.
 */
const withinComponentLimit = (from: string, order: string) => `select distinct named.notice_id from (
  select n.id as notice_id from (
    select n.id, row_number() over (order by ${order}) as nth from (${from}) n order by nth) n
    left join notice_component nc on nc.notice_id = n.id
  order by n.nth limit ${componentLimits.total}) named`;

/** The components of a notice, by component its impacts but the default, and when they recovered, as `concerned`. */
const joinComponents = (from: string, order: string) => `cross join lateral (
  select coalesce(array_agg(nc.component_id order by ${order}), '{}') as ids,
    coalesce(json_object_agg(nc.component_id, nc.impact) filter (where nc.impact <> '${defaultImpact}'), '{}')
      as impacts,
    coalesce(json_object_agg(nc.component_id, nc.recovered_at) filter (where nc.recovered_at is not null), '{}')
      as recovered
  from ${from}) concerned`;
const concernedColumns = 'concerned.ids as "componentIds", concerned.impacts, concerned.recovered';

const revisionsOf = (columns: string, condition: string) => `(select ${columns} from (
  select r.id, r.content from notice_update_revision r where r.update_id = u.id and ${condition}
  order by r.id desc limit ${maxRevisions}) r)`;

/** The bytes of an update and its earlier texts. PostgreSQL knows them without reading the texts. */
const textBytes = `octet_length(u.content)
  + coalesce(${revisionsOf('sum(octet_length(r.content))', 'u.edited_at is not null')}, 0)`;

/**
 * The newest updates of a notice whose texts fit, and the newest in any case. `bytes` are those up to an update. Its
 * post-mortem is of another kind: it is always included, and leaves the limits to the updates.
 */
const newestUpdates = ({ count, bytes }: UpdateLimits) => `(
  select u.*, ${textBytes} as own_bytes, sum(${textBytes}) over newest as bytes, row_number() over newest as nth
  from notice_update u
  where u.notice_id = n.id window newest as (partition by u.kind order by u.posted_at desc, u.id desc)) u
  where u.nth <= ${count} and (u.bytes <= ${bytes} or u.nth = 1)`;

/** The order in which the notices of a list have what is limited in all of them. */
const openFirst = `n.ended_at is not null, ${orderSql(creationOrder, name => `n.${name}`)}`;

/** Of rows of notices, with the bytes of the texts that those before it have. */
const countTextsBefore = (from: string, limits: UpdateLimits) => `(
  select n.*, sum(texts.bytes) over (order by ${openFirst}) - texts.bytes as bytes_before
  from (${from}) n cross join lateral (
    select coalesce(sum(u.own_bytes), 0) as bytes from ${newestUpdates(limits)}) texts)`;

/** `from` selects rows of notices. */
export const noticesJson = (from: string, limits: UpdateLimits = updateLimits.ofList) =>
  jsonRows(
    `n.id, n.type, n.subject, left(n.synopsis, ${limits.synopsis}) as synopsis, n.state, n.path, n.version,
      n.tag_list as tags,
      exists (select 1 ${publishedSql('n.id')}) as "isPublished",
      n.begins_at as "beginsAt", n.ends_at as "endsAt", n.began_at as "beganAt", n.ended_at as "endedAt",
      n.next_update_by as "nextUpdateBy", n.last_update_at as "lastUpdateAt",
      n.created_at as "createdAt", n.updated_at as "updatedAt",
      ${concernedColumns},
      (select count(*) from notice_update u where u.notice_id = n.id) as "updateCount",
      ${jsonRows(
        `u.id, u.content, u.kind, u.state, u.should_publish as "shouldPublish",
          ${revisionsOf(
            `json_agg(json_build_object('content', r.content) order by r.id desc)`,
            `u.edited_at is not null and u.bytes <= ${limits.bytes}`,
          )} as revisions,
          u.edited_at as "editedAt", u.posted_at as "postedAt", u.created_at as "createdAt",
          u.updated_at as "updatedAt"`,
        `${newestUpdates(limits)}${limits.total === undefined ? '' : ` and n.bytes_before <= ${limits.total}`}`,
        'r."postedAt", r.id',
      )} as updates`,
    `${limits.total === undefined ? `(${from})` : countTextsBefore(from, limits)} n
      left join (${withinComponentLimit(from, openFirst)}) within on within.notice_id = n.id
      ${joinComponents(
        `(select * from notice_component nc where nc.notice_id = n.id
            order by nc.component_id limit case when within.notice_id is null then ${componentLimits.beyond} end) nc
          join component c on c.id = nc.component_id`,
        'c.position, c.id',
      )}`,
    orderSql(creationOrder, name => `r.${name}`),
  );

/** Rows of `noticesJson` in the format of a snapshot. */
export function toNotices(notices: SnapshotNotice[]): SnapshotNotice[] {
  for (const notice of notices) {
    formatTimes(notice);
    for (const update of notice.updates) formatTimes(update);
  }
  return notices;
}

/** When a notice was first heard of: by its first update, or by itself. Back-dating an update changes nothing. */
export const firstUpdateSql = (n: string) => `coalesce((
  select min(u.created_at) from notice_update u where u.notice_id = ${n}.id and u.kind = 'update'), ${n}.created_at)`;

/** False for an incident that was over when it was entered: no visitor can have waited for its first update. */
export const wasLiveSql = (n: string) => `(${n}.ended_at is null or ${n}.ended_at > ${n}.created_at)`;

/** The deadlines of next updates from $2 to $3. */
export const deadlinesJson = jsonRows(
  'd.notice_id as "noticeId", d.due_at as "dueAt", d.settled_at as "settledAt"',
  'next_update_deadline d where d.page_id = p.id and d.due_at >= $2::timestamptz and d.due_at < $3::timestamptz',
  'r."dueAt", r."noticeId"',
);

/** What response statistics of a period are computed from. */
export const responsesJson = `json_build_object(
  'incidents', ${jsonRows(
    `n.id, n.began_at as "beganAt", ${firstUpdateSql('n')} as "firstUpdateAt"`,
    `notice n where n.page_id = p.id and n.type = 'unplanned' and n.state <> 'false_alarm'
      and ${wasLiveSql('n')} and n.began_at >= $2::timestamptz and n.began_at < $3::timestamptz`,
    'r."beganAt", r.id',
  )}, 'deadlines', ${deadlinesJson})`;

export function toResponses(responses: Responses): Responses {
  for (const row of [...responses.incidents, ...responses.deadlines]) formatTimes(row);
  return responses;
}

/** The open notices of a page that began first: they cover every day on which a later one is open. */
const longestOpen = (['unplanned', 'planned'] as const).map(type =>
  selectNotices(`n.type = '${type}' and ${presentSql('n.state')}`, beginOrder, historyLimits.open),
);

/** The notices, manual statuses and upstreams of a history; `ended` is the condition on those that are over, as `n`. */
export function historyJson(ended: string): string {
  const endedRows = selectNotices(`n.type <> 'general' and ${ended}`, endOrder, historyLimits.ended);
  const notices = jsonRows(
    `n.id, n.type, n.state, n.began_at as "beganAt", n.ended_at as "endedAt", ${concernedColumns}`,
    `listed n join within on within.notice_id = n.id
      ${joinComponents('notice_component nc where nc.notice_id = n.id', 'nc.component_id')}`,
    orderSql(creationOrder, name => `r.${name}`),
  );
  const lastLeftOut = 'select max(n.ended_at) from listed n where n.id not in (select notice_id from within)';
  const periods = jsonRows(
    `n.component_id as "componentId", n.state, n.began_at as "beganAt", n.ended_at as "endedAt"`,
    `((select n.* from manual_status n where n.page_id = p.id and ${isCurrentSql('n')}) union all
      (select n.* from manual_status n where n.page_id = p.id and ${ended}
        order by n.ended_at desc limit ${historyLimits.ended})) n`,
    'r."beganAt" desc',
  );
  const upstream = jsonRows(
    `n.component_id as "componentId", n.state, n.began_at as "beganAt", n.ended_at as "endedAt"`,
    `((select u.component_id, u.state, u.began_at, null::timestamptz as ended_at from upstream u
        where u.page_id = p.id and u.state <> 'operational') union all
      (select n.component_id, n.state, n.began_at, n.ended_at from upstream_period n
        where n.page_id = p.id and ${ended} order by n.ended_at desc limit ${historyLimits.ended})) n`,
    'r."beganAt" desc',
  );
  const order = 'n.ended_at desc nulls first, n.began_at, n.id';
  return `(with listed as materialized (${[...longestOpen, endedRows].join(' union all ')}),
    within as materialized (${withinComponentLimit('select * from listed', order)})
    select json_build_object('notices', ${notices}, 'periods', ${periods}, 'upstream', ${upstream},
      'lastLeftOut', (${lastLeftOut})))`;
}

/** The JSON of `historyJson` in the format of a snapshot. */
export function toHistory({
  notices,
  periods,
  upstream,
  lastLeftOut,
}: Required<Omit<NoticeHistory, 'completeSince'>> & { lastLeftOut: string | null }): NoticeHistory {
  const incomplete = [notices, periods, upstream].flatMap(list => {
    const ends = list.flatMap(({ endedAt }) => (endedAt ? Date.parse(endedAt) : []));
    return ends.length < historyLimits.ended ? [] : Math.min(...ends);
  });
  if (lastLeftOut) incomplete.push(Date.parse(lastLeftOut));
  const completeSince = incomplete.length ? new Date(Math.max(...incomplete)).toISOString() : null;
  return { notices, periods, upstream, completeSince };
}
