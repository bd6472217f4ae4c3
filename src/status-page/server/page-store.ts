import { LRUCache } from 'lru-cache';
import type { MountType } from '../view/mount.js';
import type { CompressedResponse } from './compressed-response.js';
import type { RouteMatch } from './match-route.js';
import type { PageRevision } from './page-revision.js';
import { type RenderClass, RenderQueue } from './render-queue.js';
import { type CachedResponse, RevisionCache } from './revision-cache.js';
import { type RouteUsage, RouteUsageCounter } from './route-usage.js';

interface CachedRequest extends CachedResponse {
  usage: RouteUsage;
}

/** What the store holds of a revision until another supersedes it. */
interface RevisionRecord {
  /** Distinguishes the revisions in the keys of `responses`. */
  number: number;
  usage: RouteUsageCounter;
  pending: Map<string, Rendering>;
}

/** Null: not found. */
type Rendering = Promise<CompressedResponse | null>;

/** Parameters make variants, except the language, of which there are few. */
const classify = ({ parameters: { path, query } }: RouteMatch): RenderClass =>
  Object.keys(path).length || Object.keys(query).length ? 'variant' : 'common';

/** Longer URLs are rendered but not cached, so that made-up ones cannot fill the memory. */
const maxRequestKeyLength = 512;
/** How many of a page's most requested routes are rendered before a new revision supersedes the old one. */
const maxPreparedRoutes = 10;

/** The cached pages of a process. A cached response is deleted with its revision, so that a hit needs no check. */
export class PageStore {
  /** The current revision by page id. Whatever removes one from here invalidates all that was rendered from it. */
  private readonly revisions = new LRUCache<string, PageRevision>({
    max: 2_000,
    dispose: revision => this.invalidate(revision),
  });
  /** Rendered responses by revision, mount and route. They are rendered again on demand. */
  private readonly responses = new RevisionCache();
  /** The same responses by host and URL of a request, with any query parameters: one lookup answers it. */
  private readonly requests = new RevisionCache<CachedRequest>();
  /** Page id by custom domain; '' when the domain has no page. */
  private readonly domains = new LRUCache<string, string>({ max: 5_000, ttl: 5_000 });
  private readonly records = new WeakMap<PageRevision, RevisionRecord>();
  private readonly renderQueue = new RenderQueue();
  private revisionCount = 0;
  /** How many responses were rendered, and in how many milliseconds. */
  readonly renders = { count: 0, ms: 0 };

  get waitingRenders(): number {
    return this.renderQueue.waiting;
  }

  getRevision(pageId: string): PageRevision | undefined {
    return this.revisions.get(pageId);
  }

  hasRevision(pageId: string): boolean {
    return this.revisions.has(pageId);
  }

  getPageIds(): string[] {
    return [...this.revisions.keys()];
  }

  /** The revisions that time alone has changed: a maintenance starts, a day ends. */
  findExpired(now: number): PageRevision[] {
    return [...this.revisions.values()].filter(({ nextChangeAt }) => nextChangeAt <= now);
  }

  /** Makes a revision the current one of its page, which supersedes the one before it. */
  setRevision(revision: PageRevision): void {
    this.addRecord(revision);
    this.revisions.set(revision.id, revision);
  }

  /** Renders the most requested routes of a page with its next revision, and then makes that one current. */
  async replaceRevision(next: PageRevision): Promise<void> {
    const { usage } = this.addRecord(next);
    const current = this.revisions.peek(next.id);
    const requested = (current && this.records.get(current)?.usage.mostRequested(maxPreparedRoutes)) ?? [];
    for (const { mountType, match, hits } of requested) {
      await this.render(next, mountType, match).catch(() => null);
      // Halved, so that old requests count less with each revision.
      usage.record(mountType, match, hits / 2);
    }
    this.setRevision(next);
  }

  deleteRevision(pageId: string): void {
    this.revisions.delete(pageId);
  }

  /** Whether a response costs a lookup: it is rendered, or being rendered. */
  isRendered(revision: PageRevision, mountType: MountType, match: RouteMatch): boolean {
    const record = this.records.get(revision);
    if (!record) return false;
    const key = `${record.number} ${mountType} ${match.key}`;
    return this.responses.has(key) || record.pending.has(key);
  }

  /** Renders a response for a visitor, who waits for a turn, or returns the cached one. Null: not found. */
  renderForVisitor(
    revision: PageRevision,
    mountType: MountType,
    match: RouteMatch,
  ): Promise<CompressedResponse | null> {
    return this.render(revision, mountType, match, render =>
      // Renders of a theme, and pictures, wait for turns of their own.
      match.route.isRasterized || (match.route.isThemed && revision.hasTheme)
        ? render()
        : this.renderQueue.run(revision.id, classify(match), render),
    );
  }

  /** Renders a response, or returns the cached one. Null: not found. */
  private render(
    revision: PageRevision,
    mountType: MountType,
    match: RouteMatch,
    schedule: (render: () => Rendering) => Rendering = render => render(),
  ): Rendering {
    const render = () => this.measure(() => revision.render(mountType, match));
    const record = this.records.get(revision);
    if (!record) return schedule(render);
    const key = `${record.number} ${mountType} ${match.key}`;
    const cached = this.responses.get(key);
    if (cached) return Promise.resolve(cached.response);
    let pending = record.pending.get(key);
    if (!pending) {
      pending = schedule(render)
        .then(response => {
          if (response && this.records.has(revision)) this.responses.set(key, { revision, response });
          return response;
        })
        .finally(() => record.pending.delete(key));
      record.pending.set(key, pending);
    }
    return pending;
  }

  private async measure(render: () => Rendering): Rendering {
    const startedAt = performance.now();
    try {
      return await render();
    } finally {
      this.renders.count += 1;
      this.renders.ms += performance.now() - startedAt;
    }
  }

  /** The response to a request whose host and URL were answered before, with the counter of its route. */
  findRequest(requestKey: string): CachedRequest | undefined {
    // A longer one is not cached, and the hash of a long query of /graphql takes time.
    return requestKey.length <= maxRequestKeyLength ? this.requests.get(requestKey) : undefined;
  }

  /** Caches the response to a request, and counts it. */
  addRequest(
    requestKey: string,
    { revision, response }: CachedResponse,
    mountType: MountType,
    match: RouteMatch,
  ): void {
    const usage = this.records.get(revision)?.usage.record(mountType, match, 1);
    if (usage && requestKey.length <= maxRequestKeyLength) this.requests.set(requestKey, { revision, response, usage });
  }

  /** Undefined: unknown. '': the domain has no page. */
  getPageId(domain: string): string | undefined {
    return this.domains.get(domain);
  }

  setPageId(domain: string, pageId: string): void {
    this.domains.set(domain, pageId);
  }

  /** Forgets unknown domains too: the page may have verified one of them. */
  deleteDomains(pageId: string): void {
    for (const [domain, id] of this.domains) if (id === pageId || !id) this.domains.delete(domain);
  }

  deleteAllDomains(): void {
    this.domains.clear();
  }

  clear(): void {
    this.revisions.clear();
    this.domains.clear();
  }

  private addRecord(revision: PageRevision): RevisionRecord {
    let record = this.records.get(revision);
    if (!record) {
      record = { number: ++this.revisionCount, usage: new RouteUsageCounter(), pending: new Map() };
      this.records.set(revision, record);
    }
    return record;
  }

  private invalidate(revision: PageRevision): void {
    this.records.delete(revision);
    this.requests.deleteRevision(revision);
    this.responses.deleteRevision(revision);
  }
}
