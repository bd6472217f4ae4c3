import type { RunQuery } from '../../db/prepared-statements.js';
import type { ChannelName } from '../channels/registry.js';
import { presentSql } from '../../notices/notice.states.js';
import { pageRecipientsSql, subscriberRecipientsSql } from '../delivery/audience.js';
import { type SkipReason, skipReasons } from '../delivery/delivery.states.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import { publicationSql } from '../publish.service.js';

/** A row of the table, as `publicationSql` selects it. */
export interface PublicationRow {
  message_snapshot: MessageSnapshot;
  /** The components that it concerns, with their ancestors and descendants; null: all subscribers are notified. */
  scope: number[] | null;
}

export async function loadPublication(run: RunQuery, parameters: unknown[]): Promise<PublicationRow> {
  const [found] = await run<{ row: PublicationRow }>(
    `select to_jsonb(publication) as row from (${publicationSql}) publication`,
    parameters,
  );
  return found!.row;
}

const sampleSize = 5;

/** By channel and reason; the reason is null for those who are notified. */
const audienceSql = (subscriberSource: string) => `
  with pub as materialized (
    select * from publication where id = $1
  ), recipients as (
    ${subscriberRecipientsSql(subscriberSource)} union all ${pageRecipientsSql}
  ), numbered as (
    select *, row_number() over (partition by channel, reason order by subscriber_id) as n from recipients
  )
  select channel, reason, count(*)::integer as count,
    array_agg(address order by n) filter (where n <= ${sampleSize}) as sample
  from numbered group by channel, reason order by channel, reason`;

/** The recipients on a channel, and why they are not notified; null for those who are. */
export interface Audience {
  channel: ChannelName;
  count: number;
  sample: string[];
  reason: SkipReason | null;
}

export const loadAudiences = (run: RunQuery, publicationId: number): Promise<Audience[]> =>
  run<Audience>(audienceSql('subscriber s'), [publicationId]);

const suspendedSubscribersSql = `(
  select s.* from recipient_refusals rr join subscriber s on s.id = rr.subscriber_id
  where rr.page_id = (select page_id from pub) and rr.suspended_at is not null) s`;

/** Those who would be notified were they not suspended. It reads no other subscribers. */
export async function loadSuspendedAudiences(run: RunQuery, publicationId: number): Promise<Audience[]> {
  const audiences = await run<Audience>(audienceSql(suspendedSubscribersSql), [publicationId]);
  return audiences.filter(({ reason }) => reason === skipReasons.suspended);
}

/** The subjects of other ongoing notices that name one of the components, newest first. */
export async function findOverlappingNotices(
  run: RunQuery,
  noticeId: number,
  components: readonly number[],
): Promise<string[]> {
  const rows = await run<{ subject: string }>(
    `select n.subject from notice n where n.id <> $1 and ${presentSql('n.state')}
       and exists (
         select 1 from notice_component c where c.notice_id = n.id and c.component_id = any($2::integer[]))
     order by n.id desc limit 5`,
    [noticeId, components],
  );
  return rows.map(({ subject }) => subject);
}

export async function hasPresentNotice(run: RunQuery, pageId: string): Promise<boolean> {
  const sql = `select 1 as one from notice where page_id = $1 and ${presentSql('state')} limit 1`;
  return (await run(sql, [pageId])).length > 0;
}

export const orderByPosition = (run: RunQuery, componentIds: readonly number[]): Promise<{ id: number }[]> =>
  run('select id from component where id = any($1::integer[]) order by position, id', [componentIds]);
