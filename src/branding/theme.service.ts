import type { Database } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction, type Writer } from '../records/writer.js';
import { text } from '../core/errors.js';
import { Page } from '../pages/page.entity.js';
import { readThemeArchive, ThemeArchiveError, type ThemeFiles } from './theme-archive.js';
import { Theme } from './theme.entity.js';

/** Draws a theme in all situations. Why it cannot be drawn, in words for the uploader; null where it can. */
export type ThemeTest = (theme: ThemeFiles) => Promise<string | null>;

let testTheme: ThemeTest | undefined;

/** Drawing is the business of an edge, which brings the test along when the service is put together. */
export function testThemesWith(test: ThemeTest): void {
  testTheme = test;
}

/** A refused archive leaves the theme before it in place. */
export async function setTheme(
  write: Writer,
  pageId: string,
  versions: number[] | null | undefined,
  zip: Buffer,
): Promise<void> {
  // It takes its time, and no other write to the page is to wait for it. What is missing or stale is refused first all the same.
  const problem = zip.length ? await problemOf(zip) : text.blank;
  await write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const theme = await unit.em.findOne(Theme, { page: page.id });
    if (versions) await unit.find<Theme>([[Page, pageId], [Theme]], versions);
    if (problem) unit.checks.refuse('zip', problem);
    unit.checks.pass();
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
    await unit.find<Page>([[Page, pageId]]);
    unit.em.remove(await unit.find<Theme>([[Page, pageId], [Theme]], versions));
    await unit.save();
  });
}

/** Names what was uploaded: the version alone begins anew with a theme that comes after one was deleted. */
export const themeVersionSql = (theme: string) =>
  `(to_char(${theme}.created_at at time zone 'UTC', 'YYYYMMDDHH24MISSMS') || '.' || ${theme}.version)`;

/**
 * How drawing the page in its theme went: null when it went well. Written only when it is news; it is no change of the theme, nor of the page.
 * Of a theme that was replaced meanwhile nothing is told: `version` is that of `themeVersionSql`.
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
        failing_since = case when $3::text is null then null else coalesce(failing_since, date_trunc('milliseconds', clock_timestamp())) end
      where page_id = $1 and ${themeVersionSql('theme')} = $2 and failure is distinct from $3::text`,
      [pageId, version, failure],
    ),
  );
}

async function problemOf(zip: Buffer): Promise<string | null> {
  if (!testTheme) throw new Error('Nobody brought the test of themes.');
  try {
    return await testTheme(await readThemeArchive(zip));
  } catch (error) {
    if (error instanceof ThemeArchiveError) return error.message;
    throw error;
  }
}
