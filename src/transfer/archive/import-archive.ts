import type { Role } from '../../auth/roles.js';
import { transferSettings } from '../../db/backup/digest.js';
import { query } from '../../db/prepared-statements.js';
import { planImportedOccurrences } from '../../notices/recurrence/recurrence.automation.js';
import { forgetMoves } from '../../records/moved-page.js';
import type { Unit } from '../../records/unit.js';
import { refuseArchive } from './archive-error.js';
import { RecordInserter, type Row } from './insert-records.js';
import { fileKinds, ignoredKinds, kinds } from './kinds.js';
import { toFileName } from './manifest.js';
import type { Archive } from './read-archive.js';
import { type InsertRecord, type SecretOptions, secretsName, writeSecrets } from './secrets.js';
import { sealColumn } from './sealed-records.js';
import { silenceSql } from './silence.js';
import { compileSequence } from './statements.js';
import { unsignedSql } from './webhook-kinds.js';

export interface ImportResult {
  pages: { id: string; name: string }[];
  /** How many records of each kind were inserted. */
  rows: Record<string, number>;
  roles: ImportedRole[];
  /** They are unverified until this installation has found the proof in DNS. */
  domains: ImportedDomain[];
}

/** A role that the archive gives to the person with this address. `page_id` is null: on all pages. */
interface ImportedRole {
  email: string;
  role: Role;
  page_id: string | null;
}

interface ImportedDomain {
  domain: string;
  page_id: string;
}

export interface ImportOptions {
  /** Null or absent: the secrets of the archive are left out. */
  secrets?: SecretOptions | null;
  /** Otherwise such an archive is refused: its author could become an owner of the installation. */
  allowsRolesOnAllPages?: boolean;
  report?(done: number, total: number): void;
}

const maxListedPeople = 10;

/**
 * Inserts the records of an archive with their ids, and queues nothing. It refuses an archive that is not as its
 * manifest says, and one whose ids or domains the installation has already: then nothing of the unit may be committed.
 */
export async function importArchive(
  unit: Unit,
  archive: Archive,
  { secrets, allowsRolesOnAllPages = false, report = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  const { manifest, readLines } = archive;
  for (const setting of transferSettings) await query(unit.em, setting);
  requireKinds(Object.keys(manifest.files));
  const total = Object.values(manifest.files).reduce((sum, { rows }) => sum + rows, 0);
  const pages: ImportResult['pages'] = [];
  const roles: ImportedRole[] = [];
  const domains: ImportedDomain[] = [];
  let done = 0;
  const inspect = (name: string, rows: Row[]) => {
    if (name === 'pages') pages.push(...(rows as unknown as ImportResult['pages']));
    if (name === 'custom-domains') domains.push(...(rows as unknown as ImportedDomain[]));
    if (name === 'memberships') {
      const isGiven = ({ page_id }: ImportedRole) => page_id === null || pages.some(({ id }) => id === page_id);
      roles.push(...(rows as unknown as ImportedRole[]).filter(isGiven));
      if (!allowsRolesOnAllPages) refuseRolesOnAllPages(roles);
    }
    done += rows.length;
    report(done, total);
  };
  const inserter = new RecordInserter(unit, inspect, (kind, row) =>
    secrets ? sealColumn(kind, row, secrets.settings) : row,
  );
  for (const [name] of fileKinds) {
    const file = toFileName(name);
    if (!manifest.files[file]) continue;
    await inserter.begin(name, file);
    let read = 0;
    for await (const line of readLines(file)) await inserter.add(line, `${file}, line ${++read}`);
    await inserter.flush();
    if (read !== manifest.files[file]!.rows)
      throw refuseArchive(`${file} does not have as many rows as the manifest says`);
  }
  inserter.refuseConflicts();
  if (secrets) inserter.counts.secrets = await importSecrets(unit, archive, inserter, secrets);
  await finish(unit, pages);
  return { pages, rows: inserter.counts, roles, domains };
}

function requireKinds(files: string[]): void {
  const required = fileKinds.filter(([, { isOptional }]) => !isOptional).map(([name]) => toFileName(name));
  const missing = required.find(file => !files.includes(file));
  if (missing !== undefined) throw refuseArchive(`${missing} is missing`);
  const names = [...fileKinds.map(([name]) => name), ...ignoredKinds];
  const expected = [...names.map(toFileName), secretsName];
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

async function importSecrets(
  unit: Unit,
  { manifest, readLines }: Archive,
  inserter: RecordInserter,
  secrets: SecretOptions,
): Promise<number> {
  if (!manifest.files[secretsName] || !manifest.salt) throw refuseArchive('it has no secrets');
  const insertRecord: InsertRecord = async (kind, json, place) => {
    await inserter.begin(kind, secretsName);
    await inserter.add(json, place);
  };
  const { pageIds } = inserter;
  const count = await writeSecrets(unit, readLines(secretsName), pageIds, secrets, manifest.salt, insertRecord);
  await inserter.flush();
  inserter.refuseConflicts();
  const [unsigned] = await query(unit.em, unsignedSql, [pageIds]);
  if (unsigned) throw refuseArchive('a page has webhooks and no key that signs requests to them');
  return count;
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
  for (const id of pageIds) unit.em.pending.pageIds.add(id);
  const [first] = pages;
  if (!first) return;
  unit.describeChange('Page', first.id, {}, pages.length === 1 ? first.id : null);
  unit.describeChanges(
    pages.map(({ id, name }) => ({ record: 'Page', recordId: id, field: 'name', before: null, after: name })),
  );
}
