import type { ImportResult } from '../../subscribers/import.service.js';
import { type ImportedKind, importedKinds, type ImportedTemplate, type LeftOut } from './imported-page.js';
import type { PageImport } from './import-page.js';
import type { ImportPlan, KindPlan } from './plan.js';

interface KindReport {
  kind: ImportedKind;
  created: number;
  changed: number;
  unchanged: number;
  leftOut: number;
}

/** What an import wrote, or would write, and what it left out. */
export interface ImportReport {
  source: string;
  /** Null: a dry run of an import into a new page. */
  pageId: string | null;
  dryRun: boolean;
  kinds: KindReport[];
  leftOut: LeftOut[];
}

interface Outcome extends PageImport {
  plan: ImportPlan;
  /** Created with a new page. */
  templates: ImportedTemplate[];
  subscribers: ImportResult;
  leftOut: LeftOut[];
}

export function reportImport({ source, pageId, dryRun, plan, templates, subscribers, leftOut }: Outcome): ImportReport {
  const { rows, added, renewed, existing, repeated, left } = subscribers;
  const all = [...leftOut];
  if (left) all.push({ kind: 'subscriber', sourceId: `${left} of ${rows}`, reason: 'unsubscribed here' });
  const count = (kind: ImportedKind) => leftOut.filter(one => one.kind === kind).length;
  const report = (kind: ImportedKind, { created, changed, unchanged }: KindPlan<unknown>): KindReport => ({
    kind,
    created: created.length,
    changed: changed.length,
    unchanged,
    leftOut: count(kind),
  });
  return {
    source,
    pageId,
    dryRun,
    leftOut: all,
    kinds: [
      report('component', plan.components),
      report('notice', plan.notices),
      report('update', plan.updates),
      ...[
        report('recurrence', plan.recurrences),
        { kind: 'template' as const, created: templates.length, changed: 0, unchanged: 0, leftOut: count('template') },
      ].filter(isAny),
      {
        kind: 'subscriber',
        created: added,
        changed: renewed,
        unchanged: existing + repeated,
        leftOut: count('subscriber') + left,
      },
    ],
  };
}

/** Whether there are records of a kind that few sources have. */
const isAny = ({ created, changed, unchanged, leftOut }: KindReport) => created + changed + unchanged + leftOut > 0;

const headings = ['', 'new', 'changed', 'unchanged', 'left out'];
const shownIds = 3;

export function renderReport({ kinds, leftOut, dryRun }: ImportReport): string {
  const table = [
    headings,
    ...kinds.map(({ kind, created, changed, unchanged, leftOut: count }) => [
      `${kind}s`,
      ...[created, changed, unchanged, count].map(number => number.toLocaleString('en')),
    ]),
  ];
  const lines = table.map(([name, ...cells]) => `${name!.padEnd(12)}${cells.map(cell => cell.padStart(12)).join('')}`);
  const reasons = renderLeftOut(leftOut);
  return [
    ...(dryRun ? ['Nothing is written. An import would do this:'] : []),
    ...lines,
    ...(reasons.length ? ['', ...reasons] : []),
    '',
  ].join('\n');
}

/** A line for each reason, below a heading; empty where nothing was left out. */
export function renderLeftOut(leftOut: readonly LeftOut[]): string[] {
  const reasons = importedKinds.flatMap(kind => groupReasons(leftOut.filter(one => one.kind === kind)));
  return reasons.length ? ['Left out:', ...reasons] : [];
}

/** A line for each reason, with the first records that it is about. */
const groupReasons = (leftOut: readonly LeftOut[]): string[] =>
  [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, records]) => {
    const ids = records.slice(0, shownIds).map(({ sourceId }) => sourceId);
    const more = records.length > ids.length ? ` and ${(records.length - ids.length).toLocaleString('en')} more` : '';
    return `  ${records[0]!.kind} ${ids.join(', ')}${more}: ${reason}`;
  });
