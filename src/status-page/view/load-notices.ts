import type { Database } from '../../db/database.js';
import { monthOrder, orderSql, presentOrder, scheduledOrder } from '../../notices/notice.order.js';
import { presentSql } from '../../notices/notice.states.js';
import { tokenLength } from '../../notices/notice-text.rules.js';
import { monthRange } from './days.js';
import {
  countNotices,
  historyJson,
  noticesJson,
  responsesJson,
  selectNotices,
  toHistory,
  toNotices,
  toResponses,
} from './notice-sql.js';
import { listLimits, type NoticeSlice, type SnapshotPage, updateLimits } from './snapshot.js';

/** Notices that a snapshot may lack: one by a token or an id, a page of the list of open ones, or of a month. */
export type RequiredNotices =
  | { token: string }
  | { id: number }
  /** Ids that an imported notice may have at the product it came from, the best first. */
  | { sourceIds: readonly string[] }
  | { openPage: number }
  /** `month` is `2026-10`, in the page's zone; `componentIds` are a component and all above and below it. */
  | { month: string; monthPage: number; componentIds: number[] | null };

const sliceSql = (columns: string, commonTables = '') => `
${commonTables}select row_to_json(s)::text as body from (select ${columns} from page p where p.id = $1) s`;

const isPresent = presentSql('n.state');
const openOffset = `($2::integer - 1) * ${listLimits.open}`;

/** Present notices, incidents first, and then the scheduled ones: $2 is the number of the page. */
const openRows = [
  selectNotices(isPresent, presentOrder, `${listLimits.open} offset ${openOffset}`),
  selectNotices(
    `n.state = 'scheduled'`,
    scheduledOrder,
    `greatest(0, least(${listLimits.open}, ${listLimits.open} + ${openOffset} - ${countNotices(isPresent)}))
      offset greatest(0, ${openOffset} - ${countNotices(isPresent)})`,
  ),
].join(' union all ');

const isConcerned = `($5::integer[] is null
  or not exists (select 1 from notice_component nc where nc.notice_id = n.id)
  or exists (select 1 from notice_component nc where nc.notice_id = n.id and nc.component_id = any($5::integer[])))`;
const endedWithin = 'n.ended_at >= $2::timestamptz and n.ended_at < $3::timestamptz';

/** The notices that the history of a month lists, in its order: the rule is that of `findListedTime` in months.ts. */
const listedOfMonth = `with listed as materialized (
  select n.id, n.ended_at as at from notice n
    where n.page_id = $1 and n.type <> 'general' and ${endedWithin} and ${isConcerned}
  union all
  select n.id, n.ended_at from notice n
    where n.page_id = $1 and n.type = 'general' and ${endedWithin} and ${isConcerned}
  union all
  select n.id, n.began_at from notice n
    where n.page_id = $1 and n.began_at >= $2::timestamptz and n.began_at < $3::timestamptz
      and (n.ended_at is null or n.ended_at >= $3::timestamptz) and ${isConcerned})
`;

/** A single notice comes with more of its updates. */
const singleNoticeSql = (condition: string) =>
  sliceSql(
    `1 as total, ${noticesJson(
      `select n.* from notice n where n.page_id = p.id and ${condition}`,
      updateLimits.ofSingle,
    )} as notices`,
  );

const statements = {
  token: singleNoticeSql(`left(n.path, ${tokenLength}) = $2`),
  id: singleNoticeSql('n.id = $2::integer'),
  source: singleNoticeSql(`n.id = (
    select s.record_id from import_source s
    where s.page_id = p.id and s.kind = 'notice' and s.source_id = any($2::text[])
    order by array_position($2::text[], s.source_id), s.source limit 1)`),
  open: sliceSql(
    `${countNotices(`(${isPresent} or n.state = 'scheduled')`)} as total, ${noticesJson(openRows)} as notices`,
  ),
  month: sliceSql(
    `(select count(*) from listed) as total,
    ${noticesJson(`select n.* from notice n join (
      select n.id from listed n order by ${orderSql(monthOrder)}
      limit ${listLimits.month} offset ($4::integer - 1) * ${listLimits.month}) listed using (id)`)} as notices,
    ${historyJson('n.began_at < $3::timestamptz and n.ended_at >= $2::timestamptz')} as history,
    case when p.show_response_statistics then ${responsesJson} end as responses`,
    listedOfMonth,
  ),
};

/** Null: there is no such page. */
export async function loadNotices(
  database: Pick<Database, 'read'>,
  { id, zone }: Pick<SnapshotPage, 'id' | 'zone'>,
  required: RequiredNotices,
): Promise<NoticeSlice | null> {
  const [sql, parameters] = selectStatement(required, zone);
  const row = await database.read(sql, [id, ...parameters]);
  if (!row) return null;
  const { history, ...slice } = JSON.parse(row.body) as Omit<NoticeSlice, 'history'> & {
    history?: Parameters<typeof toHistory>[0];
  };
  return {
    ...slice,
    notices: toNotices(slice.notices),
    history: history && toHistory(history),
    responses: slice.responses ? toResponses(slice.responses) : undefined,
  };
}

function selectStatement(required: RequiredNotices, zone: string): [sql: string, parameters: unknown[]] {
  if ('token' in required) return [statements.token, [required.token]];
  if ('id' in required) return [statements.id, [required.id]];
  if ('sourceIds' in required) return [statements.source, [required.sourceIds]];
  if ('openPage' in required) return [statements.open, [required.openPage]];
  const { from, to } = monthRange(required.month, zone);
  return [statements.month, [from, to, required.monthPage, required.componentIds]];
}
