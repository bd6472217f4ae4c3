import type { z } from 'zod';
import { Refusal } from '../../core/errors.js';
import { parseJson } from '../../http/body.js';
import { query } from '../../db/prepared-statements.js';
import type { Unit } from '../../records/unit.js';
import { refuseArchive } from './archive-error.js';
import { createRecordSchema, type Kind } from './kind.js';
import { kinds } from './kinds.js';
import { compileConflicts, compileInsert, uniqueField } from './statements.js';

export type Row = Record<string, unknown>;

/** What the installation has already of a kind. */
interface Conflict {
  /** The first ones. */
  values: string[];
  count: number;
}

const rowsAtOnce = 1_000;
/** Of a record. */
const maxValues = 100_000;
const charactersAtOnce = 4 * 1024 * 1024;
const maxListedConflicts = 10;

/** Inserts records in batches of a bounded number and length. Once there is a conflict, it only looks for others. */
export class RecordInserter {
  /** How many were inserted of each kind. */
  readonly counts: Record<string, number> = {};
  readonly pageIds: string[] = [];
  private readonly conflicts = new Map<string, Conflict>();
  private name = '';
  private kind!: Kind;
  private schema!: z.ZodType<Row>;
  /** The file of the kind, for messages. */
  private file = '';
  private batch: Row[] = [];
  private characters = 0;

  constructor(
    private readonly unit: Unit,
    /** Is given each batch before it is inserted. */
    private readonly inspect: (name: string, rows: Row[]) => void,
    private readonly seal: (kind: Kind, row: Row) => Row = (_, row) => row,
  ) {}

  /** The records that follow are of this kind. */
  async begin(name: string, file: string): Promise<void> {
    if (this.name === name) return;
    await this.flush();
    [this.name, this.kind, this.file] = [name, kinds[name]!, file];
    this.schema = createRecordSchema(this.kind);
    this.counts[name] = 0;
    const { table, replacesRows } = this.kind;
    if (replacesRows)
      await query(this.unit.em, `delete from ${table} where page_id = any($1) and ${replacesRows}`, [this.pageIds]);
  }

  async add(line: string, place: string): Promise<void> {
    this.batch.push(parseRow(this.schema, line, place));
    this.characters += line.length;
    if (this.batch.length >= rowsAtOnce || this.characters >= charactersAtOnce) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.batch;
    [this.batch, this.characters] = [[], 0];
    if (!rows.length) return;
    this.inspect(this.name, rows);
    if (this.name === 'pages') this.pageIds.push(...rows.map(({ id }) => String(id)));
    await this.addConflicts(rows);
    if (!this.conflicts.size) this.counts[this.name]! += await this.insert(rows.map(row => this.seal(this.kind, row)));
  }

  refuseConflicts(): void {
    const list = [...this.conflicts].map(([name, conflict]) => describeConflict(name, conflict)).join('; ');
    if (list) throw new Refusal('CONFLICT', `The installation has already: ${list}. Nothing was imported.`);
  }

  private async addConflicts(rows: Row[]): Promise<void> {
    const field = uniqueField(this.kind);
    if (!field) return;
    const values = rows.map(row => row[field]);
    const present = await query<{ value: string }>(this.unit.em, compileConflicts(this.kind), [values]);
    if (!present.length) return;
    const conflict = this.conflicts.get(this.name) ?? { values: [], count: 0 };
    conflict.values.push(...present.slice(0, maxListedConflicts - conflict.values.length).map(({ value }) => value));
    conflict.count += present.length;
    this.conflicts.set(this.name, conflict);
  }

  private async insert(rows: Row[]): Promise<number> {
    const values = [JSON.stringify(rows), this.pageIds];
    const [inserted] = await query<{ rows: number }>(this.unit.em, compileInsert(this.kind), values).catch(
      (error: { code?: string; message?: string }) => {
        // A value that the column does not take, a constraint, or a value that is too long for an index.
        if (/^(22|23|54)/.test(error.code ?? ''))
          throw refuseArchive(`${this.file} does not fit the tables: ${error.message}`);
        throw error;
      },
    );
    if (inserted!.rows !== rows.length && !this.kind.mayExist)
      throw refuseArchive(`${this.file} refers to a record that is not in the archive`);
    return inserted!.rows;
  }
}

function parseRow(schema: z.ZodType<Row>, line: string, place: string): Row {
  let json: unknown;
  try {
    json = parseJson(line, { maxValues });
  } catch {
    throw refuseArchive(`${place}, is not JSON`);
  }
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const { code, path, message } = error.issues[0]!;
  if (code === 'unrecognized_keys') throw refuseArchive(`${place}, has a field that this version does not know`);
  throw refuseArchive(`${place}, is not valid${path.length ? ` at ${path.join('.')}` : ''}: ${message}`);
}

function describeConflict(name: string, { values, count }: Conflict): string {
  const more = count - values.length;
  return `${name} with the ${uniqueField(kinds[name]!)} ${values.join(', ')}${more ? ` and ${more} more` : ''}`;
}
