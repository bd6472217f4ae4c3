import type { ListName } from './record-lists.js';

/** A field of a record, as the file and the API have it. */
export type Value = string | number | boolean | null;
export type Values = Readonly<Record<string, Value>>;

/** A record of the file. A field that the file leaves out is not in `values`, and stays as it is. */
export interface FileRecord {
  id: string | null;
  values: Values;
  line: number;
  /** The line of each field. */
  lines: Readonly<Record<string, number>>;
}

export interface FileComponent extends FileRecord {
  components: FileComponent[];
}

/** The name, the path or the id of a component. */
export interface ComponentReference {
  text: string;
  line: number;
}

/** A record of a list. */
export interface FileListed extends FileRecord {
  /** Null: the file leaves them out, or the records of the list have none. */
  components: ComponentReference[] | null;
}

export interface FileChannel {
  channel: string;
  /** Null where a variable that the file names is not set. */
  credentials: { url: string; token?: string } | null;
  /** The variables that are not set. */
  missing: string[];
  line: number;
}

/** A section that is null is not in the file, and nothing of it changes. */
export interface PageFile extends Record<ListName, FileListed[] | null> {
  page: FileRecord;
  brand: FileRecord | null;
  components: FileComponent[] | null;
  channels: FileChannel[] | null;
}

export interface StoredRecord {
  id: string;
  version: number;
  values: Values;
}

export interface StoredComponent extends StoredRecord {
  parentId: string | null;
  position: number;
}

export interface StoredListed extends StoredRecord {
  componentIds: string[];
}

export interface StoredChannel {
  channel: string;
  isConfigured: boolean;
  host: string | null;
}

/** A page as the API returns it; a page that does not exist yet has neither settings nor a brand. */
export interface PageState extends Record<ListName, StoredListed[]> {
  page: StoredRecord | null;
  brand: StoredRecord | null;
  /** By position and id. */
  components: StoredComponent[];
  channels: StoredChannel[];
}

interface FileProblem {
  line: number;
  text: string;
}

/** The mistakes of a page file: all that one pass over it finds. */
export class PageFileError extends Error {
  constructor(readonly problems: readonly FileProblem[]) {
    super(problems.map(({ text }) => text).join('\n'));
  }
}

/** Refuses ids that the page does not have. */
export function refuseUnknown(kind: string, records: readonly FileRecord[]): void {
  if (!records.length) return;
  throw new PageFileError(
    records.map(({ id, line, lines }) => ({
      line: lines.id ?? line,
      text: `The page has no ${kind} ${id}. Leave the id out to create one.`,
    })),
  );
}

/** A line for each mistake, as compilers print them. */
export const describeProblems = (file: string, { problems }: PageFileError): string =>
  problems.map(({ line, text }) => `${file}:${line}: ${text}\n`).join('');
