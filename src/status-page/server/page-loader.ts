import type { PublicUrl } from '../../core/config.js';
import type { Rasterize } from '../../content/raster/rasterizer.js';
import { CoalescingQueue } from '../../core/queues/coalescing-queue.js';
import type { Logger } from '../../core/logger.js';
import type { ChangeFeed } from '../../db/change-feed.js';
import type { Database } from '../../db/database.js';
import { toRefusal } from '../../db/database-errors.js';
import { WorkLoop } from '../../db/work-loop.js';
import type { EventBroker } from '../../http/event-broker.js';
import type { RenderPool } from '../themes/render-pool.js';
import { ThemeService } from '../themes/theme-service.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { loadNotices } from '../view/load-notices.js';
import { isComplete } from '../view/omitted-notices.js';
import type { PageSnapshot } from '../view/snapshot.js';
import type { DiskSnapshots } from './disk-snapshots.js';
import { ImageLoader } from './image-loader.js';
import { createSocialImageCache } from './social-image-cache.js';
import { PageEvents } from './page-events.js';
import { PageIds } from './page-ids.js';
import { PageGeneration, type GenerationDependencies } from './page-generation.js';
import { PageStore } from './page-store.js';
import { UnsavedPages } from './unsaved-pages.js';

const toNull = async () => null;

interface PageLoaderOptions {
  publicUrl: PublicUrl;
  /** The page at the root of the service: a page id, `auto` (the only page), or `none`. */
  rootPage: string;
  log: Logger;
  /** Null with the embedded database, which is available whenever this process is. */
  diskSnapshots: DiskSnapshots | null;
  renderPool: RenderPool;
  rasterize: Rasterize;
  broker: EventBroker;
}

/**
 * Loads the pages that visitors look at, and keeps them up to date. When a page changes, its most requested routes are
 * rendered before the new generation supersedes the old one: visitors never wait for that, nor see an older page again.
 */
export class PageLoader {
  // A new generation may expire before the loop would look again.
  readonly store = new PageStore(() => this.loop?.wake());
  readonly events: PageEvents;
  readonly ids: PageIds;
  private readonly log: Logger;
  private readonly diskSnapshots: DiskSnapshots | null;
  private readonly generationDependencies: GenerationDependencies;
  private readonly loading = new Map<string, Promise<PageGeneration | null>>();
  private readonly queue = new CoalescingQueue(pageId => this.refresh(pageId));
  /** Ids of pages that changed after their snapshot was read. */
  private readonly stale = new Set<string>();
  /** Pages without a cached generation whose disk snapshot is out of date. */
  private readonly unsaved: UnsavedPages | null;
  private database: Database | null = null;
  private databaseLostSince: Date | null = new Date();
  private loop: WorkLoop | undefined;

  constructor({ publicUrl, rootPage, log, diskSnapshots, renderPool, rasterize, broker }: PageLoaderOptions) {
    this.log = log;
    this.events = new PageEvents(broker);
    this.diskSnapshots = diskSnapshots;
    this.unsaved = diskSnapshots && new UnsavedPages(diskSnapshots);
    const getDatabase = () => (this.databaseLostSince ? null : this.database);
    const images = new ImageLoader(getDatabase, diskSnapshots);
    this.ids = new PageIds(this.store, rootPage, {
      query: (query, fallback) => this.queryOrFallback(query, fallback),
      isOutage: () => this.databaseLostSince !== null,
      diskSnapshots,
    });
    this.generationDependencies = {
      publicUrl,
      themes: new ThemeService(getDatabase, diskSnapshots, renderPool, log),
      // Without the database, from those of the cached snapshot, which is better than an error.
      loadNotices: (page, required) => this.queryOrFallback(database => loadNotices(database, page, required), toNull),
      loadImage: (pageId, required) => images.load(pageId, required),
      renderSocialImage: createSocialImageCache(rasterize),
    };
  }

  async open(database: Database, feed: ChangeFeed): Promise<void> {
    const reading = database.replicas ? { ...database, read: database.replicas.read } : database;
    this.database = reading;
    feed.on('changed', ({ pageId }) => this.markChanged(pageId));
    feed.on('connectionLost', since => this.enterOutage(since));
    feed.on('connectionRestored', () => this.reload('the database is available again: reloading the cached pages'));
    feed.on('clockSet', () => this.reload('a clock was set: reloading the cached pages'));
    // Generations that were loaded from the disk until now.
    if (this.store.getPageIds().length) this.reload('the database is available again: reloading the cached pages');
    this.databaseLostSince = null;
    await this.unsaved?.addAll(database);
    const work = async () => {
      for (const { id, snapshot } of this.store.findExpired(Date.now())) {
        // Values of metrics, and which notices there are beyond those of an incomplete snapshot.
        if (!isComplete(snapshot) || snapshot.metrics?.length) this.stale.add(id);
        if (!this.queue.has(id)) this.queue.add(id);
      }
      const hasMore = !this.databaseLostSince && (await this.unsaved?.saveNext(reading));
      return hasMore ? 0 : this.store.findNextChange() - Date.now();
    };
    const options = { failureMessage: 'failed to refresh the cached pages', minIntervalMs: 200 };
    this.loop = new WorkLoop(work, { ...options, log: this.log });
  }

  async close(): Promise<void> {
    await this.loop?.stop();
    this.queue.close();
    await this.diskSnapshots?.flush();
    this.store.clear();
  }

  /** Since when the database is unavailable; null while it is available. */
  get staleSince(): Date | null {
    return this.databaseLostSince;
  }

  getGeneration(pageId: string): Promise<PageGeneration | null> {
    const cached = this.store.getGeneration(pageId);
    if (cached) return Promise.resolve(cached);
    let loading = this.loading.get(pageId);
    if (!loading) {
      loading = this.load(pageId).finally(() => this.loading.delete(pageId));
      this.loading.set(pageId, loading);
    }
    return loading;
  }

  private async load(pageId: string): Promise<PageGeneration | null> {
    const requestedAt = Date.now();
    const loaded = await this.queryOrFallback(
      database => loadSnapshot(database, pageId),
      async () => undefined,
    );
    const snapshot = loaded === undefined ? ((await this.diskSnapshots?.load(pageId)) ?? null) : loaded;
    if (!snapshot) return null;
    const generation = loaded
      ? this.createGeneration(snapshot, requestedAt, this.databaseLostSince)
      : new PageGeneration(snapshot, this.generationDependencies, {
          clockOffsetMs: 0,
          staleSince: new Date(snapshot.readAt),
        });
    // Cached without an await in between: a change that arrives from now on refreshes it.
    this.store.setGeneration(generation);
    this.events.announce(generation);
    // The query failed although no outage was reported: try again.
    if (!loaded) this.markChanged(pageId);
    return generation;
  }

  /** Estimates the clock offset as NTP does: the statement ran halfway between its request and its response. */
  private createGeneration(
    snapshot: PageSnapshot,
    requestedAt: number,
    staleSince: Date | null,
    previous?: PageGeneration,
  ): PageGeneration {
    const clockOffsetMs = Date.parse(snapshot.readAt) - (requestedAt + Date.now()) / 2;
    return new PageGeneration(snapshot, this.generationDependencies, { clockOffsetMs, staleSince, previous });
  }

  private async queryOrFallback<Result>(
    query: (database: Database) => Promise<Result>,
    fallback: () => Promise<Result>,
  ): Promise<Result> {
    if (!this.database || this.databaseLostSince) return fallback();
    try {
      return await query(this.database);
    } catch (error) {
      if (toRefusal(error)?.code !== 'UNAVAILABLE') throw error;
      return fallback();
    }
  }

  private markChanged(pageId: string): void {
    this.store.deleteDomains(pageId);
    const isInUse = this.store.hasGeneration(pageId) || this.loading.has(pageId) || this.events.isWatched(pageId);
    if (!isInUse) {
      this.unsaved?.add(pageId);
      this.loop?.wake();
      return;
    }
    this.stale.add(pageId);
    this.queue.add(pageId);
  }

  /**
   * Reloads a page that changed. Only renews one that time, or an outage of the database, shows differently. What it
   * returns waits for a render process, meanwhile other pages are refreshed.
   */
  private async refresh(pageId: string): Promise<(() => Promise<void>) | undefined> {
    await this.loading.get(pageId);
    const next = await this.loadNext(pageId);
    if (next?.hasTheme) return () => this.replaceGeneration(next);
    if (next) await this.replaceGeneration(next);
    return undefined;
  }

  /** Null: the page does not exist, or none of its generations is in use. */
  private async loadNext(pageId: string): Promise<PageGeneration | null> {
    const cached = this.store.getGeneration(pageId);
    if (!this.stale.has(pageId) || this.databaseLostSince) {
      // A page stays stale until it is read again.
      const staleSince = this.databaseLostSince ?? (this.stale.has(pageId) ? (cached?.staleSince ?? null) : null);
      return cached?.renew(staleSince) ?? null;
    }
    this.stale.delete(pageId);
    const requestedAt = Date.now();
    try {
      const snapshot = await loadSnapshot(this.database!, pageId);
      if (!snapshot) {
        this.store.deleteGeneration(pageId);
        this.events.end(pageId);
      }
      this.store.deleteDomains(pageId);
      this.diskSnapshots?.save(pageId, snapshot);
      return snapshot && this.createGeneration(snapshot, requestedAt, null, cached);
    } catch (error) {
      this.log[toRefusal(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error'](
        { err: error, page: pageId },
        'failed to refresh a page',
      );
      // The old generation is served with a note that it is out of date, and the queue retries.
      this.stale.add(pageId);
      const isCurrent = cached && this.store.getGeneration(pageId) === cached;
      if (isCurrent && !cached.staleSince) await this.replaceGeneration(cached.renew(new Date(requestedAt)));
      throw error;
    }
  }

  private async replaceGeneration(next: PageGeneration): Promise<void> {
    await this.store.replaceGeneration(next);
    this.events.announce(next);
  }

  private enterOutage(since: Date): void {
    this.databaseLostSince = since;
    this.log.warn('the database is unavailable: serving pages as they were last read');
    for (const id of this.store.getPageIds()) this.queue.add(id);
  }

  private reload(message: string): void {
    this.databaseLostSince = null;
    this.ids.forgetDisk();
    this.store.deleteAllDomains();
    this.log.info(message);
    for (const id of this.store.getPageIds()) this.markChanged(id);
  }
}
