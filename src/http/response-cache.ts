import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/access.js';
import type { Settings } from '../core/config.js';
import type { PageVersions } from '../db/page-versions.js';
import type { PageReads } from '../records/page-reads.js';
import { matchesEtag } from './etag.js';
import type { Admission } from './admission.js';
import type { IdentifyCaller } from './identify-caller.js';
import type { RateLimiter } from './rate-limit.js';

interface CacheDependencies {
  settings: Pick<Settings, 'anonymousReads'>;
  versions: PageVersions;
  /** In how many milliseconds what is read of these pages changes by time alone; infinity if it does not. */
  readValidityMs(pageIds: readonly string[]): Promise<number>;
  identifyCaller: IdentifyCaller;
  rateLimiter: RateLimiter;
  admission: Admission;
}

/** A response that can be sent again while the pages that it was read from have these versions. */
interface CachedResponse {
  versions: string;
  /** When the versions were last known to be these, by `performance.now()`. */
  checkedAt: number;
  /** When the response changes by time alone, such as by a notice that ended 7 days ago. */
  validUntil: number;
  etag: string | undefined;
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[];
  body: Buffer;
}

interface Entry {
  pageIds: readonly string[];
  /** Absent until the request has come a second time: most requests come once. */
  response?: CachedResponse;
}

/** A request that the endpoint answers. What it needs to be kept was read before its data. */
interface PendingRequest {
  key: string;
  stale?: Pick<CachedResponse, 'versions' | 'checkedAt'> & Pick<Entry, 'pageIds'>;
  validUntil?: number;
}

const maximumBytes = 32 * 1024 * 1024;
const entryBytes = 500;
/** Responses that were read from more pages are not kept: each is a version to read. */
const maximumPages = 10;
/** How old the response to an anonymous caller may be. */
const anonymousMaxAgeMs = 1_000;
/** A larger body does not fit the buffers of a connection: it counts as a request in progress until it is taken. */
const largeBytes = 64 * 1024;
/** But not for longer, since a client may read slowly. */
const maxWriteMs = 100;

/** The headers that a response depends on. */
const keyHeaders = ['authorization', 'accept', 'accept-encoding', 'content-type', 'host', 'x-graphql-cost'];
/** Requests with one of these are not answered from memory. A cookie can be a session, which is not in the key. */
const excludedHeaders = ['cookie', 'idempotency-key', 'if-match', 'transfer-encoding', 'x-http-method-override'];

/**
 * Answers reads of pages that did not change from memory, as bytes. A caller with a token gets a response that is
 * current: the versions of its pages are read first, once for all requests that wait. An anonymous caller gets one that
 * was current within the last second.
 */
export class ResponseCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: maximumBytes,
    sizeCalculation: ({ response }, key) =>
      entryBytes + key.length + (response ? response.body.length + entryBytes : 0),
  });
  private readonly pending = new WeakMap<IncomingMessage, PendingRequest>();

  constructor(private readonly dependencies: CacheDependencies) {}

  /**
   * Answers a request if it can. Returns no promise where nothing has to be waited for: one would take as long as all
   * else does. The endpoint identifies the caller of a POST before it reads the body.
   */
  respond(
    request: IncomingMessage,
    response: ServerResponse,
    post?: { body: string; caller: Caller },
  ): boolean | Promise<boolean> {
    const key = this.createKey(request, post?.body);
    if (key === null) return false;
    const entry = this.entries.get(key);
    if (!entry) {
      this.pending.set(request, { key });
      return false;
    }
    const cached = entry.response;
    const now = performance.now();
    const isFresh = request.headers.authorization === undefined && isFreshFor(cached, now);
    if (isFresh && (post || !this.dependencies.rateLimiter.limitsAddresses)) {
      write(request, response, cached);
      return true;
    }
    return this.respondIfCurrent(key, entry, isFresh, request, response, post?.caller);
  }

  private async respondIfCurrent(
    key: string,
    { pageIds, response: cached }: Entry,
    isFresh: boolean,
    request: IncomingMessage,
    response: ServerResponse,
    identified: Caller | undefined,
  ): Promise<boolean> {
    const { versions, rateLimiter, admission } = this.dependencies;
    const now = performance.now();
    try {
      const caller = identified ?? (await this.identify(request));
      const current = isFresh ? cached!.versions : await versions.read(pageIds);
      if (cached?.versions !== current || now >= cached.validUntil) {
        this.pending.set(request, { key, stale: { pageIds, versions: current, checkedAt: now } });
        return false;
      }
      if (!isFresh) cached.checkedAt = now;
      if (!identified) await rateLimiter.throttle(request, caller);
      if (cached.body.length <= largeBytes) write(request, response, cached);
      else await admission.run('list', () => writeLarge(request, response, cached));
      return true;
    } catch {
      // What is refused here, such as a request beyond the rate limit, is refused by the endpoint too.
      return false;
    }
  }

  private async identify(request: IncomingMessage): Promise<Caller> {
    const { settings, identifyCaller } = this.dependencies;
    if (request.headers.authorization !== undefined) return identifyCaller(request, 'read');
    return { kind: 'anonymous', reads: settings.anonymousReads };
  }

  /** Reads until when the response to an admitted request will be valid. Must be called before its data is read. */
  async prepare(request: IncomingMessage): Promise<void> {
    const pending = this.pending.get(request);
    if (!pending?.stale) return;
    const { pageIds } = pending.stale;
    const checkedAt = performance.now();
    const [versions, validityMs] = await Promise.all([
      this.dependencies.versions.read(pageIds),
      this.dependencies.readValidityMs(pageIds),
    ]);
    Object.assign(pending, { stale: { pageIds, checkedAt, versions }, validUntil: checkedAt + validityMs });
  }

  /**
   * Takes the reads of a request that `respond` did not answer. Returns what keeps its response, once its headers are
   * set; undefined if it is not kept: it comes for the first time, or its reads do not tell when it changes.
   */
  createKeeper(
    request: IncomingMessage,
    response: ServerResponse,
    { pageIds, isComplete }: PageReads,
  ): ((body: Buffer) => void) | undefined {
    const pending = this.pending.get(request);
    if (!pending || !isComplete || !pageIds.size || pageIds.size > maximumPages) return undefined;
    const ids = [...pageIds].toSorted();
    const { key, stale, validUntil } = pending;
    if (!stale || validUntil === undefined || stale.pageIds.join() !== ids.join()) {
      this.entries.set(key, { pageIds: ids });
      return undefined;
    }
    return body => {
      const etag = response.getHeader('etag');
      this.entries.set(key, {
        pageIds: ids,
        response: {
          versions: stale.versions,
          checkedAt: stale.checkedAt,
          validUntil,
          etag: etag === undefined ? undefined : String(etag),
          headers: response.getHeaderNames().flatMap(name => [name, String(response.getHeader(name))]),
          body: copy(body),
        },
      });
    };
  }

  /** Null for a request that is not answered from memory. A hash where it has a token. */
  private createKey({ method, url = '', headers }: IncomingMessage, body = ''): string | null {
    const isPost = method === 'POST' && body !== '';
    const isGet = method === 'GET' && (headers['content-length'] ?? '0') === '0';
    if (!isGet && !isPost) return null;
    if (!url.startsWith('/v1/') && !url.startsWith('/graphql')) return null;
    if (headers.accept?.includes('text/event-stream')) return null;
    for (const name of excludedHeaders) if (headers[name] !== undefined) return null;
    let key = `${method}\n${url}\n${this.dependencies.settings.anonymousReads}\n`;
    for (const name of keyHeaders) key += `${headers[name] ?? ''}\n`;
    key += body;
    return headers.authorization === undefined ? key : hash('sha256', key, 'base64url');
  }
}

/** Whether a response was current a moment ago, which does for an anonymous caller. */
const isFreshFor = (cached: CachedResponse | undefined, now: number): cached is CachedResponse =>
  cached !== undefined && now - cached.checkedAt < anonymousMaxAgeMs && now < cached.validUntil;

function write(request: IncomingMessage, response: ServerResponse, { etag, headers, body }: CachedResponse): void {
  if (etag !== undefined && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, withoutContent(headers)).end();
    return;
  }
  response.writeHead(200, headers);
  response.end(body);
}

/** Resolves when the client has taken the response, or after some time. */
function writeLarge(request: IncomingMessage, response: ServerResponse, cached: CachedResponse): Promise<void> {
  write(request, response, cached);
  return new Promise(done => {
    const timer = setTimeout(done, maxWriteMs).unref();
    response.once('close', () => {
      clearTimeout(timer);
      done();
    });
  });
}

/** A small buffer is a part of a pool of 64 KB, all of which it would keep in memory. */
function copy(body: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

const withoutContent = (headers: string[]): string[] =>
  headers.filter((_, index) => !/^content-/i.test(headers[index - (index % 2)]!));
