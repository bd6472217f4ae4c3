import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/connection.js';
import { log } from '../../core/logger.js';
import { readThemeArchive, type ThemeFiles } from '../../branding/theme-archive.js';
import { recordThemeOutcome, themeVersionSql } from '../../branding/theme.service.js';
import type { KeptPages } from '../server/disk-snapshots.js';
import type { PageView } from '../view/view.js';
import { additionsOf } from './page-extras.js';
import { ThemeFailure } from './render-job.js';
import { type DrawnTheme, drawTheme } from './render.js';

/** What holds a theme is by far the most its pictures and fonts: bytes of all themes held. */
const heldAtMost = 100 * 1024 * 1024;

/** Draws pages in their themes. A theme that fails never takes its page down: the page is shown as if there were none, and the operator is told. */
export class Dresser {
  private readonly themes = new LRUCache<string, ThemeFiles>({ maxSize: heldAtMost, sizeCalculation: sizeOf });

  constructor(
    private readonly database: () => Database | null,
    private readonly kept: KeptPages | null,
  ) {}

  async dress(view: PageView, version: string): Promise<DrawnTheme | null> {
    const pageId = view.page.id;
    try {
      const files = await this.files(pageId, version);
      if (!files) return null;
      const drawn = await drawTheme(files, view, additionsOf(view));
      await this.record(pageId, version, null);
      return drawn;
    } catch (error) {
      const message = error instanceof ThemeFailure ? error.message : 'The theme could not be drawn.';
      log.warn({ err: error, page: pageId }, 'a theme could not be drawn: the page is shown without it');
      await this.record(pageId, version, message);
      return null;
    }
  }

  private async files(pageId: string, version: string): Promise<ThemeFiles | null> {
    const key = `${pageId}.${version}`;
    const held = this.themes.get(key);
    if (held) return held;
    const archive = (await this.archive(pageId, version)) ?? (await this.kept?.readTheme(pageId, version));
    if (!archive) return null;
    const files = await readThemeArchive(archive);
    this.themes.set(key, files);
    return files;
  }

  private async archive(pageId: string, version: string): Promise<Buffer | null> {
    try {
      const rows = await this.database()?.query<{ archive: Uint8Array }>(
        `select archive from theme where page_id = $1 and ${themeVersionSql('theme')} = $2`,
        [pageId, version],
      );
      const archive = rows?.[0] ? Buffer.from(rows[0].archive) : null;
      if (archive) await this.kept?.keepTheme(pageId, version, archive);
      return archive;
    } catch {
      return null;
    }
  }

  private async record(pageId: string, version: string, failure: string | null): Promise<void> {
    const database = this.database();
    if (database) await recordThemeOutcome(database, pageId, version, failure).catch(() => {});
  }
}

function sizeOf({ templates, assets }: ThemeFiles): number {
  return [...templates.values(), ...assets.values()].reduce((sum, { length }) => sum + length, 1);
}
