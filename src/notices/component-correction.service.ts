import { invalid } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { query } from '../db/prepared-statements.js';
import type { MessageSnapshot } from '../notifications/messages/message-snapshot.js';
import { checkPreviewHash } from '../notifications/preview-hash.js';
import { describeComponentCorrection, recordPublication } from '../notifications/publish.service.js';
import { publishedSql } from '../notifications/published.js';
import type { RecordPath } from '../records/record-path.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { shownImpactSql } from './impact.rules.js';
import { Notice } from './notice.entity.js';
import type { SavedNotice } from './notice.service.js';

type NamedComponent = MessageSnapshot['notice']['components'][number];

/** What the newest message says; one that was stopped was perhaps sent to nobody. */
const sentSql = `
  select message_snapshot #> '{notice,components}' as components ${publishedSql('$1')} and stopped_at is null
  order by id desc limit 1`;

const namedSql = `
  select c.id, c.name, ${shownImpactSql('nc')} as impact
  from notice_component nc join component c on c.id = nc.component_id
  where nc.notice_id = $1 order by c.position, c.id`;

/**
 * Publishes the components that a notice names, where its newest message names others, to those who are notified of the
 * notice now and to those who were sent an earlier message. Refuses a notice whose newest message is right.
 */
export async function saveComponentCorrection(
  unit: Unit,
  pageId: string,
  id: string,
  versions?: readonly number[] | null,
  previewHash?: string | null,
): Promise<SavedNotice> {
  const path: RecordPath = pageRecordPath(pageId, Notice, id);
  const notice = await unit.find<Notice>(path, versions);
  const named = await query<NamedComponent>(unit.em, namedSql, [notice.id]);
  const [sent = { components: named }] = await query<{ components: NamedComponent[] }>(unit.em, sentSql, [notice.id]);
  if (listImpacts(sent.components) === listImpacts(named))
    throw invalid({
      id: [problems.notApplicable('must be of a notice whose components were changed since a message')],
    });
  const unaffected = sent.components.filter(component => named.every(other => other.id !== component.id));
  const correction = describeComponentCorrection(unit, notice, { affected: named, unaffected });
  const publicationId = await recordPublication(unit, notice, correction);
  await checkPreviewHash(unit, previewHash, publicationId, []);
  const componentIds = [...sent.components, ...named].map(component => component.id);
  return { pageId, recordId: notice.id, componentIds, outcome: { publicationId }, stateChanges: [] };
}

const listImpacts = (components: readonly NamedComponent[]): string =>
  components
    .map(component => `${component.id} ${component.impact}`)
    .toSorted()
    .join();

export const notifyComponentCorrection = (
  write: Writer,
  pageId: string,
  id: string,
  versions: readonly number[] | null | undefined,
  previewHash: string | null | undefined,
): Promise<SavedNotice> => write.transaction(unit => saveComponentCorrection(unit, pageId, id, versions, previewHash));
