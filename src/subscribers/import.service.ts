import { query } from '../db/prepared-statements.js';
import type { EntityManager } from '../db/connection.js';
import type { Unit, Writer } from '../records/writer.js';
import { notFound, validationMessages } from '../core/errors.js';
import { Page } from '../pages/page.entity.js';
import { type ImportProblem, type ImportRow, validateRow } from './import-row.js';
import { isActiveSql } from './sign-up.service.js';
import { subscriberRules } from './subscriber.service.js';
import { type Column, type CsvRow, readCsv, UnreadableCsv, writeCsv } from './subscriber-csv.js';

export interface ImportRequest {
  csv: string;
  /** The consent source of rows without their own. */
  consentSource: string;
  /** Reports the result, and writes nothing. */
  dryRun: boolean;
  /** Subscribes people again who have unsubscribed, because they asked for it since. */
  resubscribe: boolean;
}

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

/** Takes one transaction and a fixed number of statements. Invalid rows are skipped, and reported. */
export function importSubscribers(
  write: Writer,
  pageId: string,
  { csv, consentSource, dryRun, resubscribe }: ImportRequest,
): Promise<ImportResult> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    if (!consentSource.trim()) unit.validation.addError('consentSource', validationMessages.blank);
    const { rows, ignored } = parseList(unit, csv);
    unit.validation.throwIfInvalid();
    const { valid, problems } = await validateRows(unit.em, page.id, rows, consentSource.trim());
    const sorted = await classify(unit.em, page.id, valid, resubscribe);
    problems.push(...sorted.problems);
    if (!dryRun) await writeSubscribers(unit, page.id, sorted);
    return {
      ...{ rows: rows.length, added: sorted.added.length, renewed: sorted.renewed.length },
      ...{ existing: sorted.existing, repeated: sorted.repeated, left: sorted.left },
      problems: problems.sort((one, other) => one.line - other.line),
      ignoredColumns: ignored,
    };
  });
}

function parseList(unit: Unit, csv: string): { rows: CsvRow[]; ignored: string[] } {
  try {
    return readCsv(csv);
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    unit.validation.addError('csv', error.message);
    return { rows: [], ignored: [] };
  }
}

async function validateRows(
  em: EntityManager,
  pageId: string,
  rows: readonly CsvRow[],
  source: string,
): Promise<{ valid: ImportRow[]; problems: ImportProblem[] }> {
  const components = new Set(
    (await query<{ id: number }>(em, 'select id from component where page_id = $1', [pageId])).map(({ id }) => id),
  );
  const validated = rows.map(row => validateRow(row, { rules: subscriberRules, components, source }));
  return {
    valid: validated.flatMap(({ row, problems }) => (problems.length ? [] : [row])),
    problems: validated.flatMap(({ problems }) => problems),
  };
}

interface ClassifiedRows extends Pick<ImportResult, 'existing' | 'repeated' | 'left' | 'problems'> {
  added: ImportRow[];
  renewed: (ImportRow & { id: number })[];
  /** Hidden records that hold the other address of somebody who is renewed. */
  replaced: number[];
}

interface RowMatches {
  /** No earlier row has one of its addresses. */
  first: boolean;
  holders: { id: number; active: boolean; left: boolean }[] | null;
}

/**
 * Finds out which rows are new, and which are known by one of their addresses. The database compares, since its rules
 * for case decide which addresses are the same. The page is locked, so that no address is taken meanwhile.
 */
async function classify(
  em: EntityManager,
  pageId: string,
  rows: readonly ImportRow[],
  resubscribe: boolean,
): Promise<ClassifiedRows> {
  const sorted: ClassifiedRows = {
    added: [],
    renewed: [],
    replaced: [],
    existing: 0,
    repeated: 0,
    left: 0,
    problems: [],
  };
  const matches = await query<RowMatches>(
    em,
    `with given as (
       select lower(nullif(email, '')) as email, nullif(phone, '') as phone, n
       from unnest($2::text[], $3::text[]) with ordinality as u (email, phone, n)
     )
     select n = coalesce(least(
         min(n) filter (where email is not null) over (partition by email),
         min(n) filter (where phone is not null) over (partition by phone)
       ), n) as first,
       (select json_agg(
          json_build_object('id', s.id, 'active', ${isActiveSql}, 'left', s.unsubscribed_at is not null)
          order by s.email is null, s.id
        )
        from subscriber s
        where s.page_id = $1 and (lower(s.email) = given.email or s.phone_number = given.phone)) as holders
     from given order by n`,
    [pageId, rows.map(({ email }) => email ?? ''), rows.map(({ phoneNumber }) => phoneNumber ?? '')],
  );
  const taken = new Set<number>();
  for (const [index, { first, holders }] of matches.entries()) {
    const row = rows[index]!;
    const known = holders ?? [];
    const active = known.filter(holder => holder.active);
    if (!first || known.some(({ id }) => taken.has(id))) sorted.repeated += 1;
    else if (active.length > 1)
      sorted.problems.push({ line: row.line, column: 'phone_number', message: validationMessages.taken });
    else if (active.length) sorted.existing += 1;
    else if (known.some(holder => holder.left) && !resubscribe) sorted.left += 1;
    else if (!known.length) sorted.added.push(row);
    else {
      for (const { id } of known) taken.add(id);
      sorted.renewed.push({ ...row, id: known[0]!.id });
      sorted.replaced.push(...known.slice(1).map(({ id }) => id));
    }
  }
  return sorted;
}

const recordset = `jsonb_to_recordset($1::jsonb) as r (id int, email text, "phoneNumber" text,
  "firstName" text, "lastName" text, nickname text, company text,
  "tagList" text[], kinds text[], "componentIds" int[], "consentSource" text)`;
const values = `r.email, r."phoneNumber", r."firstName", r."lastName", r.nickname, r.company,
  r."tagList", r.kinds, cardinality(r."componentIds") > 0, r."consentSource"`;
const names =
  'email, phone_number, first_name, last_name, nickname, company, tag_list, kinds, chose_components, consent_source';

async function writeSubscribers(
  { em, now }: Unit,
  pageId: string,
  { added, renewed, replaced }: ClassifiedRows,
): Promise<void> {
  if (replaced.length || renewed.length) {
    await query(em, 'delete from subscriber where id = any($1::int[])', [replaced]);
    await query(em, 'delete from subscriber_component where subscriber_id = any($1::int[])', [
      renewed.map(({ id }) => id),
    ]);
    await query(
      em,
      `update subscriber s set (${names}, confirmed_at, unsubscribed_at, updated_at, version, link_version) =
         (${values}, $2::timestamptz, null, $2::timestamptz, s.version + 1, s.link_version + 1)
       from ${recordset} where s.id = r.id`,
      [JSON.stringify(renewed), now],
    );
  }
  const inserted = await query<{ id: number; email: string | null; phone: string | null }>(
    em,
    `insert into subscriber (page_id, ${names}, confirmed_at, created_at, updated_at)
     select $2, ${values}, $3::timestamptz, $3::timestamptz, $3::timestamptz from ${recordset}
     returning id, email, phone_number as phone`,
    [JSON.stringify(added), pageId, now],
  );
  const ids = new Map(inserted.map(({ id, email, phone }) => [JSON.stringify([email, phone]), id]));
  const choices = [
    ...added.map(row => ({ ...row, id: ids.get(JSON.stringify([row.email, row.phoneNumber]))! })),
    ...renewed,
  ].flatMap(({ id, componentIds }) => componentIds.map(component => [id, component] as const));
  await query(
    em,
    'insert into subscriber_component (subscriber_id, component_id) select * from unnest($1::int[], $2::int[])',
    [choices.map(([id]) => id), choices.map(([, component]) => component)],
  );
}

/** The active subscribers as CSV that can be imported, in order of creation. */
export function exportSubscribers(write: Writer, pageId: string): Promise<string> {
  return write.transaction(async ({ em }) => {
    const [page] = /^[0-9a-f]{8}$/.test(pageId) ? await query(em, 'select 1 from page where id = $1', [pageId]) : [];
    if (!page) throw notFound('page');
    const rows = await query<Record<Column, string>>(
      em,
      `select coalesce(email, '') as email, coalesce(phone_number, '') as phone_number,
         coalesce(first_name, '') as first_name, coalesce(last_name, '') as last_name,
         coalesce(nickname, '') as nickname, coalesce(company, '') as company,
         array_to_string(tag_list, ',') as tag_list, array_to_string(kinds, ',') as kinds,
         array_to_string(
           array(select c.component_id from subscriber_component c where c.subscriber_id = s.id order by 1), ','
         ) as component_ids,
         consent_source
       from subscriber s where page_id = $1 and ${isActiveSql} order by created_at, id`,
      [pageId],
    );
    return writeCsv(rows);
  });
}
