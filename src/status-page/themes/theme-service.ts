import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Database } from '../../db/database.js';
import type { Logger } from '../../core/logger.js';
import { readThemeArchive, type ThemeFiles } from '../../pages/branding/theme-archive.js';
import { recordThemeOutcome, themeVersionSql } from '../../pages/branding/theme.service.js';
import type { RenderedTheme } from '../routing/public-route.js';
import type { PageView } from '../view/view.js';
import { RendererBusy, ThemeFailure } from './render-job.js';
import { type PreparedTheme, prepareTheme, renderPrepared } from './render.js';
import type { RenderPool } from './render-pool.js';

/** Of all cached themes together. Most of it is images and fonts, and the objects of locales. */
const maxCacheBytes = 100 * 1024 * 1024;

/** Doubles while the machine stays busy. */
const busyRetryDelayMs = 1_000;
const minRetryDelayMs = 60_000;
const maxRetryDelayMs = 60 * 60_000;
/** After this time without a rendering, an outdated page is worse than the standard one. */
const maxBusyMs = 60_000;

interface Failure {
  retryDelayMs: number;
  retryAt: number;
  isOverLimit: boolean;
}

/** The uploaded themes on the disk, for the time without a database. */
interface ThemeArchives {
  saveTheme(pageId: string, version: string, archive: Buffer): Promise<void>;
  loadTheme(pageId: string, version: string): Promise<Buffer | null>;
}

interface ThemeOutcome {
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
  /** Since when a theme could not be rendered in time, by page, version and mount. */
  private readonly busySince = new LRUCache<string, number>({ max: 10_000 });
  /** What is in the database, by page and version. Another process may overwrite it. */
  private readonly recorded = new LRUCache<string, { failure: string | null }>({ max: 10_000, ttl: 60_000 });
  /** The themes that fail, by page and version. */
  private readonly failures = new LRUCache<string, Failure>({ max: 10_000 });
  /** One at a time: each unpacks up to 50 MB. */
  private readonly loads = new PQueue({ concurrency: 1 });
  private readonly cache = new LRUCache<string, ThemeFiles>({ maxSize: maxCacheBytes, sizeCalculation: getSize });

  constructor(
    private readonly database: () => Database | null,
    private readonly disk: ThemeArchives | null,
    private readonly pool: RenderPool,
    private readonly log: Logger,
  ) {}

  /** `last` is what the page shows now. */
  async render(view: PageView, version: string, last: RenderedTheme | null): Promise<ThemeOutcome> {
    const pageId = view.page.id;
    const themeKey = `${pageId}.${version}`;
    const key = `${themeKey} ${view.mount.path}`;
    const failure = this.failures.get(themeKey);
    // A theme with another fault costs little, and may work again as soon as the page changes.
    if (failure?.isOverLimit && Date.now() < failure.retryAt) return { theme: null, retryAt: failure.retryAt };
    try {
      const prepared = await this.prepare(pageId, version);
      if (!prepared) throw new RendererBusy('The theme could not be loaded.');
      const loadAsset = (name: string) => async () => (await this.loadFiles(pageId, version))?.assets.get(name) ?? null;
      const theme = await renderPrepared(this.pool, prepared, view, loadAsset);
      this.busySince.delete(key);
      this.failures.delete(themeKey);
      await this.recordOutcome(pageId, version, null);
      return { theme, retryAt: null };
    } catch (error) {
      const isOverLimit = error instanceof ThemeFailure && error.isOverLimit;
      // The time of a theme may also run out on a machine that is busy for a moment.
      const isTriedAgain = isOverLimit && !failure && !this.busySince.has(key);
      if (error instanceof RendererBusy || isTriedAgain) return this.keepLast(key, last);
      this.busySince.delete(key);
      const message = error instanceof ThemeFailure ? error.message : 'The theme could not be rendered.';
      this.log.warn({ err: error, page: pageId }, 'theme failed to render, the standard page is shown');
      const retryAt = this.addFailure(themeKey, isOverLimit);
      await this.recordOutcome(pageId, version, message);
      return { theme: null, retryAt };
    }
  }

  /** Returns when to try again: after 1, 2, 4 ... minutes. */
  private addFailure(themeKey: string, isOverLimit: boolean): number {
    const now = Date.now();
    const last = this.failures.get(themeKey);
    // It failed at the other mount, or again when the page changed.
    if (last && now < last.retryAt) {
      this.failures.set(themeKey, { ...last, isOverLimit });
      return last.retryAt;
    }
    const retryDelayMs = Math.min(last ? 2 * last.retryDelayMs : minRetryDelayMs, maxRetryDelayMs);
    this.failures.set(themeKey, { retryDelayMs, retryAt: now + retryDelayMs, isOverLimit });
    return now + retryDelayMs;
  }

  private keepLast(key: string, last: RenderedTheme | null): ThemeOutcome {
    const now = Date.now();
    const since = this.busySince.get(key) ?? now;
    this.busySince.set(key, since);
    this.log.info({ theme: key, isLastShown: last !== null }, 'a theme cannot be rendered at the moment');
    return { theme: now - since < maxBusyMs ? last : null, retryAt: now + Math.max(busyRetryDelayMs, now - since) };
  }

  /** In a function of its own, so that a rendering that waits for its turn does not keep the files. */
  private async prepare(pageId: string, version: string): Promise<PreparedTheme | null> {
    const files = await this.loadFiles(pageId, version);
    return files && prepareTheme(files);
  }

  private loadFiles(pageId: string, version: string): Promise<ThemeFiles | null> {
    const cached = this.cache.get(`${pageId}.${version}`);
    return cached ? Promise.resolve(cached) : this.loads.add(() => this.loadUncached(pageId, version));
  }

  private async loadUncached(pageId: string, version: string): Promise<ThemeFiles | null> {
    const key = `${pageId}.${version}`;
    const cached = this.cache.get(key);
    if (cached) return cached;
    const archive = (await this.loadArchive(pageId, version)) ?? (await this.disk?.loadTheme(pageId, version));
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
      if (archive) await this.disk?.saveTheme(pageId, version, archive);
      return archive;
    } catch {
      return null;
    }
  }

  /** Writes to the database only when the outcome differs from the last one. */
  private async recordOutcome(pageId: string, version: string, failure: string | null): Promise<void> {
    const database = this.database();
    const key = `${pageId}.${version}`;
    if (!database || this.recorded.get(key)?.failure === failure) return;
    const isRecorded = await recordThemeOutcome(database, pageId, version, failure).then(
      () => true,
      () => false,
    );
    if (isRecorded) this.recorded.set(key, { failure });
  }
}

/** Objects of a locale take up to 25 times the memory of their JSON. */
const bytesPerLocaleCharacter = 25;

function getSize({ templates, locales, assets }: ThemeFiles): number {
  const localeLength = JSON.stringify([...locales.values()]).length;
  const texts = [...templates.values(), ...assets.values()];
  return texts.reduce((sum, { length }) => sum + length, bytesPerLocaleCharacter * localeLength + 1);
}
