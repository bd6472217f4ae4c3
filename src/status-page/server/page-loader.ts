import type { PublicUrl } from '../../core/config.js';
import type { Rasterize } from '../../raster/rasterizer.js';
import { CoalescingQueue } from '../../core/coalescing-queue.js';
import type { Logger } from '../../core/logger.js';
import type { ChangeFeed } from '../../db/change-feed/change-feed.js';
import type { Database } from '../../db/connection.js';
import { toRefusal } from '../../db/database-errors.js';
import { poll } from '../../db/poll.js';
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
import { PageRevision, type RevisionDependencies } from './page-revision.js';
import { PageStore } from './page-store.js';
import { UnsavedPages } from './unsaved-pages.js';

const pollIntervalMs = 200;

export interface PageLoaderOptions {
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
 * Loads the pages that visitors look at into the store, and keeps them up to date.
 * When a page changes, a new revision is loaded, its most requested routes are rendered, and then it supersedes the old
 * one: visitors never wait for a change to render, and never see a page older than the one they saw.
 */
export class PageLoader {
  readonly store = new PageStore();
  readonly events: PageEvents;
  readonly ids: PageIds;
  private readonly log: Logger;
  private readonly diskSnapshots: DiskSnapshots | null;
  private readonly revisionDependencies: RevisionDependencies;
  private readonly images: ImageLoader;
  private readonly loading = new Map<string, Promise<PageRevision | null>>();
  private readonly queue = new CoalescingQueue(pageId => this.refresh(pageId));
  /** Ids of pages that changed after their snapshot was read. */
  private readonly stale = new Set<string>();
  /** Pages without a cached revision whose disk snapshot is out of date. */
  private readonly unsaved: UnsavedPages | null;
  private database: Database | null = null;
  private databaseLostSince: Date | null = new Date();
  private stopPolling: (() => Promise<void>) | undefined;

  constructor({ publicUrl, rootPage, log, diskSnapshots, renderPool, rasterize, broker }: PageLoaderOptions) {
    this.log = log;
    this.events = new PageEvents(broker);
    this.diskSnapshots = diskSnapshots;
    this.unsaved = diskSnapshots && new UnsavedPages(diskSnapshots);
    const getDatabase = () => (this.databaseLostSince ? null : this.database);
    this.images = new ImageLoader(getDatabase, diskSnapshots);
    this.ids = new PageIds(this.store, rootPage, {
      query: (query, fallback) => this.queryOrFallback(query, fallback),
      isOutage: () => this.databaseLostSince !== null,
      diskSnapshots,
    });
    this.revisionDependencies = {
      publicUrl,
      themes: new ThemeService(getDatabase, diskSnapshots, renderPool, log),
      // Without the database, from those of the cached snapshot, which is better than an error.
      loadNotices: (page, required) =>
        this.queryOrFallback(
          database => loadNotices(database, page, required),
          async () => null,
        ),
      loadImage: (pageId, required) => this.images.load(pageId, required),
      renderSocialImage: createSocialImageCache(rasterize),
    };
  }

  async open(database: Database, feed: ChangeFeed): Promise<void> {
    this.database = database;
    feed.on('changed', ({ pageId }) => this.markChanged(pageId));
    feed.on('connectionLost', since => this.enterOutage(since));
    feed.on('connectionRestored', () => this.leaveOutage());
    // Revisions that were loaded from the disk until now.
    if (this.store.getPageIds().length) this.leaveOutage();
    this.databaseLostSince = null;
    await this.unsaved?.addAll(database);
    const work = async () => {
      for (const { id, snapshot } of this.store.findExpired(Date.now())) {
        // Which notices the page has beyond those of an incomplete snapshot depends on the time.
        if (!isComplete(snapshot)) this.stale.add(id);
        if (!this.queue.has(id)) this.queue.add(id);
      }
      if (!this.databaseLostSince) await this.unsaved?.saveNext(database);
    };
    this.stopPolling = poll(work, pollIntervalMs, 'failed to refresh the cached pages', this.log);
  }

  async close(): Promise<void> {
    await this.stopPolling?.();
    this.queue.close();
    await this.diskSnapshots?.flush();
    this.store.clear();
  }

  /** Since when the database is unavailable; null while it is available. */
  get staleSince(): Date | null {
    return this.databaseLostSince;
  }

  getRevision(pageId: string): Promise<PageRevision | null> {
    const cached = this.store.getRevision(pageId);
    if (cached) return Promise.resolve(cached);
    let loading = this.loading.get(pageId);
    if (!loading) {
      loading = this.load(pageId).finally(() => this.loading.delete(pageId));
      this.loading.set(pageId, loading);
    }
    return loading;
  }

  private async load(pageId: string): Promise<PageRevision | null> {
    const requestedAt = Date.now();
    const loaded = await this.queryOrFallback(
      database => loadSnapshot(database, pageId),
      async () => undefined,
    );
    const snapshot = loaded === undefined ? ((await this.diskSnapshots?.load(pageId)) ?? null) : loaded;
    if (!snapshot) return null;
    const revision = loaded
      ? this.createRevision(snapshot, requestedAt, this.databaseLostSince)
      : new PageRevision(snapshot, this.revisionDependencies, {
          clockOffsetMs: 0,
          staleSince: new Date(snapshot.readAt),
        });
    // Cached without an await in between: a change that arrives from now on refreshes it.
    this.store.setRevision(revision);
    this.events.announce(revision);
    // The query failed although no outage was reported: try again.
    if (!loaded) this.markChanged(pageId);
    return revision;
  }

  /** Estimates the clock offset as NTP does: the statement ran halfway between its request and its response. */
  private createRevision(
    snapshot: PageSnapshot,
    requestedAt: number,
    staleSince: Date | null,
    previous?: PageRevision,
  ): PageRevision {
    const clockOffsetMs = Date.parse(snapshot.readAt) - (requestedAt + Date.now()) / 2;
    return new PageRevision(snapshot, this.revisionDependencies, { clockOffsetMs, staleSince, previous });
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
    const isInUse = this.store.hasRevision(pageId) || this.loading.has(pageId) || this.events.isWatched(pageId);
    if (!isInUse) {
      this.unsaved?.add(pageId);
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
    if (next?.hasTheme) return () => this.replaceRevision(next);
    if (next) await this.replaceRevision(next);
    return undefined;
  }

  /** Null: the page does not exist, or none of its revisions is in use. */
  private async loadNext(pageId: string): Promise<PageRevision | null> {
    const cached = this.store.getRevision(pageId);
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
        this.store.deleteRevision(pageId);
        this.events.end(pageId);
      }
      this.store.deleteDomains(pageId);
      this.diskSnapshots?.save(pageId, snapshot);
      return snapshot && this.createRevision(snapshot, requestedAt, null, cached);
    } catch (error) {
      this.log[toRefusal(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error'](
        { err: error, page: pageId },
        'failed to refresh a page',
      );
      // The old revision is served with a note that it is out of date, and the queue retries.
      this.stale.add(pageId);
      const isCurrent = cached && this.store.getRevision(pageId) === cached;
      if (isCurrent && !cached.staleSince) await this.replaceRevision(cached.renew(new Date(requestedAt)));
      throw error;
    }
  }

  private async replaceRevision(next: PageRevision): Promise<void> {
    await this.store.replaceRevision(next);
    this.events.announce(next);
  }

  private enterOutage(since: Date): void {
    this.databaseLostSince = since;
    this.log.warn('the database is unavailable: serving pages as they were last read');
    for (const id of this.store.getPageIds()) this.queue.add(id);
  }

  private leaveOutage(): void {
    this.databaseLostSince = null;
    this.ids.forgetDisk();
    this.store.deleteAllDomains();
    this.log.info('the database is available again: reloading the cached pages');
    for (const id of this.store.getPageIds()) this.markChanged(id);
  }
}
