import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { query } from '../../db/prepared-statements.js';
import { checkPreviewHash } from '../../notifications/preview-hash.js';
import { describeCorrection, recordPublication } from '../../notifications/publish.service.js';
import { maxUpdates } from '../../notifications/snapshot-updates.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { findUpdate, type PostedUpdate } from './update.service.js';

/** Of the publications that can have its text, its own and the newest ones: each has a snapshot of up to a megabyte. */
const maxRead = 100;

/** The last publication of an update before which so many later ones were published that messages have $2 no more. */
const lastWithTextSql = `coalesce((
  select max(p.id) from publication p where p.notice_id = $1 and p.update_id = (
    select u.id from notice_update u where u.notice_id = $1 and u.should_publish and u.id > $2
    order by u.id offset ${maxUpdates - 1} limit 1)), ${2 ** 31 - 1})`;

/** The publications whose messages have another text of an update than the present one: its own, and later ones. */
export const wrongSql = `
  with recent as materialized (
    select p.id, p.update_id, p.message_snapshot from publication p
    where p.notice_id = $1 and (p.update_id = $2 or p.id <= ${lastWithTextSql})
    order by coalesce(p.update_id = $2, false) desc, p.id desc limit ${maxRead}
  )
  select p.id from recent p where
    p.update_id = $2 and p.message_snapshot ->> 'text' <> $3
    or exists (
      select 1 from jsonb_array_elements(p.message_snapshot -> 'updates') shown
      where (shown ->> 'id')::integer = $2 and shown ->> 'content' <> $3)
  order by p.id`;

const correctedSql = `
  select 1 from publication where notice_id = $1 and update_id = $2 and event = 'correction' and created_at >= $3
    and stopped_at is null limit 1`;

/**
 * Publishes the present text of an update to those who were sent another one. Refuses an update whose text was sent to
 * nobody in another form than it has, or was corrected since.
 */
export async function saveCorrection(
  unit: Unit,
  pageId: string,
  noticeId: string,
  id: string,
  versions?: readonly number[] | null,
  previewHash?: string | null,
): Promise<PostedUpdate> {
  const { notice, update } = await findUpdate(unit, pageId, noticeId, id, versions);
  const wrong = await query<{ id: number }>(unit.em, wrongSql, [notice.id, update.id, update.content]);
  if (!wrong.length || !update.editedAt)
    throw invalid({ id: [problems.notApplicable('must be of an update that was edited since it was sent')] });
  const corrected = await query(unit.em, correctedSql, [notice.id, update.id, update.editedAt.toISOString()]);
  if (corrected.length)
    throw invalid({ id: [problems.notApplicable('must be of an update that was edited since it was corrected')] });
  const corrects = wrong.map(publication => publication.id);
  const publicationId = await recordPublication(unit, notice, describeCorrection(unit, notice, update, corrects));
  await checkPreviewHash(unit, previewHash, publicationId, []);
  return { pageId, noticeId, updateId: update.id, outcome: { publicationId } };
}

export const notifyCorrection = (
  write: Writer,
  pageId: string,
  noticeId: string,
  id: string,
  versions: readonly number[] | null | undefined,
  previewHash: string | null | undefined,
): Promise<PostedUpdate> =>
  write.transaction(unit => saveCorrection(unit, pageId, noticeId, id, versions, previewHash));
