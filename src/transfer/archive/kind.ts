import { z } from 'zod';
import type { RunQuery } from '../../db/prepared-statements.js';
import type { EncryptedColumn, SecretSettings } from '../../notifications/page-channels/encrypted-column.js';

/** A field of the records of a file. A plain schema: the column of the same name, as PostgreSQL writes it in JSON. */
export type Field = z.ZodType | ConvertedField;

interface ConvertedField {
  schema: z.ZodType;
  /** The column where it is stored. Default: that of its name. */
  column?: string;
  /** SQL of the value, of the row `k`. */
  read: string;
  /** SQL of what is stored, of the record `r`, which is JSON. */
  write: string;
}

/** The records of a file of the archive: the rows of a table. Export, import, JSON Schema and documentation use it. */
export interface Kind {
  table: string;
  description: string;
  /** SQL: what is exported in place of the rows of the table, of the pages `$1`. */
  source?: string;
  /** By name, in their order in a record. */
  fields: Record<string, Field>;
  /** SQL of the order of the records, which is the same in every installation. */
  order: string;
  /** The kinds that fields refer to by id. Without `page_id`, the first one leads to the page. */
  references?: Record<string, KindName>;
  /** SQL: which rows `k` belong to the pages `$1`. Default: those that the references lead to. */
  where?(isWhole: boolean): string;
  /** What no two rows of an installation may have in common: the id, if it is one of the fields, is always. */
  unique?: { field: string; where: string };
  /** Fields that earlier exports wrote, and that no import reads. */
  ignored?: readonly string[];
  /** Of fields that archives of earlier versions lack: what a new record has. */
  initial?: Record<string, unknown>;
  /** SQL of columns that no field has. */
  defaults?: Record<string, string>;
  /** Whether fields fit one another. */
  check?(record: Record<string, unknown>): boolean;
  /** Rows that exist already stay as they are. */
  mayExist?: true;
  /** SQL: which rows triggers have made for the pages, that those of the archive replace. */
  replacesRows?: string;
  /** Written only if the command says so. */
  isOptional?: true;
  /** Whole records are secret: they have no file of their own, and are encrypted in that of the secrets. */
  sealed?: Sealed;
  /** SQL in place of that of other kinds, for one of several tables: `$1` and `$2` as in `compileInsert`. */
  insert?: string;
}

type Row = Record<string, unknown>;

/** The archive encrypts a record as a whole by its passphrase. */
interface Sealed {
  /** The field that `SECRETS_KEY` encrypts in the row, and that is in clear in the record. */
  column?: EncryptedColumn;
  /** What a record has beyond its row, for another installation. */
  complete?(record: Row, installation: { settings: SecretSettings; run: RunQuery }): Promise<Row>;
}

/** The kinds that others refer to. */
export type KindName =
  | 'pages'
  | 'components'
  | 'metrics'
  | 'notices'
  | 'recurrences'
  | 'updates'
  | 'templates'
  | 'subscribers'
  | 'webhooks';

/** Leaves new ids to the installation: a row with the greatest possible id would have none after it. */
const maxId = 2_000_000_000;

export const id = z.int().min(1).max(maxId);
export const integer = z.int32();
/** A column that is incremented later, such as `version`. `maxId` is far enough below the maximum of an integer. */
export const counter = z.int().min(0).max(maxId);
export const text = z.string();
export const flag = z.boolean();
export const time = z.iso.datetime({ offset: true });
export const pageId = z.string().regex(/^[0-9a-f]{8}$/);
export const templateId = z.string().regex(/^[A-Za-z0-9]{6}$/);

export const metadata = z.record(z.string(), z.unknown()).nullable();
/** A text that a parser leaves as it is. */
export const parsed = (parse: (value: string) => string | null | undefined) =>
  text.refine(value => parse(value) === value, 'is not valid');

/** Where messages are sent. Private addresses are refused on connecting. */
export const webAddress = text.refine(url => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'is not an address');

export const bytes = (name: string, schema: z.ZodType = z.base64()): ConvertedField => ({
  schema,
  read: `translate(encode(k.${name}, 'base64'), E'\\n', '')`,
  write: `decode(r.record ->> '${name}', 'base64')`,
});

export const schemaOf = (field: Field): z.ZodType => (field instanceof z.ZodType ? field : field.schema);

/** Of the records that this version writes. It reads those of earlier versions, too. */
export function createRecordSchema({ fields, check, initial, ignored = [] }: Kind): z.ZodType<Record<string, unknown>> {
  const schemas = Object.entries(fields).map(([name, field]) => [name, schemaOf(field)] as const);
  const schema = z
    .strictObject(Object.fromEntries(schemas))
    .refine(record => check?.(record) ?? true, 'the fields do not fit one another');
  const isKnown = ([name]: [string, unknown]) => !ignored.includes(name);
  return z.preprocess(
    json =>
      z.record(z.string(), z.unknown()).safeParse(json).success
        ? { ...initial, ...Object.fromEntries(Object.entries(json as object).filter(isKnown)) }
        : json,
    schema,
  );
}

const rowsAtOnce = 1_000;
/** Of kinds with texts, each of which may have 65,535 characters of several bytes. */
const textRowsAtOnce = 20;
/** Of kinds with images, archives and lists of texts, of some MB a row. */
const largeRowsAtOnce = 4;
const largeFields = ['content', 'archive', 'changes', 'alerts'];
const shortTexts: readonly z.ZodType[] = [pageId, templateId];

/** How many records of a kind are read at once: all of them are in the memory of the process. */
export function countAtOnce({ fields }: Kind): number {
  if (largeFields.some(name => name in fields)) return largeRowsAtOnce;
  return Object.values(fields).map(schemaOf).some(isText) ? textRowsAtOnce : rowsAtOnce;
}

const isText = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? isText(schema.unwrap() as z.ZodType)
    : schema instanceof z.ZodString && !shortTexts.includes(schema);
