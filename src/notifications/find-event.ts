import { query } from '../db/prepared-statements.js';
import type { Notice } from '../notices/notice.entity.js';
import type { NoticeState } from '../notices/notice.states.js';
import type { Unit } from '../records/unit.js';
import { determineEvent, type NoticeBefore } from './messages/event.js';
import type { PublicationEvent } from './messages/message-snapshot.js';
import { publishedSql } from './published.js';

/** Of a notice that was published, and stopped, thousands of times. */
const maxRecent = 100;

/** They announce no change of state: the state in an `updated` is that of an earlier message, which may be stopped. */
const withoutState: PublicationEvent[] = ['updated', 'postmortem', 'correction'];
const withoutStateSql = withoutState.map(event => `'${event}'`).join(', ');

const announcementsSql = (noticeId: string) => `(
  select pub.* ${publishedSql(noticeId)} and pub.event not in (${withoutStateSql})
  order by pub.id desc limit ${maxRecent})`;

/**
 * The state of a notice in the newest publication that announced one, was not stopped, and is not about an update that
 * was deleted: who had not been sent it yet will not be. Each has a snapshot of up to a megabyte, so only one is read.
 */
const lastStateSql = (noticeId: string) => `
  select p.message_snapshot #>> '{notice,state}' as state from publication p where p.id = (
    select recent.id from ${announcementsSql(noticeId)} recent
    where recent.stopped_at is null and (recent.update_id is null
      or exists (select 1 from notice_update u where u.id = recent.update_id))
    order by recent.id desc limit 1)`;

/** Whether somebody was sent one that was stopped, or whose update was deleted. */
const wasSentSql = `
  select 1 from ${announcementsSql('$1')} recent
  where exists (select 1 from delivery d where d.publication_id = recent.id and d.state = 'sent')
    or exists (select 1 from deleted_delivery_count d where d.publication_id = recent.id and d.state = 'sent')
  limit 1`;

/** SQL: `announcedAs` of a notice `k` in the installation to which it moves. */
export const announcedAsSql = `coalesce(
  (select coalesce(last.state, 'announced') from (${lastStateSql('k.id')}) last), k.announced_as)`;

/**
 * The event of a change. A beginning or an end that was not sent, was stopped, or whose update was deleted, is that of
 * the next publication, also where that is an update: channels that send nothing else would miss it.
 */
export async function findEvent(unit: Unit, notice: Notice, before: NoticeBefore | null): Promise<PublicationEvent> {
  if (!before) return determineEvent(notice, null);
  const [own] = await query<{ state: NoticeState | null }>(unit.em, lastStateSql('$1'), [notice.id]);
  const { announcedAs } = notice;
  const last = own ?? (announcedAs && { state: announcedAs === 'announced' ? null : announcedAs });
  const event = determineEvent(notice, before, !last);
  if (event !== 'updated') return event;
  if (last) return determineEvent(notice, { ...before, ...last });
  // It is over. Who was sent that it began, before that was stopped or deleted, is sent that it has ended.
  const isKnown = (await query(unit.em, wasSentSql, [notice.id])).length > 0;
  return isKnown ? determineEvent(notice, { ...before, state: null }) : event;
}
