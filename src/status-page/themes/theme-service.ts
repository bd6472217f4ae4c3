import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/connection.js';
import type { Logger } from '../../core/logger.js';
import { readThemeArchive, type ThemeFiles } from '../../branding/theme-archive.js';
import { recordThemeOutcome, themeVersionSql } from '../../branding/theme.service.js';
import type { DiskSnapshots } from '../server/disk-snapshots.js';
import type { PageView } from '../view/view.js';
import { createPageExtras } from './page-extras.js';
import { ThemeFailure } from './render-job.js';
import { type RenderedTheme, renderTheme } from './render.js';
import type { RenderPool } from './render-pool.js';

/** Of all cached themes together. Most of it is images and fonts. */
const maxCacheBytes = 100 * 1024 * 1024;

/** Renders pages with their themes. If a theme fails, the standard page is shown, and the failure is recorded. */
export class ThemeService {
  private readonly cache = new LRUCache<string, ThemeFiles>({ maxSize: maxCacheBytes, sizeCalculation: getSize });

  constructor(
    private readonly database: () => Database | null,
    private readonly diskSnapshots: DiskSnapshots | null,
    private readonly pool: RenderPool,
    private readonly log: Logger,
  ) {}

  async render(view: PageView, version: string): Promise<RenderedTheme | null> {
    const pageId = view.page.id;
    try {
      const files = await this.loadFiles(pageId, version);
      if (!files) return null;
      const rendered = await renderTheme(this.pool, files, view, createPageExtras(view));
      await this.recordOutcome(pageId, version, null);
      return rendered;
    } catch (error) {
      const message = error instanceof ThemeFailure ? error.message : 'The theme could not be rendered.';
      this.log.warn({ err: error, page: pageId }, 'theme failed to render, the standard page is shown');
      await this.recordOutcome(pageId, version, message);
      return null;
    }
  }

  private async loadFiles(pageId: string, version: string): Promise<ThemeFiles | null> {
    const key = `${pageId}.${version}`;
    const cached = this.cache.get(key);
    if (cached) return cached;
    const archive = (await this.loadArchive(pageId, version)) ?? (await this.diskSnapshots?.loadTheme(pageId, version));
    if (!archive) return null;
    const files = await readThemeArchive(archive);
    this.cache.set(key, files);
    return files;
  }

  private async loadArchive(pageId: string, version: string): Promise<Buffer | null> {
    try {
      const rows = await this.database()?.query<{ archive: Uint8Array }>(
        `select archive from theme where page_id = $1 and ${themeVersionSql('theme')} = $2`,
        [pageId, version],
      );
      const archive = rows?.[0] ? Buffer.from(rows[0].archive) : null;
      if (archive) await this.diskSnapshots?.saveTheme(pageId, version, archive);
      return archive;
    } catch {
      return null;
    }
  }

  private async recordOutcome(pageId: string, version: string, failure: string | null): Promise<void> {
    const database = this.database();
    if (database) await recordThemeOutcome(database, pageId, version, failure).catch(() => {});
  }
}

function getSize({ templates, assets }: ThemeFiles): number {
  return [...templates.values(), ...assets.values()].reduce((sum, { length }) => sum + length, 1);
}
