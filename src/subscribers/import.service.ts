import { setImmediate } from 'node:timers/promises';
import { query } from '../db/prepared-statements.js';
import type { Writer } from '../records/writer.js';
import { badRequest, notFound } from '../core/errors.js';
import { problems } from '../core/problems.js';
import type { SelectedIds } from '../records/select-ids.js';
import { Page } from '../pages/page.entity.js';
import { type ClassifiedRows, ImportClassifier } from './import-classifier.js';
import { findHolders } from './import-holders.js';
import { type ImportProblem, type ImportRow, validateRow } from './import-row.js';
import { writeSubscribers } from './import-write.js';
import { split, writeBatches } from './write-batches.js';
import { isActiveSql } from './sign-up.service.js';
import { subscriberRules } from './subscriber.service.js';
import type { Column } from './lists/list-fields.js';
import { UnreadableCsv } from './lists/read-list.js';
import { type CsvRow, readCsv, writeCsv } from './subscriber-csv.js';

interface ImportRequest {
  csv: string;
  /** The consent source of rows without their own. */
  consentSource: string;
  /** Reports the result, and writes nothing. */
  dryRun: boolean;
  /** Subscribes people again who have unsubscribed, because they asked for it since. */
  shouldResubscribe: boolean;
}

/** In a result, of as many rows with several each: they are about 3 MB of a response, which has 4. */
const maxProblems = 10_000;

/** Each row is counted once, or has problems. */
export interface ImportResult {
  rows: number;
  added: number;
  /** Had signed up without confirming, or had unsubscribed. */
  renewed: number;
  existing: number;
  repeated: number;
  left: number;
  problems: ImportProblem[];
  ignoredColumns: string[];
}

export const importSubscribers = async (write: Writer, pageId: string, request: ImportRequest): Promise<ImportResult> =>
  importList(write, pageId, await openList(write, pageId, request), request);

interface SubscriberList {
  rows: CsvRow[];
  /** Columns that are not imported. */
  ignored: string[];
  /** The ids of the components of the page. */
  components: ReadonlySet<number>;
}

/**
 * All rows are classified before anything is locked. Those that change something are written in batches, each a
 * transaction in which they are classified again. An import that fails half-way can be sent again: what it has written
 * counts as existing.
 */
export async function importList(
  write: Writer,
  pageId: string,
  { rows, ignored, components }: SubscriberList,
  request: Omit<ImportRequest, 'csv'>,
): Promise<ImportResult> {
  const { shouldResubscribe, dryRun } = request;
  const result: ImportResult = {
    rows: rows.length,
    added: 0,
    renewed: 0,
    existing: 0,
    repeated: 0,
    left: 0,
    problems: [],
    ignoredColumns: ignored,
  };
  const changes: (ImportRow & { weight?: number })[] = [];
  const classifier = new ImportClassifier(shouldResubscribe);
  for (const batch of split(rows)) {
    const valid = validateRows(batch, components, request.consentSource.trim(), result.problems);
    const classified = classifier.classify(valid, await write.readOnly(({ em }) => findHolders(em, pageId, valid)));
    const { added, renewed, ...unchanged } = classified;
    count(result, dryRun ? classified : unchanged);
    if (!dryRun) changes.push(...added, ...renewed);
    // Lets other requests in: on the embedded database nothing here waits for the network.
    await setImmediate();
  }
  const classifierInTransaction = new ImportClassifier(shouldResubscribe);
  const weigh = ({ weight = 1, componentIds }: (typeof changes)[number]) => weight + componentIds.length;
  await writeBatches(changes, weigh, async batch => {
    const classifiedRows = await write.transaction(async unit => {
      await unit.find<Page>([[Page, pageId]]);
      const classified = classifierInTransaction.classify(batch, await findHolders(unit.em, pageId, batch));
      await writeSubscribers(unit, pageId, classified);
      return classified;
    });
    count(result, classifiedRows);
  });
  result.problems = result.problems.sort((one, other) => one.line - other.line).slice(0, maxProblems);
  return result;
}

/** Reads the list; refuses an unknown page first, then what is wrong with the list as a whole. */
async function openList(write: Writer, pageId: string, { csv, consentSource }: ImportRequest): Promise<SubscriberList> {
  const list = await parseList(csv);
  return write.readOnly(async unit => {
    const { em, validation } = unit;
    await unit.find<Page>([[Page, pageId]]);
    if (!consentSource.trim()) validation.addError('consentSource', problems.blank);
    if (list.error) validation.addError('csv', problems.unusable(list.error));
    validation.throwIfInvalid();
    const components = await query<{ id: number }>(em, 'select id from component where page_id = $1', [pageId]);
    return { ...list, components: new Set(components.map(({ id }) => id)) };
  });
}

async function parseList(csv: string): Promise<{ rows: CsvRow[]; ignored: string[]; error?: string }> {
  try {
    return await readCsv(csv);
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    return { rows: [], ignored: [], error: error.message };
  }
}

/** Returns the valid rows, and adds the problems of the others: who left the list is not subscribed by it. */
function validateRows(
  rows: readonly CsvRow[],
  components: ReadonlySet<number>,
  source: string,
  problems: ImportProblem[],
): ImportRow[] {
  return rows.flatMap(row => {
    const { line, leaving } = row;
    if (leaving) {
      problems.push({ line, column: leaving.column, message: `The person ${leaving.reason}.` });
      return [];
    }
    const validated = validateRow(row, { rules: subscriberRules, components, source });
    problems.push(...validated.problems);
    return validated.problems.length ? [] : [validated.row];
  });
}

function count(result: ImportResult, { added, renewed, existing, repeated, left, problems }: Partial<ClassifiedRows>) {
  result.added += added?.length ?? 0;
  result.renewed += renewed?.length ?? 0;
  result.existing += existing ?? 0;
  result.repeated += repeated ?? 0;
  result.left += left ?? 0;
  result.problems.push(...(problems ?? []));
}

/** Each may have 100 tags, and thousands of components. */
const exportedAtOnce = 50;

/**
 * The active subscribers that `selection` returns, as CSV that can be imported, in order of creation. They are read in
 * batches, between which others have the database, until a response has no room: `limit` has its characters left.
 */
export async function exportSubscribers(
  write: Writer,
  pageId: string,
  { sql, values }: SelectedIds,
  limit: { left: number },
): Promise<string> {
  checkRoom(limit);
  const found = await write.readOnly(async ({ em }) => {
    const [page] = /^[0-9a-f]{8}$/.test(pageId) ? await query(em, 'select 1 from page where id = $1', [pageId]) : [];
    if (!page) throw notFound('page');
    const idsSql = `select id from subscriber where id in (${sql}) and ${isActiveSql} order by created_at, id`;
    return query<{ id: number }>(em, idsSql, values);
  });
  const ids = found.map(({ id }) => id);
  const parts = [writeCsv([])];
  for (let start = 0; start < ids.length; start += exportedAtOnce) {
    const batch = ids.slice(start, start + exportedAtOnce);
    const rows = await write.readOnly(({ em }) => query<Record<Column, string>>(em, exportSql, [batch]));
    const part = writeCsv(rows, { hasHeader: false });
    limit.left -= part.length;
    checkRoom(limit);
    parts.push(part);
  }
  return parts.join('');
}

const exportSql = `
  select coalesce(email, '') as email, coalesce(phone_number, '') as phone_number,
    coalesce(first_name, '') as first_name, coalesce(last_name, '') as last_name,
    coalesce(nickname, '') as nickname, coalesce(company, '') as company,
    array_to_string(tag_list, ',') as tag_list, array_to_string(kinds, ',') as kinds,
    array_to_string(
      array(select c.component_id from subscriber_component c where c.subscriber_id = s.id order by 1), ','
    ) as component_ids,
    consent_source
  from subscriber s where id = any($1::integer[]) and ${isActiveSql} order by created_at, id`;

function checkRoom({ left }: { left: number }): void {
  if (left < 0) throw badRequest('The list is too long. Ask for fewer subscribers at once, by a filter.');
}
