import { invalid } from '../../core/errors.js';
import type { KeyedQueue } from '../../core/queues/keyed-queue.js';
import { problems } from '../../core/problems.js';
import type { ComponentStateChange } from '../../components/component-states.service.js';
import { queryInTransaction, readInTransaction, type RunQuery, type RunRead } from '../../db/prepared-statements.js';
import { saveComponentCorrection } from '../../notices/component-correction.service.js';
import { saveCorrection } from '../../notices/updates/correction.service.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import type { SavedNotice } from '../../notices/notice.service.js';
import {
  type Audience,
  isCorrection,
  loadAudiences,
  loadPublication,
  loadSuspendedAudiences,
  type PublicationRow,
} from '../audience.queries.js';
import { findNoticeWarnings, findRecipientWarnings, type OverlappingNotice } from '../warning.service.js';
import type { Warning } from '../warnings.js';
import { isPageDegraded, orderByPosition } from './preview.queries.js';
import { findVerb } from './preview.verbs.js';
import { type PreparedChange, writeChange } from './write-change.js';

type RenderPage = () => Promise<string>;

export interface PreviewServices {
  /** Runs a statement outside of any transaction. */
  query: RunQuery;
  /** Reads a page, to be rendered later. The composition passes it in, since a service may not import it. */
  loadPage(read: RunRead, pageId: string): Promise<RenderPage>;
  /** Previews of a page run one after the other. */
  queue: KeyedQueue;
  yieldToWrites(): Promise<void>;
}

/** The parts of a preview that cost much, and whether they are selected. */
export interface SelectedParts {
  audiences: boolean;
  warnings: boolean;
  page: boolean;
}

/** What a change would cause. A part that is not selected is empty. */
export interface PreviewedChange {
  pageId: string;
  /** Null if nothing changes. */
  publication: PublicationRow | null;
  audiences: Audience[];
  pageState: 'operational' | 'degraded';
  /** By position. */
  components: ComponentStateChange[];
  warnings: Warning[];
  overlappingNotices: OverlappingNotice[];
  page: string;
}

export async function previewChange(
  write: Writer,
  services: PreviewServices,
  pageId: string,
  change: PreparedChange,
  parts: SelectedParts,
): Promise<PreviewedChange> {
  const verb = findVerb(change.input, change.noticeId);
  if (verb === 'createNoticeUpdate' && change.input[verb]!.postedAt)
    throw invalid({ postedAt: [problems.notApplicable('must be omitted: nobody is notified of it')] });
  const makeChange = (unit: Unit) => writeChange(unit, pageId, change, { shouldPublish: true });
  return previewWrite(write, services, pageId, makeChange, parts);
}

/** Previews `notifyCorrection`, which changes nothing on the page. */
export const previewCorrection = (
  write: Writer,
  services: PreviewServices,
  pageId: string,
  noticeId: string,
  id: string,
  parts: SelectedParts,
): Promise<PreviewedChange> =>
  previewWrite(
    write,
    services,
    pageId,
    async unit => {
      await saveCorrection(unit, pageId, noticeId, id);
      return { recordId: Number(noticeId), stateChanges: [] };
    },
    parts,
  );

/** Previews `notifyComponentCorrection`, which changes nothing on the page. */
export const previewComponentCorrection = (
  write: Writer,
  services: PreviewServices,
  pageId: string,
  id: string,
  parts: SelectedParts,
): Promise<PreviewedChange> =>
  previewWrite(write, services, pageId, unit => saveComponentCorrection(unit, pageId, id), parts);

type PreviewedNotice = Pick<SavedNotice, 'recordId' | 'stateChanges'>;

const unchanged: Warning = { code: 'unchanged', message: 'Nothing changes, so nothing is published.' };

/**
 * A dry run, so that no rule exists twice. The page is locked until the rollback: counting and rendering follow it.
 * `makeChange` returns the notice that is published; null: none is.
 */
export function previewWrite(
  write: Writer,
  { query, loadPage, queue, yieldToWrites }: PreviewServices,
  pageId: string,
  makeChange: (unit: Unit) => Promise<PreviewedNotice | null>,
  parts: SelectedParts,
): Promise<PreviewedChange> {
  return queue.run(pageId, async () => {
    await yieldToWrites();
    const { renderPage, ...effects } = await write.dryRun(async unit =>
      readEffects(unit, pageId, await makeChange(unit), parts, loadPage),
    );
    const { publication } = effects;
    const notice = publication && isCorrection(publication) ? null : effects.notice;
    const after = <Result>(isSelected: boolean, compute: (row: PublicationRow) => Promise<Result>, empty: Result) =>
      publication && isSelected ? yieldToWrites().then(() => compute(publication)) : empty;
    const audiences = await after(parts.audiences || parts.warnings, row => loadAudiences(query, row), []);
    const suspended = await after(parts.warnings, row => loadSuspendedAudiences(query, row), []);
    const page = await after(renderPage !== null, () => renderPage!(), '');
    const notified = audiences.filter(({ reason }) => reason === null);
    const warnings = publication
      ? [...(notice?.warnings ?? []), ...findRecipientWarnings(publication, notified, suspended)]
      : [unchanged];
    return { ...effects, pageId, audiences, warnings, overlappingNotices: notice?.overlapping ?? [], page };
  });
}

/** Reads what a change causes, in its transaction and in one round trip. */
async function readEffects(
  { em, publicationId }: Unit,
  pageId: string,
  changed: PreviewedNotice | null,
  parts: SelectedParts,
  loadPage: PreviewServices['loadPage'],
) {
  const run = queryInTransaction(em);
  const stateChanges = changed?.stateChanges ?? [];
  const [isDegraded, positions, publication, notice, renderPage] = await Promise.all([
    isPageDegraded(run, pageId),
    stateChanges.length ? orderByPosition(run, stateChanges) : [],
    publicationId === null ? null : loadPublication(run, publicationId),
    changed && publicationId !== null && parts.warnings ? findNoticeWarnings(run, changed.recordId) : null,
    publicationId !== null && parts.page ? loadPage(readInTransaction(em), pageId) : null,
  ]);
  const changes = new Map(stateChanges.map(change => [change.id, change]));
  return {
    publication,
    pageState: isDegraded ? ('degraded' as const) : ('operational' as const),
    components: positions.map(({ id }) => changes.get(id)!),
    notice,
    renderPage,
  };
}
