import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { query } from '../../db/prepared-statements.js';
import { checkPreviewHash } from '../../notifications/preview-hash.js';
import { describeCorrection, type PublicationValues, recordPublication } from '../../notifications/publish.service.js';
import type { Unit, Writer } from '../../records/writer.js';
import type { Notice } from '../notice.entity.js';
import type { NoticeUpdate } from './update.entity.js';
import { findUpdate, type PostedUpdate } from './update.service.js';

/** The publications whose messages have another text of an update than the present one: its own, and later ones. */
const wrongSql = `
  select p.id from publication p where p.notice_id = $1 and (
    p.update_id = $2 and p.message_snapshot ->> 'text' <> $3
    or exists (
      select 1 from jsonb_array_elements(p.message_snapshot -> 'updates') shown
      where (shown ->> 'id')::integer = $2 and shown ->> 'content' <> $3))
  order by p.id`;

const correctedSql = `
  select 1 from publication where notice_id = $1 and update_id = $2 and event = 'correction' and created_at >= $3
    and stopped_at is null limit 1`;

interface PlannedCorrection {
  notice: Notice;
  update: NoticeUpdate;
  values: PublicationValues;
}

/** Refuses an update whose text was sent to nobody in another form than it has, or was corrected since. */
export async function planCorrection(
  unit: Unit,
  pageId: string,
  noticeId: string,
  id: string,
  versions?: readonly number[] | null,
): Promise<PlannedCorrection> {
  const { notice, update } = await findUpdate(unit, pageId, noticeId, id, versions);
  const wrong = await query<{ id: number }>(unit.em, wrongSql, [notice.id, update.id, update.content]);
  if (!wrong.length || !update.editedAt)
    throw invalid({ id: [problems.notApplicable('must be of an update that was edited since it was sent')] });
  const corrected = await query(unit.em, correctedSql, [notice.id, update.id, update.editedAt.toISOString()]);
  if (corrected.length)
    throw invalid({ id: [problems.notApplicable('must be of an update that was edited since it was corrected')] });
  const corrects = wrong.map(publication => publication.id);
  return { notice, update, values: describeCorrection(unit, notice, update, corrects) };
}

/** Publishes the present text of an update to those who were sent another one. */
export function notifyCorrection(
  write: Writer,
  pageId: string,
  noticeId: string,
  id: string,
  versions: readonly number[] | null | undefined,
  previewHash: string | null | undefined,
): Promise<PostedUpdate> {
  return write.transaction(async unit => {
    const { notice, update, values } = await planCorrection(unit, pageId, noticeId, id, versions);
    const publicationId = await recordPublication(unit, notice, values);
    await checkPreviewHash(unit, previewHash, publicationId, notice.state, []);
    return { pageId, noticeId, updateId: update.id, outcome: { publicationId } };
  });
}
