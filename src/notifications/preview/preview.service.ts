import { defaultImpact } from '../../notices/impact.rules.js';
import { loadImpacts } from '../../notices/impact.service.js';
import type { ComponentState } from '../../components/component.states.js';
import { findStateChanges } from '../../components/component-states.service.js';
import type { KeyedQueue } from '../../core/keyed-queue.js';
import { type ChangedRows, overlay } from '../../db/overlay.js';
import { type RunQuery, type RunRead, toRead } from '../../db/prepared-statements.js';
import type { Unit, Writer } from '../../records/writer.js';
import { findTouchedComponents, type NoticeChange } from '../../notices/notice.service.js';
import { planCorrection } from '../../notices/updates/correction.service.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import { channelByName } from '../channels/registry.js';
import { describePublication, publicationParameters, type PublicationValues } from '../publish.service.js';
import type { PreviewPublicationInput } from './preview.inputs.js';
import {
  type Audience,
  findOverlappingNotices,
  hasPresentNotice,
  loadAudiences,
  orderByPosition,
  loadPublication,
  loadSuspendedAudiences,
  type PublicationRow,
} from './preview.queries.js';
import { buildChange, type PreviewableChange } from './build-change.js';
import { hashPreview } from '../preview-hash.js';
import { findWarnings, type WarningFacts } from './warnings.js';

/**
 * Renders a page as HTML, from what `read` sees, with these component states. The composition passes it in, since a
 * service may not import it.
 */
export type RenderPreviewPage = (
  read: RunRead,
  pageId: string,
  states: ReadonlyMap<number, ComponentState>,
) => Promise<string>;

export interface PreviewServices {
  /** Runs a statement outside of any transaction. */
  query: RunQuery;
  renderPage: RenderPreviewPage;
  /** Previews of a page run one after the other. */
  queue: KeyedQueue;
  /** Waits while notices are written, before each part. */
  yieldToWrites(): Promise<void>;
}

/** The id of records that are not saved: later than all others. */
const unsavedId = 2 ** 31 - 1;

/** A change that is not saved, with what it would cause. Each part is computed when it is first asked for. */
export interface PreviewedChange {
  noticeState: NoticeChange['notice']['state'];
  /** Null if nothing changes. */
  publication: Pick<PublicationValues, 'event' | 'text'> | null;
  audiences(): Promise<(Audience & { pageId: string })[]>;
  pageState(): Promise<string>;
  components(): Promise<PageStateChange[]>;
  warnings(): Promise<ReturnType<typeof findWarnings>>;
  /** Null if nothing changes. */
  hash(): Promise<string | null>;
  /** Only of a change that is published. */
  snapshot(): Promise<MessageSnapshot>;
  page(): Promise<string>;
}

export type PageStateChange = Awaited<ReturnType<typeof findStateChanges>>[number] & { pageId: string };

/**
 * A dry run, so that no rule exists twice: the same services build the change and describe its publication, and the
 * same SQL computes what it causes, over tables that are overlaid with the changed rows. It only reads: the change is
 * built in a transaction, and each part is a statement of its own, since the embedded database runs nothing else while
 * a transaction is open.
 */
export const previewChange = (
  write: Writer,
  services: PreviewServices,
  pageId: string,
  noticeId: string | null | undefined,
  input: PreviewPublicationInput,
): Promise<PreviewedChange> => preview(write, services, pageId, unit => planChange(unit, pageId, noticeId, input));

/** The same for the correction of an update, which changes nothing on the page. */
export const previewCorrection = (
  write: Writer,
  services: PreviewServices,
  pageId: string,
  noticeId: string,
  id: string,
): Promise<PreviewedChange> =>
  preview(write, services, pageId, async unit => {
    const { notice, values } = await planCorrection(unit, pageId, noticeId, id);
    const parameters = publicationParameters(unit, notice, values);
    return { notice, values, parameters, rows: [], touched: { touched: [], named: [] }, now: unit.now };
  });

async function preview(
  write: Writer,
  { query, renderPage, queue, yieldToWrites }: PreviewServices,
  pageId: string,
  makePlan: (unit: Unit) => Promise<Plan>,
): Promise<PreviewedChange> {
  const run = <Result>(work: () => Promise<Result>) => queue.run(pageId, () => yieldToWrites().then(work));
  const plan = await run(() => write.plan(makePlan));
  const { notice, values, rows, touched } = plan;
  const read = <Result>(work: (query: RunQuery) => Promise<Result>, more: ChangedRows[] = []) =>
    run(() => work(overlay(query, [...rows, ...more])));

  const publication = once(() => read(query => loadPublication(query, plan.parameters)));
  const stateChanges = once(() => read(query => findStateChanges(query, pageId, touched.touched, touched.named)));
  const audiences = once(async () => {
    if (!values) return [];
    const row = await publication();
    return read(query => loadAudiences(query, unsavedId), [publicationRows(row)]);
  });
  return {
    noticeState: notice.state,
    publication: values,
    audiences: async () => (await audiences()).map(audience => ({ ...audience, pageId })),
    hash: async () =>
      values &&
      hashPreview({
        publication: await publication(),
        audiences: await audiences(),
        noticeState: notice.state,
        componentStates: (await stateChanges()).map(({ id, after }) => ({ id, state: after })),
      }),
    pageState: once(async () => ((await read(query => hasPresentNotice(query, pageId))) ? 'degraded' : 'operational')),
    components: once(async () => {
      const changes = new Map((await stateChanges()).map(change => [change.id, change]));
      const ordered = await read(query => orderByPosition(query, [...changes.keys()]));
      return ordered.map(({ id }) => ({ pageId, ...changes.get(id)! }));
    }),
    warnings: once(async () => {
      const row = values && (await publication());
      const overlappingSubjects = row
        ? await read(query => findOverlappingNotices(query, notice.id, row.scope ?? []))
        : [];
      const suspended = row
        ? await read(query => loadSuspendedAudiences(query, unsavedId), [publicationRows(row)])
        : [];
      const facts = {
        publication: toWarningFacts(row),
        isForAllSubscribers: row?.scope === null && (await audiences()).some(isOfSubscribers),
        overlappingSubjects,
        suspended: suspended.map(({ channel, count }) => ({ channel: channelByName[channel].label, count })),
      };
      return findWarnings(facts, plan.now);
    }),
    snapshot: async () => (await publication()).message_snapshot,
    page: once(async () => {
      const states = new Map((await stateChanges()).map(({ id, after }) => [id, after]));
      return read(query => renderPage(toRead(query), pageId, states));
    }),
  };
}

/** Whether subscribers are notified, not a channel of the page. */
const isOfSubscribers = ({ channel, reason }: Audience): boolean =>
  reason === null && channelByName[channel].recipients === 'subscribers';

interface Plan {
  notice: NoticeChange['notice'];
  values: PublicationValues | null;
  /** Of `publicationSql`; empty if nothing changes. */
  parameters: unknown[];
  rows: ChangedRows[];
  touched: ReturnType<typeof findTouchedComponents>;
  now: Date;
}

async function planChange(
  unit: Unit,
  pageId: string,
  noticeId: string | null | undefined,
  input: PreviewPublicationInput,
): Promise<Plan> {
  const change = await buildChange(unit, pageId, noticeId, input);
  const { notice, previous, update } = change;
  const isChanged = unit.countVersions();
  notice.id ??= unsavedId;
  if (update) update.id = unsavedId;
  const values = isChanged ? await describePublication(unit, notice, previous, update) : null;
  return {
    notice,
    values,
    parameters: values ? publicationParameters(unit, notice, values) : [],
    rows: await toChangedRows(unit, change),
    touched: findTouchedComponents(change),
    now: unit.now,
  };
}

async function toChangedRows(unit: Unit, change: PreviewableChange): Promise<ChangedRows[]> {
  const { notice, previous, update } = change;
  const impacts = change.impacts ?? (previous ? await loadImpacts(unit, notice.id) : new Map());
  const components = notice.components.getIdentifiers<number>();
  const stored = previous ? [notice.id] : [];
  return [
    { table: 'notice', key: 'id', keys: stored, rows: [unit.toRow(notice)] },
    { table: 'notice_update', key: 'id', keys: [], rows: update ? [unit.toRow(update)] : [] },
    {
      table: 'notice_component',
      key: 'notice_id',
      keys: stored,
      rows: components.map(id => ({
        notice_id: notice.id,
        component_id: id,
        impact: impacts.get(id) ?? defaultImpact,
      })),
    },
  ];
}

const publicationRows = (row: PublicationRow): ChangedRows => ({
  table: 'publication',
  key: 'id',
  keys: [],
  rows: [{ ...row, id: unsavedId }],
});

/** Computes a result when it is first asked for. */
function once<Result>(compute: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= compute();
    return result;
  };
}

function toWarningFacts(row: PublicationRow | null): WarningFacts['publication'] {
  if (!row) return null;
  const { page, notice } = row.message_snapshot;
  const toDate = (iso: string | null) => (iso ? new Date(iso) : null);
  return {
    zone: page.zone,
    type: notice.type,
    state: notice.state,
    beginsAt: toDate(notice.beginsAt),
    endsAt: toDate(notice.endsAt),
  };
}
