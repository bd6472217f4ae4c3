import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface TestMigration {
  name: string;
  statements: string[];
}

/** Adds what every release may add: the version before knows nothing of it, and writes the same tables. */
export const expand: TestMigration = {
  name: '29990101-expand',
  statements: [
    "alter table notice add column severity text not null default 'minor', add column region text",
    'create index notice_region on notice (page_id, region)',
    'create table notice_link (notice_id bigint not null references notice (id) on delete cascade, url text not null)',
    'alter table component add constraint component_named check (name is not null) not valid',
    "create function note_region() returns trigger language plpgsql as 'begin new.region := new.page_id; return new; end'",
    'create trigger notice_region before insert or update on notice for each row execute function note_region()',
  ],
};
/** Takes away what no version uses any more. */
export const contract: TestMigration = {
  name: '29990102-contract',
  statements: [
    'drop trigger notice_region on notice',
    'drop function note_region',
    'alter table notice drop column region, drop column severity',
    'drop table notice_link',
  ],
};

/** Copies the build of this version, and adds migrations to it. Returns its folder. */
export function createVersion(folder: string, name: string, added: readonly TestMigration[]): string {
  const code = join(folder, name);
  cpSync(join(root, 'dist'), join(code, 'dist'), { recursive: true });
  for (const file of ['package.json', 'node_modules']) symlinkSync(join(root, file), join(code, file));
  const file = join(code, 'dist/db/migrations/migrations.js');
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(/(export const migrations = \[[^\]]*)\]/, `$1, ...${JSON.stringify(added)}]`);
  if (changed === text) throw new Error(`${file} has no list of migrations.`);
  writeFileSync(file, changed);
  return code;
}
