import type { Impact } from '../../notices/impact.rules.js';
import { createSynopsis } from '../../notices/notice-text.rules.js';
import type {
  ImportedComponent,
  ImportedKind,
  ImportedNotice,
  ImportedPage,
  ImportedUpdate,
  LeftOut,
} from './imported-page.js';
import { listComponents, listPeriods, type PeriodRow } from './notice-components.js';
import type { ImportedRecurrence } from './imported-recurrence.js';
import { fingerprintOf, type TrackedKind, type TrackedRecords } from './source-ids.js';

export interface PlannedRow<Row> {
  row: Row;
  sourceId: string;
  fingerprint: string;
}

/** What becomes of the records of a kind. */
export interface KindPlan<Row> {
  created: PlannedRow<Row>[];
  changed: (PlannedRow<Row> & { id: number })[];
  unchanged: number;
}

/** A notice as it is stored, with the ids of the source. */
export type NoticeRow = Omit<ImportedNotice, 'updates' | 'changes' | 'componentIds' | 'impact'> & {
  synopsis: string;
  components: { componentId: string; impact: Impact }[];
  /** Whether the source names components, hidden ones too: such a notice is not one of the whole page. */
  isNamed?: boolean;
};
export type UpdateRow = ImportedUpdate & { noticeId: string };

export interface ImportPlan {
  components: KindPlan<ImportedComponent>;
  notices: KindPlan<NoticeRow>;
  updates: KindPlan<UpdateRow>;
  periods: KindPlan<PeriodRow>;
  recurrences: KindPlan<ImportedRecurrence>;
  /** Ids here of periods that the source does not have any more. */
  endedPeriods: number[];
  leftOut: LeftOut[];
}

/** Compares what a source has with what came from it before. It reads and writes nothing. */
export function planImport(imported: ImportedPage, tracked: TrackedRecords): ImportPlan {
  const leftOut = [...imported.leftOut];
  const plan = <Row extends { sourceId: string }>(kind: TrackedKind, rows: readonly Row[]) =>
    planKind(kind, rows, tracked, leftOut);
  const components = plan('component', imported.components);
  const known = listUsable('component', imported.components, tracked);
  const oldestFirst = imported.notices.toSorted((one, other) => startOf(one) - startOf(other));
  const notices = plan('notice', oldestFirst.map(toNoticeRow));
  const usableNotices = listUsable('notice', oldestFirst, tracked);
  const updates = plan(
    'update',
    oldestFirst.filter(({ sourceId }) => usableNotices.has(sourceId)).flatMap(toUpdateRows),
  );
  const allPeriods = imported.periods ?? listPeriods(imported.notices);
  const periodRows = allPeriods.filter(({ componentId }) => known.has(componentId));
  const periods = planKind('period', periodRows, tracked, []);
  const present = new Set(periodRows.map(({ sourceId }) => sourceId));
  const ended = imported.notices.length ? [...tracked.period].filter(([sourceId]) => !present.has(sourceId)) : [];
  // When the first one is may depend on the day of the import.
  const recurrences = planKind('recurrence', imported.recurrences ?? [], tracked, leftOut, row => ({
    ...row,
    schedule: { ...row.schedule, beginsAt: null },
    endsAt: null,
  }));
  const missing: LeftOut[] = [];
  let missingCount = 0;
  for (const { row } of [...notices.created, ...notices.changed]) {
    row.isNamed = row.components.length > 0;
    const named = row.components;
    row.components = named.filter(({ componentId }) => known.has(componentId));
    missingCount += named.length - row.components.length;
    if (missing.length < maxMissing && row.components.length < named.length)
      missing.push(...listMissing(named, known, row.sourceId).slice(0, maxMissing - missing.length));
  }
  const unlisted = missingCount - missing.length;
  const sourceId = `of ${unlisted.toLocaleString('en')} more`;
  if (unlisted) missing.push({ kind: 'reference', sourceId, reason: 'names a component which is not there' });
  const endedPeriods = ended.map(([, { recordId }]) => recordId);
  return { components, notices, updates, periods, recurrences, endedPeriods, leftOut: [...leftOut, ...missing] };
}

function planKind<Row extends { sourceId: string }>(
  kind: TrackedKind,
  rows: readonly Row[],
  tracked: TrackedRecords,
  leftOut: LeftOut[],
  /** What of a row tells that the source says something else than before. */
  select: (row: Row) => unknown = row => row,
): KindPlan<Row> {
  const plan: KindPlan<Row> = { created: [], changed: [], unchanged: 0 };
  const seen = new Set<string>();
  for (const row of rows) {
    const { sourceId } = row;
    const before = tracked[kind].get(sourceId);
    const planned = { row, sourceId, fingerprint: fingerprintOf(select(row)) };
    const leaveOut = (reason: string) => leftOut.push({ kind: kind as ImportedKind, sourceId, reason });
    if (seen.has(sourceId)) leaveOut('is in the source twice');
    else if (!before) plan.created.push(planned);
    else if (!before.exists) leaveOut('was deleted here since the last import');
    else if (before.fingerprint === planned.fingerprint) plan.unchanged += 1;
    else plan.changed.push({ ...planned, id: before.recordId });
    seen.add(sourceId);
  }
  return plan;
}

/** The ids of the records that exist here once the import is written. */
export function listUsable(
  kind: TrackedKind,
  rows: readonly { sourceId: string }[],
  tracked: TrackedRecords,
): Set<string> {
  const stored = [...tracked[kind]];
  const deleted = new Set(stored.flatMap(([sourceId, { exists }]) => (exists ? [] : [sourceId])));
  return new Set([...rows.map(({ sourceId }) => sourceId), ...tracked[kind].keys()].filter(id => !deleted.has(id)));
}

const startOf = ({ beganAt, beginsAt, createdAt }: ImportedNotice): number =>
  (beganAt ?? beginsAt ?? createdAt).getTime();

function toNoticeRow(notice: ImportedNotice): NoticeRow {
  const { updates, changes: _, componentIds: __, impact: ___, ...fields } = notice;
  const timeline = updates.filter(({ kind }) => kind === 'update').toSorted(byTime);
  return { ...fields, synopsis: createSynopsis(timeline[0]?.content ?? null), components: listComponents(notice) };
}

const byTime = (one: ImportedUpdate, other: ImportedUpdate) => one.postedAt.getTime() - other.postedAt.getTime();

const toUpdateRows = ({ sourceId, updates }: ImportedNotice): UpdateRow[] =>
  updates.toSorted(byTime).map(update => ({ ...update, noticeId: sourceId }));

/** Of the components that notices name and the source does not have, which can be millions. */
const maxMissing = 10_000;

const listMissing = (
  named: readonly { componentId: string }[],
  known: ReadonlySet<string>,
  sourceId: string,
): LeftOut[] =>
  named.flatMap(({ componentId }) => {
    const reason = `names the component ${componentId}, which is not there`;
    return known.has(componentId) ? [] : [{ kind: 'reference', sourceId, reason }];
  });
