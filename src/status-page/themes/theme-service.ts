import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/connection.js';
import type { Logger } from '../../core/logger.js';
import { readThemeArchive, type ThemeFiles } from '../../branding/theme-archive.js';
import { recordThemeOutcome, themeVersionSql } from '../../branding/theme.service.js';
import type { DiskSnapshots } from '../server/disk-snapshots.js';
import type { PageView } from '../view/view.js';
import { createPageExtras } from './page-extras.js';
import { RendererBusy, ThemeFailure } from './render-job.js';
import { type RenderedTheme, renderTheme } from './render.js';
import type { RenderPool } from './render-pool.js';

/** Of all cached themes together. Most of it is images and fonts. */
const maxCacheBytes = 100 * 1024 * 1024;

/** Doubles while the machine stays busy. */
const busyRetryDelayMs = 1_000;
/** After this time without a rendering, an outdated page is worse than the standard one. */
const maxBusyMs = 60_000;

export interface ThemeOutcome {
  /** Null: the page is shown without its theme. */
  theme: RenderedTheme | null;
  /** When to render again even if the page does not change, in milliseconds of this process's clock; null: never. */
  retryAt: number | null;
}

/**
 * Renders pages with their themes. If a theme fails, the standard page is shown, and the failure is recorded. While the
 * machine is too busy to render, the last rendering is shown.
 */
export class ThemeService {
  /** Since when the machine is too busy for a theme, by page, version and mount. */
  private readonly busySince = new LRUCache<string, number>({ max: 10_000 });
  private readonly cache = new LRUCache<string, ThemeFiles>({ maxSize: maxCacheBytes, sizeCalculation: getSize });

  constructor(
    private readonly database: () => Database | null,
    private readonly diskSnapshots: DiskSnapshots | null,
    private readonly pool: RenderPool,
    private readonly log: Logger,
  ) {}

  /** `last` is what the page shows now. */
  async render(view: PageView, version: string, last: RenderedTheme | null): Promise<ThemeOutcome> {
    const pageId = view.page.id;
    const key = `${pageId}.${version} ${view.mount.path}`;
    try {
      const files = await this.loadFiles(pageId, version);
      if (!files) return { theme: null, retryAt: null };
      const theme = await renderTheme(this.pool, files, view, createPageExtras(view));
      this.busySince.delete(key);
      await this.recordOutcome(pageId, version, null);
      return { theme, retryAt: null };
    } catch (error) {
      if (error instanceof RendererBusy) return this.keepLast(key, last);
      this.busySince.delete(key);
      const message = error instanceof ThemeFailure ? error.message : 'The theme could not be rendered.';
      this.log.warn({ err: error, page: pageId }, 'theme failed to render, the standard page is shown');
      await this.recordOutcome(pageId, version, message);
      return { theme: null, retryAt: null };
    }
  }

  private keepLast(key: string, last: RenderedTheme | null): ThemeOutcome {
    const now = Date.now();
    const since = this.busySince.get(key) ?? now;
    this.busySince.set(key, since);
    this.log.info({ theme: key, isLastShown: last !== null }, 'the machine is too busy to render a theme');
    return { theme: now - since < maxBusyMs ? last : null, retryAt: now + Math.max(busyRetryDelayMs, now - since) };
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
