import { z } from 'zod';
import { CommandError } from '../../../core/errors.js';
import { fileKinds } from '../../archive/kinds.js';
import { createManifest, toFileName } from '../../archive/manifest.js';
import type { Archive } from '../../archive/read-archive.js';
import { convertRows, UnusableRow } from '../convert-rows.js';
import type { ImportedKind, LeftOut } from '../imported-page.js';
import { type Answers, listRows, readRaw, readRecord } from '../source.js';
import {
  componentShape,
  noticeShape,
  pageShape,
  subscriberShape,
  templateShape,
  updateShape,
} from '../sources/v1-shapes.js';
import {
  readBrand,
  requireRecord,
  type Row,
  sortByDepth,
  stamp,
  toNotice,
  toPage,
  toSubscriber,
  toUpdate,
} from './records.js';

/** The records of an archive, by their kind. */
type Records = Record<string, Row[]>;

/**
 * What `/v1` answers of pages, as an archive: its records keep their ids and links. `createKey` makes the key of a page
 * that signs the links of subscribers.
 */
export function createArchiveOfV1(
  pages: readonly Answers[],
  createKey: () => string,
): { archive: Archive; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const records = pages.map(answers => readPageOrRefuse(answers, leftOut, createKey()));
  const files = new Map(
    fileKinds.map(([kind]) => [toFileName(kind), records.flatMap(ofPage => ofPage[kind] ?? [])] as const),
  );
  const digests = [...files].map(([name, rows]) => [name, { rows: rows.length, sha256: '' }] as const);
  return {
    leftOut,
    archive: {
      manifest: createManifest(Object.fromEntries(digests)),
      async *readLines(file) {
        for (const row of files.get(file)!) yield JSON.stringify(row);
      },
    },
  };
}

/** A page that cannot keep its id ends the import: its records would be nowhere. */
function readPageOrRefuse(answers: Answers, leftOut: LeftOut[], linkKey: string): Records {
  try {
    return readPage(answers, leftOut, linkKey);
  } catch (error) {
    if (!(error instanceof UnusableRow)) throw error;
    const { id = '' } = (readRaw(answers, 'page') ?? {}) as { id?: unknown };
    throw new CommandError(
      `The page ${id} cannot keep its id: ${error.message}. ` +
        `Import it without --keep-ids, by --source-page ${id}.\n`,
    );
  }
}

function readPage(answers: Answers, leftOut: LeftOut[], linkKey: string): Records {
  const page = readRecord(answers, 'page', pageShape, leftOut)!;
  /** Converts each row, and leaves out those that the archive does not take. */
  const convert = <Source>(
    [kind, file, name]: readonly [ImportedKind, string, string],
    shape: z.ZodType<Source>,
    toRow: (source: Source) => Row,
    rows: readonly unknown[] = listRows(answers, file),
  ) =>
    convertRows({
      leftOut,
      kind,
      rows,
      shape,
      convert: source => ({ source, row: requireRecord(name, { page_id: page.id, ...toRow(source) }) }),
      result: z.custom<{ source: Source; row: Row }>(),
    });
  const components = convert(['component', 'components', 'components'], componentShape, row => ({
    ...stamp(row),
    id: Number(row.id),
    state: row.state ?? 'operational',
    name: row.name,
    description: row.description || null,
    position: row.position ?? 0,
    parent_id: row.parent_id == null ? null : Number(row.parent_id),
  }));
  const componentIds = new Set(components.map(({ row }) => row.id));
  const listKnown = (chosen: readonly { id: string }[]) =>
    chosen.map(({ id }) => Number(id)).filter(id => componentIds.has(id));
  const notices = convert(['notice', 'notices', 'notices'], noticeShape, toNotice);
  const updates = notices.flatMap(({ source, row }) =>
    convert(['update', '', 'updates'], updateShape, update => toUpdate(update, row.id), source.updates),
  );
  const subscribers = convert(['subscriber', 'subscribers', 'subscribers'], subscriberShape, subscriber => {
    const { components: chosen } = subscriber;
    if (chosen.length && !listKnown(chosen).length) throw new UnusableRow('chose only components that are not there');
    return toSubscriber(subscriber);
  });
  const templates = convert(['setting', 'notice-templates', 'templates'], templateShape, row => ({
    ...stamp(row),
    id: row.id,
    name: row.name,
    subject: row.subject ?? null,
    initial_comment: row.initial_comment ?? null,
    component_id: listKnown(row.component_id == null ? [] : [{ id: row.component_id }])[0] ?? null,
    type: null,
    state: null,
  }));
  return {
    pages: [toPage(page, leftOut, linkKey)],
    brands: readBrand(answers, page.id),
    components: sortByDepth(components.map(({ row }) => row)),
    notices: notices.map(({ row }) => row),
    updates: updates.map(({ row }) => row),
    'notice-components': notices.flatMap(({ source, row }) =>
      listKnown(source.components).map(component_id => ({ notice_id: row.id, component_id, impact: 'degraded' })),
    ),
    templates: templates.map(({ row }) => row),
    subscribers: subscribers.map(({ row }) => row),
    'subscriber-components': subscribers.flatMap(({ source, row }) =>
      listKnown(source.components).map(component_id => ({ subscriber_id: row.id, component_id })),
    ),
  };
}
