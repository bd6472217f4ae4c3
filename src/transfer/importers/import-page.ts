import { checkComponentCount } from '../../components/find-components.js';
import { describeProblem, showValue } from '../../core/problems.js';
import { badRequest, notFound } from '../../core/errors.js';
import { query } from '../../db/prepared-statements.js';
import { createNoticeTemplate } from '../../notices/templates/template.service.js';
import { updateBrand } from '../../pages/branding/brand.service.js';
import { Page } from '../../pages/page.entity.js';
import { isPrivateVisibility } from '../../pages/page-visibility.js';
import type { CreatePageInput } from '../../pages/page.inputs.js';
import { checkPageFields, createPage } from '../../pages/page.service.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { type ImportResult, importList } from '../../subscribers/import.service.js';
import { writeBatches } from '../../subscribers/write-batches.js';
import type { ImportedPage, LeftOut } from './imported-page.js';
import { type ImportReport, reportImport } from './import-report.js';
import { toSubscriberRows } from './imported-subscribers.js';
import { type ImportPlan, type KindPlan, listUsable, type NoticeRow, type PlannedRow, planImport } from './plan.js';
import { loadTracked, type TrackedRecords } from './source-ids.js';
import { writeRecurrences } from './write-recurrences.js';
import { type Target, writeComponents, writeNotices, writePeriods, writeUpdates } from './write-records.js';

export interface PageImport {
  /** Null: a new page. */
  pageId: string | null;
  /** The name of the product, by which its records are found again on this page. */
  source: string;
  imported: ImportedPage;
  /** Reports what would be written. */
  dryRun: boolean;
  progress?(done: number, total: number): void;
}

/**
 * Writes a page of another product. Nobody is notified. It writes in batches, each a transaction, so that other writes
 * need not wait; one that fails half-way can be run again, since a second import writes only what is new or changed.
 */
export async function importPage(write: Writer, request: PageImport): Promise<ImportReport> {
  const { source, imported, dryRun } = request;
  const leftOut: LeftOut[] = [];
  const settings = request.pageId === null ? toPageInput(imported.settings, leftOut) : null;
  const { plan, tracked, components } = await openPlan(write, request);
  const templates = settings ? (imported.templates ?? []) : [];
  if (!settings) leftOut.push(...listForNewPages(imported));
  const pageId = settings && !dryRun ? await createPage(write, settings) : request.pageId;
  const target: Target = { pageId: pageId ?? '', source, componentIds: new Map(), noticeIds: new Map() };
  for (const kind of ['component', 'notice'] as const)
    for (const [sourceId, { recordId, exists }] of tracked[kind])
      if (exists) target[`${kind}Ids`].set(sourceId, recordId);
  if (!dryRun) await writePlan(write, target, plan, request);
  if (settings && !dryRun) await writeForNewPage(write, target, imported);
  // In a dry run new components have no ids here: those of the source stand for them.
  const known = listUsable('component', imported.components, tracked);
  const ids = dryRun ? new Map([...known].map((sourceId, index) => [sourceId, -1 - index])) : target.componentIds;
  for (const { sourceId, componentId } of templates)
    if (componentId != null && !ids.has(componentId))
      leftOut.push({ kind: 'reference', sourceId, reason: `names the component ${componentId}, which is not there` });
  const rows = toSubscriberRows(imported.subscribers, ids, leftOut);
  const list = { rows, ignored: [], components: new Set([...components, ...ids.values()]) };
  const options = { consentSource: `${source} import`, dryRun, shouldResubscribe: false };
  const result: ImportResult = await importList(write, target.pageId, list, options);
  for (const { line, message } of result.problems)
    leftOut.push({ kind: 'subscriber', sourceId: imported.subscribers[line]!.sourceId, reason: message });
  return reportImport({
    ...request,
    pageId,
    plan,
    templates,
    subscribers: result,
    leftOut: [...plan.leftOut, ...leftOut],
  });
}

/** The settings of a new page, without those that are not valid here. */
function toPageInput(settings: ImportedPage['settings'], leftOut: LeftOut[]): CreatePageInput {
  if (!settings.name) throw badRequest('The source does not say what the page is called: choose a page to add to.');
  const problems = checkPageFields(settings as object);
  for (const [field, [problem]] of Object.entries(problems)) {
    const reason = describeProblem(field, showValue((settings as Record<string, unknown>)[field]), problem!);
    leftOut.push({ kind: 'setting', sourceId: field, reason });
  }
  const valid = Object.entries(settings).filter(([field, value]) => value != null && !problems[field]);
  return { name: settings.name, ...Object.fromEntries(valid) };
}

/** What would replace settings of a page that exists. */
const listForNewPages = ({ colours, templates = [] }: ImportedPage): LeftOut[] => {
  const reason = 'is imported to a new page only';
  return [
    ...(colours ? [{ kind: 'setting' as const, sourceId: 'colours', reason }] : []),
    ...templates.map(({ sourceId }): LeftOut => ({ kind: 'template', sourceId, reason })),
  ];
};

/** In one transaction. A template keeps its component where that was imported. */
const writeForNewPage = (write: Writer, { pageId, componentIds }: Target, { colours, templates = [] }: ImportedPage) =>
  write.together(async inner => {
    if (colours) await updateBrand(inner, pageId, null, colours);
    for (const { name, subject, content, componentId } of templates) {
      const id = componentId == null ? undefined : componentIds.get(componentId);
      await createNoticeTemplate(inner, pageId, { name, subject, content, componentIds: id ? [String(id)] : [] });
    }
  });

/** Reads what was imported before, and refuses a page that does not exist. */
const openPlan = (write: Writer, { pageId, source, imported }: PageImport) =>
  write.readOnly(async unit => {
    checkComponentCount(imported.components.length);
    const page = pageId === null ? null : await unit.lock(Page, pageId);
    if (pageId !== null && !page) throw notFound('page');
    // What only some visitors see there would be public here.
    if (imported.isPrivate && !(page && isPrivateVisibility(page.visibility)))
      throw badRequest(
        `At ${source} the page is for some visitors only. Choose a private page to add to: a page with a password, ` +
          'for the domains of e-mail addresses, or for members.',
      );
    const tracked: TrackedRecords = await loadTracked(unit.em, pageId, source);
    const components = await query<{ id: number }>(unit.em, 'select id from component where page_id = $1', [pageId]);
    const plan = planImport(imported, tracked);
    checkComponentCount(components.length + plan.components.created.length);
    return { tracked, components: components.map(({ id }) => id), plan };
  });

async function writePlan(write: Writer, target: Target, plan: ImportPlan, { progress }: PageImport): Promise<void> {
  const inUnit = (work: (unit: Unit) => Promise<unknown>) =>
    write.transaction(async unit => {
      await unit.find<Page>([[Page, target.pageId]]);
      await work(unit);
    });
  const total = countRows(plan.notices) + countRows(plan.updates);
  let done = 0;
  const inBatches = async <Row>(
    kind: KindPlan<Row>,
    weighRow: (row: Row) => number,
    writeBatch: (unit: Unit, batch: Pick<KindPlan<Row>, 'created' | 'changed'>) => Promise<unknown>,
  ) => {
    const write = async (batch: Pick<KindPlan<Row>, 'created' | 'changed'>) => {
      await inUnit(unit => writeBatch(unit, batch));
      done += batch.created.length + batch.changed.length;
      progress?.(done, total);
    };
    const weigh = ({ row }: PlannedRow<Row>) => weighRow(row);
    await writeBatches(kind.created, weigh, created => write({ created, changed: [] }));
    await writeBatches(kind.changed, weigh, changed => write({ created: [], changed }));
  };
  await inUnit(unit => writeComponents(unit, target, plan.components));
  await writeRecurrences(write, target, plan.recurrences);
  const weighNotice = ({ components }: NoticeRow) => 1 + components.length;
  await inBatches(plan.notices, weighNotice, (unit, batch) => writeNotices(unit, target, batch));
  await inBatches(
    plan.updates,
    () => 1,
    (unit, batch) => writeUpdates(unit, target, batch),
  );
  if (countRows(plan.periods) || plan.endedPeriods.length)
    await inUnit(unit => writePeriods(unit, target, plan.periods, plan.endedPeriods));
}

const countRows = ({ created, changed }: KindPlan<unknown>): number => created.length + changed.length;
