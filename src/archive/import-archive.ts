import type { z } from 'zod';
import type { Role } from '../auth/roles.js';
import { transferSettings } from '../backup/digest.js';
import { Refusal } from '../core/errors.js';
import { markPageChanged } from '../db/committed-changes.js';
import { query } from '../db/prepared-statements.js';
import { planImportedOccurrences } from '../notices/automation/recurrence.automation.js';
import { forgetMoves } from '../records/moved-page.js';
import type { Unit } from '../records/unit.js';
import { refuseArchive } from './archive-error.js';
import { createRecordSchema, type Kind } from './kind.js';
import { kinds } from './kinds.js';
import { toFileName } from './manifest.js';
import type { Archive } from './read-archive.js';
import { type SecretOptions, secretsName, writeSecrets } from './secrets.js';
import { silenceSql } from './silence.js';
import { compileConflicts, compileInsert, compileSequence, uniqueField } from './statements.js';

type Row = Record<string, unknown>;

export interface ImportResult {
  pages: { id: string; name: string }[];
  /** How many records of each kind were inserted. */
  rows: Record<string, number>;
  roles: ImportedRole[];
}

/** A role that the archive gives to the person with this address. `page_id` is null: on all pages. */
export interface ImportedRole {
  email: string;
  role: Role;
  page_id: string | null;
}

/** What the installation has already of a file. */
interface Conflict {
  /** The first ones. */
  values: string[];
  count: number;
}

export interface ImportOptions {
  /** Null or absent: the secrets of the archive are left out. */
  secrets?: SecretOptions | null;
  /** Otherwise such an archive is refused: its author could become an owner of the installation. */
  allowsRolesOnAllPages?: boolean;
  report?(done: number, total: number): void;
}

const rowsAtOnce = 1_000;
const charactersAtOnce = 4 * 1024 * 1024;
const maxListedConflicts = 10;
const maxListedPeople = 10;

/**
 * Inserts the records of an archive with their ids, and queues nothing. It refuses an archive that is not as its
 * manifest says, and one whose ids or domains the installation has already: then nothing of the unit may be committed.
 */
export async function importArchive(
  unit: Unit,
  { manifest, readLines }: Archive,
  { secrets, allowsRolesOnAllPages = false, report = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  for (const setting of transferSettings) await query(unit.em, setting);
  requireKinds(Object.keys(manifest.files));
  const total = Object.values(manifest.files).reduce((sum, { rows }) => sum + rows, 0);
  const pages: ImportResult['pages'] = [];
  const counts: ImportResult['rows'] = {};
  const pageIds: string[] = [];
  const roles: ImportedRole[] = [];
  const conflicts: string[] = [];
  let done = 0;
  for (const [name, kind] of Object.entries(kinds)) {
    const file = toFileName(name);
    if (!manifest.files[file]) continue;
    const conflict: Conflict = { values: [], count: 0 };
    let [read, written] = [0, 0];
    if (kind.replacesRows) await query(unit.em, `delete from ${kind.table} where page_id = any($1)`, [pageIds]);
    for await (const rows of readBatches(file, kind, readLines(file))) {
      if (name === 'pages') {
        pages.push(...(rows as unknown as ImportResult['pages']));
        pageIds.push(...pages.map(({ id }) => id));
      }
      if (name === 'memberships') {
        roles.push(...(rows as unknown as ImportedRole[]));
        if (!allowsRolesOnAllPages) refuseRolesOnAllPages(roles);
      }
      await addConflicts(conflict, unit, kind, rows);
      if (!conflicts.length && !conflict.count) written += await insertRows(unit, file, kind, rows, pageIds);
      read += rows.length;
      done += rows.length;
      report(done, total);
    }
    if (read !== manifest.files[file]!.rows)
      throw refuseArchive(`${file} does not have as many rows as the manifest says`);
    if (conflict.count) conflicts.push(describeConflict(name, kind, conflict));
    counts[name] = written;
  }
  if (conflicts.length)
    throw new Refusal('CONFLICT', `The installation has already: ${conflicts.join('; ')}. Nothing was imported.`);
  if (secrets) counts.secrets = await importSecrets(unit, { manifest, readLines }, pageIds, secrets);
  await finish(unit, pages);
  return { pages, rows: counts, roles };
}

function requireKinds(files: string[]): void {
  const missing = Object.keys(kinds).find(name => !kinds[name]!.isOptional && !files.includes(toFileName(name)));
  if (missing !== undefined) throw refuseArchive(`${toFileName(missing)} is missing`);
  const expected = [...Object.keys(kinds).map(toFileName), secretsName];
  if (files.some(file => !expected.includes(file)))
    throw refuseArchive('the manifest names a file of another version of the format');
}

function refuseRolesOnAllPages(roles: ImportedRole[]): void {
  const people = roles.filter(({ page_id }) => page_id === null).map(({ email, role }) => `${email} (${role})`);
  if (people.length === 0) return;
  const more = people.length - maxListedPeople;
  const list = `${people.slice(0, maxListedPeople).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  throw refuseArchive(`it gives roles on all pages to ${list}; if you trust it, import it with --roles-on-all-pages`);
}

function importSecrets(
  unit: Unit,
  { manifest, readLines }: Archive,
  pageIds: string[],
  secrets: SecretOptions,
): Promise<number> {
  if (!manifest.files[secretsName] || !manifest.salt) throw refuseArchive('it has no secrets');
  return writeSecrets(unit, readLines(secretsName), pageIds, secrets, manifest.salt);
}

/** Parses the lines of a file. The records of a batch have a bounded number and length. */
async function* readBatches(file: string, kind: Kind, lines: AsyncIterable<string>): AsyncGenerator<Row[]> {
  const schema = createRecordSchema(kind);
  let [batch, characters, number]: [Row[], number, number] = [[], 0, 0];
  for await (const line of lines) {
    number += 1;
    batch.push(parseRow(schema, line, `${file}, line ${number}`));
    characters += line.length;
    if (batch.length < rowsAtOnce && characters < charactersAtOnce) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length) yield batch;
}

function parseRow(schema: z.ZodType<Row>, line: string, place: string): Row {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw refuseArchive(`${place}, is not JSON`);
  }
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const { code, path, message } = error.issues[0]!;
  if (code === 'unrecognized_keys') throw refuseArchive(`${place}, has a field that this version does not know`);
  throw refuseArchive(`${place}, is not valid${path.length ? ` at ${path.join('.')}` : ''}: ${message}`);
}

async function addConflicts(conflict: Conflict, unit: Unit, kind: Kind, rows: Row[]): Promise<void> {
  const field = uniqueField(kind);
  if (!field) return;
  const values = rows.map(row => row[field]);
  const present = await query<{ value: string }>(unit.em, compileConflicts(kind), [values]);
  conflict.values.push(...present.slice(0, maxListedConflicts - conflict.values.length).map(({ value }) => value));
  conflict.count += present.length;
}

function describeConflict(name: string, kind: Kind, { values, count }: Conflict): string {
  const more = count - values.length;
  return `${name} with the ${uniqueField(kind)} ${values.join(', ')}${more ? ` and ${more} more` : ''}`;
}

async function insertRows(unit: Unit, file: string, kind: Kind, rows: Row[], pageIds: string[]): Promise<number> {
  const [inserted] = await query<{ rows: number }>(unit.em, compileInsert(kind), [JSON.stringify(rows), pageIds]).catch(
    (error: { code?: string; message?: string }) => {
      // A value that the column does not take, a constraint, or a value that is too long for an index.
      if (/^(22|23|54)/.test(error.code ?? ''))
        throw refuseArchive(`${file} does not fit the tables: ${error.message}`);
      throw error;
    },
  );
  if (inserted!.rows !== rows.length && !kind.mayExist)
    throw refuseArchive(`${file} refers to a record that is not in the archive`);
  return inserted!.rows;
}

async function finish(unit: Unit, pages: ImportResult['pages']): Promise<void> {
  const pageIds = pages.map(({ id }) => id);
  for (const kind of Object.values(kinds)) {
    const sequence = compileSequence(kind);
    if (sequence) await query(unit.em, sequence);
  }
  await planImportedOccurrences(unit, pageIds);
  await forgetMoves(unit.em, pageIds);
  for (const statement of silenceSql) await query(unit.em, statement, [pageIds]);
  for (const id of pageIds) markPageChanged(unit.em, id);
  const [first] = pages;
  if (!first) return;
  unit.describeChange('Page', first.id, {}, pages.length === 1 ? first.id : null);
  unit.describeChanges(
    pages.map(({ id, name }) => ({ record: 'Page', recordId: id, field: 'name', before: null, after: name })),
  );
}
