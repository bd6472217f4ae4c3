import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import type { CreateNoticeUpdateInput } from '../../notices/updates/update.inputs.js';
import { buildNewNotice, buildNoticeChange, type NoticeChange } from '../../notices/notice.service.js';
import { buildUpdate } from '../../notices/updates/update.service.js';
import type { Unit } from '../../records/writer.js';
import type { PreviewPublicationInput } from './preview.inputs.js';
import { createdTypes, findVerb } from './preview.verbs.js';

/** What a preview needs of a change. */
export type PreviewableChange = Pick<
  NoticeChange,
  'notice' | 'previous' | 'previousComponentIds' | 'impacts' | 'update'
>;

/** Builds the change that is previewed, as its mutation would, in a transaction that writes nothing. */
export function buildChange(
  unit: Unit,
  pageId: string,
  noticeId: string | null | undefined,
  input: PreviewPublicationInput,
): Promise<PreviewableChange> {
  const verb = findVerb(input, noticeId);
  const type = createdTypes[verb];
  const asked = { ...input[verb], shouldPublish: true };
  if (type) return buildNewNotice(unit, pageId, { ...asked, type });
  if (input.createNoticeUpdate) return buildUpdateChange(unit, pageId, noticeId!, input.createNoticeUpdate);
  return buildNoticeChange(unit, pageId, noticeId!, null, asked);
}

async function buildUpdateChange(
  unit: Unit,
  pageId: string,
  noticeId: string,
  input: CreateNoticeUpdateInput,
): Promise<PreviewableChange> {
  if (input.postedAt)
    throw invalid({ postedAt: [problems.notApplicable('must be omitted: nobody is notified of it')] });
  const { notice, update } = await buildUpdate(unit, pageId, noticeId, { ...input, shouldPublish: true });
  await notice.components.init();
  const previousComponentIds = notice.components.getIdentifiers<number>();
  return { notice, previous: notice, previousComponentIds, impacts: null, update };
}
