import { LRUCache } from 'lru-cache';
import { refusalOf } from '../../db/database-errors.js';
import type { Database } from '../../db/connection.js';
import { recurring } from '../../db/poll.js';
import { watchChanges } from '../../db/change-feed/watch-changes.js';
import { log } from '../../core/logger.js';
import type { KeptPages } from './disk-snapshots.js';
import type { Packed } from './compressed-response.js';
import { allPageIds, pageOfDomain, readPage } from '../view/load-snapshot.js';
import { PatientQueue } from './refresh-queue.js';
import type { Route } from './request-target.js';
import { type PlaceName, Site } from './page-revision.js';
import { Dresser } from '../themes/theme-service.js';
import { closeWorkshop } from '../themes/process-pool.js';
import type { PageSnapshot } from '../view/snapshot.js';
import { monthOf } from '../view/days.js';

/** Of what visitors ask most, this much is drawn before a changed page takes the place of the one before it. */
const readyAtMost = 10;
const everyMilliseconds = 200;

/**
 * The pages as they are now. Each that somebody looks at is held as a Site; when it changes another is made, what is asked of it most is drawn, and then it
 * takes the place of the one before: a visitor never waits for a change, and never sees a page older than it.
 */
export class PageCache {
  private readonly sites = new LRUCache<string, Site>({
    max: 2_000,
    dispose: site => {
      site.retire();
      this.retired(site);
    },
  });
  private readonly loading = new Map<string, Promise<Site | null>>();
  private readonly queue = new PatientQueue(pageId => this.refresh(pageId));
  /** Pages that changed since they were read. */
  private readonly unread = new Set<string>();
  private readonly domains = new LRUCache<string, string>({ max: 5_000, ttl: 5_000 });
  /** Pages that nobody looks at, and that are to be written to the disk as they are now. */
  private readonly unkept = new Set<string>();
  private lostSince: Date | null = null;
  /** Read once an absence. */
  private keptDomains: Promise<Map<string, string>> | undefined;
  private readonly dresser: Dresser;
  private stop: (() => Promise<void>) | undefined;
  private unwatch: (() => Promise<void>) | undefined;
  /** Told of each site that is no longer shown. */
  retired: (site: Site) => void = () => {};

  constructor(
    private database: Database | null,
    /** Null with an embedded database, which is there whenever this process is. */
    private readonly kept: KeptPages | null,
  ) {
    if (!database) this.lostSince = new Date();
    this.dresser = new Dresser(() => (this.lostSince ? null : this.database), kept);
  }

  async open(database: Database): Promise<void> {
    this.database = database;
    this.unwatch = await watchChanges(database, {
      changed: pageId => this.changed(pageId),
      lost: since => this.lost(since),
      found: () => this.found(),
    });
    // What was shown from the disk until now.
    if (this.sites.size) this.found();
    this.lostSince = null;
    if (this.kept)
      for (const id of new Set([...(await allPageIds(database)), ...(await this.kept.ids())])) this.unkept.add(id);
    const work = async () => {
      this.moveOn();
      await this.keepNext();
    };
    this.stop = recurring(work, everyMilliseconds, 'pages could not be brought up to date');
  }

  async close(): Promise<void> {
    await this.stop?.();
    this.queue.close();
    await this.unwatch?.();
    await this.kept?.settled();
    this.sites.clear();
    closeWorkshop();
  }

  /** Since when the database cannot be asked; null while it can. */
  get staleSince(): Date | null {
    return this.lostSince;
  }

  site(pageId: string): Promise<Site | null> {
    const held = this.sites.get(pageId);
    if (held) return Promise.resolve(held);
    let loading = this.loading.get(pageId);
    if (!loading) {
      loading = this.load(pageId).finally(() => this.loading.delete(pageId));
      this.loading.set(pageId, loading);
    }
    return loading;
  }

  /** The page that a host other than ours shows. */
  async pageOf(domain: string): Promise<string | null> {
    const known = this.domains.get(domain);
    if (known !== undefined) return known || null;
    const pageId =
      (await this.ask(
        database => pageOfDomain(database, domain),
        () => this.keptPageOf(domain),
      )) ?? '';
    this.domains.set(domain, pageId);
    return pageId || null;
  }

  draw(site: Site, place: PlaceName, route: Route): Promise<Packed | null> {
    site.count(place, route);
    return site.draw(place, route, needs => this.more(site, needs));
  }

  private more({ id, snapshot }: Site, needs: { month: string } | { token: string }): Promise<PageSnapshot | null> {
    const past = 'token' in needs ? needs : { month: monthOf(needs.month, snapshot.page.zone) };
    return this.ask(
      database => readPage(database, id, past),
      // Better what is there of it than nothing.
      async () => null,
    );
  }

  private async load(pageId: string): Promise<Site | null> {
    const askedAt = Date.now();
    const read = await this.ask(
      database => readPage(database, pageId),
      async () => undefined,
    );
    const snapshot = read === undefined ? ((await this.kept?.read(pageId)) ?? null) : read;
    if (!snapshot) return null;
    const readAt = new Date(snapshot.readAt);
    // A change that came while it was read refreshes what is held: it has to be held by then.
    const site = read
      ? new Site(snapshot, readAt.getTime() - (askedAt + Date.now()) / 2, this.lostSince, this.dresser)
      : new Site(snapshot, 0, readAt, this.dresser);
    this.sites.set(pageId, site);
    // From the disk, though nobody said that the database is away.
    if (!read) this.changed(pageId);
    return site;
  }

  private async ask<Result>(
    work: (database: Database) => Promise<Result>,
    otherwise: () => Promise<Result>,
  ): Promise<Result> {
    if (!this.database || this.lostSince) return otherwise();
    try {
      return await work(this.database);
    } catch (error) {
      if (refusalOf(error)?.code !== 'UNAVAILABLE') throw error;
      return otherwise();
    }
  }

  private async keptPageOf(domain: string): Promise<string | null> {
    this.keptDomains ??= this.kept?.domains();
    return (await this.keptDomains)?.get(domain) ?? null;
  }

  private changed(pageId: string): void {
    this.forgetDomainsOf(pageId);
    if (!this.sites.has(pageId) && !this.loading.has(pageId)) return void this.unkept.add(pageId);
    this.unread.add(pageId);
    this.queue.add(pageId);
  }

  /** Those of no page too: one of them may be its own from now on. */
  private forgetDomainsOf(pageId: string): void {
    for (const [domain, id] of this.domains) if (id === pageId || !id) this.domains.delete(domain);
  }

  /** Reads what changed; draws what only time, or the absence of the database, makes another. */
  private async refresh(pageId: string): Promise<void> {
    await this.loading.get(pageId);
    const held = this.sites.get(pageId);
    if (!this.unread.has(pageId) || this.lostSince) {
      // Only what is read is no longer stale.
      const staleSince = this.lostSince ?? (this.unread.has(pageId) ? (held?.staleSince ?? null) : null);
      if (held) await this.replace(pageId, held.later(staleSince));
      return;
    }
    this.unread.delete(pageId);
    const askedAt = Date.now();
    try {
      const snapshot = await readPage(this.database!, pageId);
      if (snapshot)
        await this.replace(
          pageId,
          new Site(snapshot, Date.parse(snapshot.readAt) - (askedAt + Date.now()) / 2, null, this.dresser),
        );
      else this.sites.delete(pageId);
      this.forgetDomainsOf(pageId);
      this.kept?.keep(pageId, snapshot);
    } catch (error) {
      log[refusalOf(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error'](
        { err: error, page: pageId },
        'a page could not be drawn anew',
      );
      // It is shown as it was, says so, and is tried again until it is read.
      this.unread.add(pageId);
      if (held?.current && !held.staleSince) await this.replace(pageId, held.later(new Date(askedAt)));
      throw error;
    }
  }

  private async replace(pageId: string, next: Site): Promise<void> {
    for (const { place, route, hits } of this.sites.get(pageId)?.mostAsked(readyAtMost) ?? []) {
      await this.draw(next, place, route).catch(() => null);
      next.count(place, route, hits / 2);
    }
    this.sites.set(pageId, next);
  }

  /** Time moves notices too. */
  private moveOn(): void {
    const now = Date.now();
    for (const site of this.sites.values()) if (site.until <= now) this.queue.add(site.id);
  }

  private lost(since: Date): void {
    this.lostSince = since;
    log.warn('the database is away: pages are shown as they were');
    for (const id of this.sites.keys()) this.queue.add(id);
  }

  private found(): void {
    this.lostSince = null;
    this.keptDomains = undefined;
    this.domains.clear();
    log.info('the database is back: pages are read again');
    for (const id of [...this.sites.keys()]) this.changed(id);
  }

  /** One page at a time, so that writing all of them to the disk is not felt. */
  private async keepNext(): Promise<void> {
    const [id] = this.unkept;
    if (!this.kept) this.unkept.clear();
    if (!id || !this.kept || this.lostSince || !this.database) return;
    this.unkept.delete(id);
    try {
      this.kept.keep(id, await readPage(this.database, id));
    } catch {
      this.unkept.add(id);
    }
  }
}
