import type { Database } from '../../db/database.js';
import { findMovedPage } from '../../records/moved-page.js';
import { findOnlyPageId, findPageIdByDomain } from '../view/load-snapshot.js';
import type { DiskSnapshots, SnapshotIndex } from './disk-snapshots.js';
import type { PageStore } from './page-store.js';

type Query<Result> = (database: Database) => Promise<Result>;

interface PageIdSources {
  /** Runs the query, or the fallback while the database is unavailable. */
  query<Result>(query: Query<Result>, fallback: () => Promise<Result>): Promise<Result>;
  isOutage(): boolean;
  diskSnapshots: DiskSnapshots | null;
}

/** Among custom domains, a key that is not a domain. */
const rootKey = '/';

/** Which page a custom domain, or the root of the service, shows. */
export class PageIds {
  /** Read from the disk once per database outage. */
  private index: Promise<SnapshotIndex> | undefined;

  constructor(
    private readonly store: PageStore,
    /** A page id, `auto` (the only page), or `none`. */
    private readonly rootPage: string,
    private readonly sources: PageIdSources,
  ) {}

  findByDomain(domain: string): Promise<string | null> {
    return this.find(
      domain,
      database => findPageIdByDomain(database, domain),
      async () => (await this.readDisk())?.idsByDomain.get(domain) ?? null,
    );
  }

  /** The page of a custom domain as it was looked up a moment ago: '' if it has none, undefined if it is not known. */
  getCachedByDomain(domain: string): string | undefined {
    return this.store.getPageId(domain);
  }

  async findRoot(): Promise<string | null> {
    if (this.rootPage !== 'auto') return this.rootPage === 'none' ? null : this.rootPage;
    return this.find(rootKey, findOnlyPageId, async () => {
      const publicIds = (await this.readDisk())?.publicIds ?? [];
      return publicIds.length === 1 ? publicIds[0]! : null;
    });
  }

  /** The same as it was looked up a moment ago. */
  getCachedRoot(): string | undefined {
    if (this.rootPage !== 'auto') return this.rootPage === 'none' ? '' : this.rootPage;
    return this.store.getPageId(rootKey);
  }

  /** The address of a page that another installation has now, with a slash at its end; null if there is none. */
  findMoved(pageId: string): Promise<string | null> {
    return this.sources.query(
      database => findMovedPage(database, pageId),
      async () => null,
    );
  }

  /** At the end of an outage. */
  forgetDisk(): void {
    this.index = undefined;
  }

  private async find(
    key: string,
    query: Query<string | null>,
    fallback: () => Promise<string | null>,
  ): Promise<string | null> {
    const cached = this.store.getPageId(key);
    if (cached !== undefined) return cached || null;
    const pageId = await this.sources.query(query, fallback);
    this.store.setPageId(key, pageId ?? '');
    return pageId;
  }

  private async readDisk(): Promise<SnapshotIndex | undefined> {
    const { diskSnapshots, isOutage } = this.sources;
    // One query has failed: the snapshots go on changing.
    if (!isOutage()) return diskSnapshots?.readIndex();
    this.index ??= diskSnapshots?.readIndex();
    return this.index;
  }
}
