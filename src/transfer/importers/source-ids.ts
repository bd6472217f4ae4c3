import { hash } from 'node:crypto';
import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { Page } from '../../pages/page.entity.js';
import type { Writer } from '../../records/writer.js';

/** The kinds of records that are found again by the id of their source. Subscribers are by their addresses. */
export const trackedKinds = ['component', 'notice', 'update', 'period', 'recurrence'] as const;
export type TrackedKind = (typeof trackedKinds)[number];

interface TrackedRecord {
  recordId: number;
  /** Of what the source said at the last import. */
  fingerprint: string;
  /** Whether it has not been deleted since. */
  exists: boolean;
}

/** The records of a page that came from a source, by kind and id of the source. */
export type TrackedRecords = Record<TrackedKind, Map<string, TrackedRecord>>;

const tables: Record<TrackedKind, string> = {
  component: 'component',
  notice: 'notice',
  update: 'notice_update',
  period: 'manual_status',
  recurrence: 'recurrence',
};

const existsSql = trackedKinds
  .map(kind => `when '${kind}' then exists (select 1 from ${tables[kind]} r where r.id = s.record_id)`)
  .join(' ');

export const trackNothing = () => Object.fromEntries(trackedKinds.map(kind => [kind, new Map()])) as TrackedRecords;

export async function loadTracked(em: EntityManager, pageId: string | null, source: string): Promise<TrackedRecords> {
  const tracked = trackNothing();
  if (pageId === null) return tracked;
  const rows = await query<TrackedRecord & { kind: TrackedKind; sourceId: string }>(
    em,
    `select kind, source_id as "sourceId", record_id as "recordId", fingerprint, case kind ${existsSql} end as exists
     from import_source s where page_id = $1 and source = $2`,
    [pageId, source],
  );
  for (const { kind, sourceId, ...record } of rows) tracked[kind].set(sourceId, record);
  return tracked;
}

/** The components and notices of a page that have one of these ids in another product. */
export const findImported = (write: Writer, pageId: string, sourceIds: readonly string[]) =>
  write.readOnly(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    return query<{ sourceId: string; recordId: number }>(
      unit.em,
      `select source_id as "sourceId", record_id as "recordId" from import_source s
       where page_id = $1 and source_id = any($2::text[]) and kind in ('component', 'notice')
         and case kind ${existsSql} end`,
      [page.id, sourceIds],
    );
  });

/** The pages with this name of which a source still says one of these things: ids alone are those of others, too. */
export const listImportedPages = (
  write: Writer,
  source: string,
  name: string,
  fingerprints: readonly string[],
): Promise<string[]> =>
  write.readOnly(async ({ em }) => {
    const rows = await query<{ id: string }>(
      em,
      `select id from page p where name = $2
         and exists (
           select 1 from import_source s where s.page_id = p.id and s.source = $1 and s.fingerprint = any($3::text[]))
       order by id`,
      [source, name, fingerprints],
    );
    return rows.map(({ id }) => id);
  });

/** A record to be written, with its id here. */
export interface Identified<Row> {
  row: Row;
  sourceId: string;
  fingerprint: string;
  id: number;
}

/** Remembers from where records came, or what their source says now. */
export const track = (
  em: EntityManager,
  { pageId, source, kind }: { pageId: string; source: string; kind: TrackedKind },
  records: readonly Identified<unknown>[],
): Promise<unknown> =>
  query(
    em,
    `insert into import_source (page_id, source, kind, source_id, record_id, fingerprint)
     select $1, $2, $3, * from unnest($4::text[], $5::int[], $6::text[])
     on conflict (page_id, source, kind, source_id)
       do update set record_id = excluded.record_id, fingerprint = excluded.fingerprint`,
    [
      pageId,
      source,
      kind,
      records.map(({ sourceId }) => sourceId),
      records.map(({ id }) => id),
      records.map(({ fingerprint }) => fingerprint),
    ],
  );

/** Reserves ids for new records. */
export const reserveIds = async (em: EntityManager, kind: TrackedKind, count: number): Promise<number[]> =>
  (
    await query<{ id: number }>(
      em,
      'select nextval($1::regclass)::int as id from generate_series(1, $2::int) order by 1',
      [`${tables[kind]}_id_seq`, count],
    )
  ).map(({ id }) => id);

/** Tells whether the source says the same as before. */
export const fingerprintOf = (row: unknown): string => hash('sha256', JSON.stringify(row), 'base64url').slice(0, 22);
