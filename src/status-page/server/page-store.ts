import { isDeepStrictEqual } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { runInSpan } from '../../core/tracing.js';
import { mayBeThemed } from '../routing/public-route.js';
import type { MountType } from '../view/mount.js';
import type { PageSnapshot } from '../view/snapshot.js';
import type { CompressedResponse } from './compressed-response.js';
import type { RouteMatch } from './match-route.js';
import type { PageGeneration } from './page-generation.js';
import { type RenderClass, RenderQueue } from './render-queue.js';
import { type CachedResponse, GenerationCache } from './generation-cache.js';
import { type RouteUsage, RouteUsageCounter } from './route-usage.js';

interface CachedRequest extends CachedResponse {
  usage: RouteUsage;
}

/** What the store holds of a generation until another supersedes it. */
interface GenerationRecord {
  /** Distinguishes the generations in the keys of `responses`. */
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
/** How many of a page's most requested routes are rendered before a new generation supersedes the old one. */
const maxPreparedRoutes = 10;

/** Of all generations together, in bytes: with 1 GB of memory V8 has a heap of 524 MB. */
const defaultMaxBytes = Math.floor(getHeapStatistics().heap_size_limit / 4);

/** About what a page takes in memory: its texts, and five times the rest as JSON with the view that is built of it. */
function estimateBytes(snapshot: PageSnapshot): number {
  const texts = snapshot.notices.flatMap(({ synopsis, updates }) => [
    synopsis,
    ...updates.flatMap(({ content, revisions }) => [content, ...(revisions ?? []).map(revision => revision.content)]),
  ]);
  const textLength = texts.reduce((sum, { length }) => sum + length, 0);
  return 10_000 + 5 * (JSON.stringify(snapshot).length - textLength) + 2 * textLength;
}

/** The cached pages of a process. A cached response is deleted with its generation, so that a hit needs no check. */
export class PageStore {
  /** The current generation by page id. Whatever removes one from here invalidates all that was rendered from it. */
  private readonly generations: LRUCache<string, PageGeneration>;
  /** Rendered responses by generation, mount and route. They are rendered again on demand. */
  private readonly responses = new GenerationCache();
  /** The same responses by host and URL of a request, with any query parameters: one lookup answers it. */
  private readonly requests = new GenerationCache<CachedRequest>();
  /** Page id by custom domain; '' when the domain has no page. */
  private readonly domains = new LRUCache<string, string>({ max: 5_000, ttl: 5_000 });
  private readonly records = new WeakMap<PageGeneration, GenerationRecord>();
  private readonly renderQueue = new RenderQueue();
  private generationCount = 0;
  /** How many responses were rendered, and in how many milliseconds. */
  readonly renders = { count: 0, ms: 0 };

  /** `onGeneration` is called for each generation that becomes the current one of its page. */
  constructor(
    private readonly onGeneration: () => void = () => {},
    maxBytes = defaultMaxBytes,
  ) {
    this.generations = new LRUCache<string, PageGeneration>({
      max: 2_000,
      maxSize: maxBytes,
      // One of any size is stored: what is rendered from one that is not could not be invalidated.
      sizeCalculation: ({ snapshot }) => Math.min(estimateBytes(snapshot), maxBytes),
      dispose: generation => this.invalidate(generation),
    });
  }

  get waitingRenders(): number {
    return this.renderQueue.waiting;
  }

  getGeneration(pageId: string): PageGeneration | undefined {
    return this.generations.get(pageId);
  }

  hasGeneration(pageId: string): boolean {
    return this.generations.has(pageId);
  }

  getPageIds(): string[] {
    return [...this.generations.keys()];
  }

  /** The generations that time alone has changed: a maintenance starts, a day ends. */
  findExpired(now: number): PageGeneration[] {
    return [...this.generations.values()].filter(({ nextChangeAt }) => nextChangeAt <= now);
  }

  /** When time alone changes the next generation, by the clock of this process; infinity if there is none. */
  findNextChange(): number {
    return Math.min(...[...this.generations.values()].map(({ nextChangeAt }) => nextChangeAt));
  }

  /** Makes a generation the current one of its page, which supersedes the one before it. */
  setGeneration(generation: PageGeneration): void {
    this.addRecord(generation);
    this.generations.set(generation.id, generation);
    this.onGeneration();
  }

  /**
   * Renders the most requested routes of a page with its next generation, and then makes that one current. Where it has
   * changed who may see the page, it becomes current at once, since rendering a theme takes seconds.
   */
  async replaceGeneration(next: PageGeneration): Promise<void> {
    const { usage } = this.addRecord(next);
    const current = this.generations.peek(next.id);
    const isForTheSame = current && isDeepStrictEqual(current.snapshot.page.access, next.snapshot.page.access);
    const requested = (isForTheSame && this.records.get(current)?.usage.mostRequested(maxPreparedRoutes)) || [];
    for (const { mountType, match, hits } of requested) {
      const rendering = this.render(next, mountType, match).catch(() => null);
      // A picture waits in a queue for those of other pages, which may take seconds.
      if (!match.route.isRasterized) await rendering;
      // Halved, so that old requests count less with each generation.
      usage.record(mountType, match, hits / 2);
    }
    this.setGeneration(next);
  }

  deleteGeneration(pageId: string): void {
    this.generations.delete(pageId);
  }

  /** Whether a response costs a lookup: it is rendered, or being rendered. */
  isRendered(generation: PageGeneration, mountType: MountType, match: RouteMatch): boolean {
    const record = this.records.get(generation);
    if (!record) return false;
    const key = `${record.number} ${mountType} ${match.key}`;
    return this.responses.has(key) || record.pending.has(key);
  }

  /** Renders a response for a visitor, who waits for a turn, or returns the cached one. Null: not found. */
  renderForVisitor(
    generation: PageGeneration,
    mountType: MountType,
    match: RouteMatch,
  ): Promise<CompressedResponse | null> {
    return this.render(generation, mountType, match, render =>
      // Renders of a theme, and pictures, wait for turns of their own.
      match.route.isRasterized || (generation.hasTheme && mayBeThemed(match.route, match.parameters))
        ? render()
        : this.renderQueue.run(generation.id, classify(match), render),
    );
  }

  private render(
    generation: PageGeneration,
    mountType: MountType,
    match: RouteMatch,
    schedule: (render: () => Rendering) => Rendering = render => render(),
  ): Rendering {
    const attributes = { 'all_clear.page': generation.id, 'all_clear.route': match.route.path };
    const render = () => this.measure(() => runInSpan('render', attributes, () => generation.render(mountType, match)));
    const record = this.records.get(generation);
    if (!record) return schedule(render);
    const key = `${record.number} ${mountType} ${match.key}`;
    const cached = this.responses.get(key);
    if (cached) return Promise.resolve(cached.response);
    let pending = record.pending.get(key);
    if (!pending) {
      pending = schedule(render)
        .then(response => {
          if (response && this.records.has(generation)) this.responses.set(key, { generation, response });
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

  addRequest(
    requestKey: string,
    { generation, response }: CachedResponse,
    mountType: MountType,
    match: RouteMatch,
  ): void {
    const usage = this.records.get(generation)?.usage.record(mountType, match, 1);
    if (usage && requestKey.length <= maxRequestKeyLength)
      this.requests.set(requestKey, { generation, response, usage });
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
    this.generations.clear();
    this.domains.clear();
  }

  private addRecord(generation: PageGeneration): GenerationRecord {
    let record = this.records.get(generation);
    if (!record) {
      record = { number: ++this.generationCount, usage: new RouteUsageCounter(), pending: new Map() };
      this.records.set(generation, record);
    }
    return record;
  }

  private invalidate(generation: PageGeneration): void {
    this.records.delete(generation);
    this.requests.deleteGeneration(generation);
    this.responses.deleteGeneration(generation);
  }
}
