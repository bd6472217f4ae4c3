import { invalid } from '../../core/errors.js';
import type { KeyedQueue } from '../../core/queues/keyed-queue.js';
import { problems } from '../../core/problems.js';
import type { ComponentStateChange } from '../../components/component-states.service.js';
import { queryInTransaction, readInTransaction, type RunQuery, type RunRead } from '../../db/prepared-statements.js';
import { saveComponentCorrection } from '../../notices/component-correction.service.js';
import { saveCorrection } from '../../notices/updates/correction.service.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import {
  type Audience,
  loadAudiences,
  loadPublication,
  loadSuspendedAudiences,
  type PublicationRow,
} from '../audience.queries.js';
import { channelByName, suspensionRuleOf } from '../channels/registry.js';
import {
  findManualStatuses,
  findOverlappingNotices,
  type OverlappingNotice,
  isPageDegraded,
  orderByPosition,
} from './preview.queries.js';
import { findVerb } from './preview.verbs.js';
import { findWarnings, type WarningFacts } from './warnings.js';
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
  warnings: ReturnType<typeof findWarnings>;
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
  return preview(
    write,
    services,
    pageId,
    async unit => (await writeChange(unit, pageId, change, { shouldPublish: true })).stateChanges,
    parts,
  );
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
  preview(
    write,
    services,
    pageId,
    async unit => {
      await saveCorrection(unit, pageId, noticeId, id);
      return [];
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
  preview(write, services, pageId, async unit => (await saveComponentCorrection(unit, pageId, id)).stateChanges, parts);

/** A dry run, so that no rule exists twice. The page is locked until the rollback: counting and rendering follow it. */
function preview(
  write: Writer,
  { query, loadPage, queue, yieldToWrites }: PreviewServices,
  pageId: string,
  makeChange: (unit: Unit) => Promise<readonly ComponentStateChange[]>,
  parts: SelectedParts,
): Promise<PreviewedChange> {
  return queue.run(pageId, async () => {
    await yieldToWrites();
    const { manualStatuses, now, renderPage, ...effects } = await write.dryRun(async unit =>
      readEffects(unit, pageId, await makeChange(unit), parts, loadPage),
    );
    const { publication } = effects;
    const after = <Result>(isSelected: boolean, compute: (row: PublicationRow) => Promise<Result>, empty: Result) =>
      publication && isSelected ? yieldToWrites().then(() => compute(publication)) : empty;
    const audiences = await after(parts.audiences || parts.warnings, row => loadAudiences(query, row), []);
    const suspended = await after(parts.warnings, row => loadSuspendedAudiences(query, row), []);
    const page = await after(renderPage !== null, () => renderPage!(), '');
    const facts = {
      publication: publication && toWarningFacts(publication),
      isForAllSubscribers: publication?.scope === null && audiences.some(isOfSubscribers),
      notifiedEarlier: audiences
        .filter(audience => audience.notifiedEarlier > 0)
        .map(({ channel, notifiedEarlier: count }) => ({ channel: channelByName[channel].label, count })),
      overlappingSubjects: effects.overlappingNotices.map(({ subject }) => subject),
      manualStatuses,
      suspended: suspended.map(({ channel: name, count }) => {
        const channel = channelByName[name];
        return { channel: channel.label, count, cause: suspensionRuleOf(channel).description };
      }),
    };
    return { ...effects, pageId, audiences, warnings: findWarnings(facts, now), page };
  });
}

/** Reads what a change causes, in its transaction and in one round trip. */
async function readEffects(
  { em, now, publicationId }: Unit,
  pageId: string,
  stateChanges: readonly ComponentStateChange[],
  parts: SelectedParts,
  loadPage: PreviewServices['loadPage'],
) {
  const run = queryInTransaction(em);
  const [isDegraded, positions, publication, overlappingNotices, manualStatuses, renderPage] = await Promise.all([
    isPageDegraded(run, pageId),
    stateChanges.length ? orderByPosition(run, stateChanges) : [],
    publicationId === null ? null : loadPublication(run, publicationId),
    publicationId !== null && parts.warnings ? findOverlappingNotices(run, publicationId) : [],
    publicationId !== null && parts.warnings ? findManualStatuses(run, publicationId) : [],
    publicationId !== null && parts.page ? loadPage(readInTransaction(em), pageId) : null,
  ]);
  const changes = new Map(stateChanges.map(change => [change.id, change]));
  return {
    publication,
    pageState: isDegraded ? ('degraded' as const) : ('operational' as const),
    components: positions.map(({ id }) => changes.get(id)!),
    overlappingNotices,
    manualStatuses,
    now,
    renderPage,
  };
}

/** Whether subscribers are notified, not a channel of the page. */
const isOfSubscribers = ({ channel, reason }: Audience): boolean =>
  reason === null && channelByName[channel].recipients === 'subscribers';

function toWarningFacts({ message_snapshot: { page, notice } }: PublicationRow): WarningFacts['publication'] {
  const toDate = (iso: string | null) => (iso ? new Date(iso) : null);
  return {
    zone: page.zone,
    type: notice.type,
    state: notice.state,
    beginsAt: toDate(notice.beginsAt),
    endsAt: toDate(notice.endsAt),
  };
}
