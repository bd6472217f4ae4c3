import { query } from '../db/prepared-statements.js';
import type { Notice } from '../notices/notice.entity.js';
import type { NoticeState } from '../notices/notice.states.js';
import type { Unit } from '../records/unit.js';
import { determineEvent, type NoticeBefore } from './messages/event.js';
import type { PublicationEvent } from './messages/message-snapshot.js';
import { publishedSql } from './published.js';

/** Of a notice that was published, and stopped, thousands of times. */
const maxRecent = 100;

/**
 * The newest publication of a notice, and the newest one that was told: not stopped, and not about an update that was
 * deleted before it was sent to anybody. Each has a snapshot of up to a megabyte, so only one is read.
 */
const announcedSql = `
  with recent as materialized (
    select pub.id, pub.stopped_at is null and (pub.update_id is null
      or exists (select 1 from notice_update u where u.id = pub.update_id)
      or exists (select 1 from delivery d where d.publication_id = pub.id and d.state = 'sent')) as is_announced
    ${publishedSql('$1')} and pub.event <> 'correction' order by pub.id desc limit ${maxRecent}
  ), last as (select max(id) as id from recent where is_announced)
  select last.id is not null as "wasAnnounced", last.id = (select max(id) from recent) as "isNewest",
    (select p.message_snapshot #>> '{notice,state}' from publication p where p.id = last.id) as state
  from last`;

/**
 * The event of a change. What nobody was told is told by the next publication: a beginning or an end that was stopped,
 * and is then published as an update, is a beginning or an end for channels that send nothing else.
 */
export async function findEvent(unit: Unit, notice: Notice, before: NoticeBefore | null): Promise<PublicationEvent> {
  if (!before) return determineEvent(notice, null);
  const [row] = await query<{ wasAnnounced: boolean; isNewest: boolean | null; state: NoticeState | null }>(
    unit.em,
    announcedSql,
    [notice.id],
  );
  const { wasAnnounced, isNewest, state } = row!;
  const event = determineEvent(notice, before, !wasAnnounced);
  return event === 'updated' && wasAnnounced && !isNewest ? determineEvent(notice, { ...before, state }) : event;
}
