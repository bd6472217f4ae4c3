import type { Writer } from '../db/write.js';
import { text } from '../errors.js';
import { Page } from './page.entity.js';
import { readThemeArchive, ThemeArchiveError } from './theme.archive.js';
import { Theme } from './theme.entity.js';

/** A refused archive leaves the theme before it in place. */
export function setTheme(write: Writer, pageId: string, versions: number[] | null | undefined, zip: Buffer): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const theme = await unit.em.findOne(Theme, { page: page.id });
    if (versions) await unit.find<Theme>([[Page, pageId], [Theme]], versions);
    const problem = zip.length ? await problemOf(zip) : text.blank;
    if (problem) unit.checks.refuse('zip', problem);
    unit.checks.pass();
    if (!theme) unit.create(Theme, { page, archive: zip });
    else {
      theme.archive = zip;
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

async function problemOf(zip: Buffer): Promise<string | null> {
  try {
    await readThemeArchive(zip);
    return null;
  } catch (error) {
    if (error instanceof ThemeArchiveError) return error.message;
    throw error;
  }
}
