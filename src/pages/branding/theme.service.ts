import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { inTransaction } from '../../db/transaction.js';
import type { Writer } from '../../records/writer.js';
import { type Problem, problems } from '../../core/problems.js';
import { Page } from '../page.entity.js';
import { readThemeArchive, type ThemeFiles } from './theme-archive.js';
import type { TryInTurn } from './theme-tries.js';
import { ArchiveError } from './zip-archive.js';
import { Theme } from './theme.entity.js';

/** Renders a theme on sample pages. Returns why it fails, as a message for the uploader, or null. */
export type ThemeTest = (theme: ThemeFiles) => Promise<string | null>;

interface ThemeTests {
  testTheme: ThemeTest;
  tryInTurn: TryInTurn;
}

/** If the archive is refused, the previous theme stays in place. */
export async function setTheme(
  write: Writer,
  { testTheme, tryInTurn }: ThemeTests,
  pageId: string,
  versions: number[] | null | undefined,
  zip: Buffer,
): Promise<void> {
  // Outside of the transaction, since it is slow and other writes to the page must not wait. A missing page or a stale
  // version is still refused first.
  const problem = zip.length ? await tryInTurn(pageId, () => findProblem(zip, testTheme)) : problems.blank;
  await write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const theme = await unit.em.findOne(Theme, { page: page.id });
    if (versions) await unit.find<Theme>([[Page, pageId], [Theme]], versions);
    if (problem) unit.validation.addError('zip', problem);
    unit.validation.throwIfInvalid();
    if (!theme) unit.create(Theme, { page, archive: zip });
    else {
      Object.assign(theme, { archive: zip, failingSince: null, failure: null });
      unit.touch(theme);
    }
    await unit.save();
  });
}

export function deleteTheme(write: Writer, pageId: string, versions?: number[] | null): Promise<void> {
  return write.transaction(async unit => {
    unit.em.remove(await unit.find<Theme>([[Page, pageId], [Theme]], versions));
    await unit.save();
  });
}

/** Identifies an upload. The version alone restarts at 1 for a theme that follows a deleted one. */
export const themeVersionSql = (theme: string) =>
  `(to_char(${theme}.created_at at time zone 'UTC', 'YYYYMMDDHH24MISSMS') || '.' || ${theme}.version)`;

/**
 * Records whether the theme rendered: null, or why it failed. Writes only when that changed; it counts as a change of
 * neither the theme nor the page. Ignored if the theme was replaced meanwhile: `version` is that of `themeVersionSql`.
 */
export async function recordThemeOutcome(
  database: Database,
  pageId: string,
  version: string,
  failure: string | null,
): Promise<void> {
  await inTransaction(database, em =>
    query(
      em,
      `update theme set failure = $3::text,
        failing_since = case when $3::text is not null
          then coalesce(failing_since, date_trunc('milliseconds', clock_timestamp())) end
      where page_id = $1 and ${themeVersionSql('theme')} = $2 and failure is distinct from $3::text`,
      [pageId, version, failure],
    ),
  );
}

const toProblem = (message: string | null): Problem | null =>
  message === null ? null : problems.unusable(message, `cannot be used: ${message}`);

async function findProblem(zip: Buffer, testTheme: ThemeTest): Promise<Problem | null> {
  try {
    return toProblem(await testTheme(await readThemeArchive(zip)));
  } catch (error) {
    if (error instanceof ArchiveError) return toProblem(error.message);
    throw error;
  }
}
