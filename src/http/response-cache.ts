import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/access.js';
import type { Settings } from '../core/config.js';
import type { PageVersions } from '../db/page-versions.js';
import type { PageReads } from '../records/page-reads.js';
import { matchesEtag } from './etag.js';
import type { IdentifyCaller } from './identify-caller.js';
import type { RateLimiter } from './rate-limit.js';

interface CacheDependencies {
  settings: Pick<Settings, 'anonymousReads'>;
  versions: PageVersions;
  /** In how many milliseconds what is read of these pages changes by time alone; infinity if it does not. */
  readValidityMs(pageIds: readonly string[]): Promise<number>;
  identifyCaller: IdentifyCaller;
  rateLimiter: RateLimiter;
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
  current?: Pick<CachedResponse, 'versions' | 'checkedAt' | 'validUntil'> & Pick<Entry, 'pageIds'>;
}

const maximumBytes = 32 * 1024 * 1024;
const entryBytes = 500;
/** Responses that were read from more pages are not kept: each is a version to read. */
const maximumPages = 10;
/** How old the response to an anonymous caller may be. */
const anonymousMaxAgeMs = 1_000;

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
    sizeCalculation: ({ response }) => entryBytes + (response ? response.body.length + entryBytes : 0),
  });
  private readonly pending = new WeakMap<IncomingMessage, PendingRequest>();

  constructor(private readonly dependencies: CacheDependencies) {}

  /** Answers a request if it can. The endpoint identifies the caller of a POST before it reads the body. */
  async respond(
    request: IncomingMessage,
    response: ServerResponse,
    post?: { body: string; caller: Caller },
  ): Promise<boolean> {
    const key = this.createKey(request, post?.body);
    if (key === null) return false;
    const entry = this.entries.get(key);
    try {
      const cached = entry && (await this.findCurrent(key, entry, request, post?.caller));
      if (cached) {
        write(request, response, cached);
        return true;
      }
      if (!entry) this.pending.set(request, { key });
    } catch {
      // What is refused here, such as a request beyond the rate limit, is refused by the endpoint too.
    }
    return false;
  }

  private async findCurrent(
    key: string,
    { pageIds, response }: Entry,
    request: IncomingMessage,
    identified: Caller | undefined,
  ): Promise<CachedResponse | null> {
    const { settings, versions, identifyCaller, rateLimiter } = this.dependencies;
    const now = performance.now();
    const isAnonymous = request.headers.authorization === undefined;
    const caller: Caller =
      identified ??
      (isAnonymous ? { kind: 'anonymous', reads: settings.anonymousReads } : await identifyCaller(request, 'read'));
    const isFresh = isAnonymous && response && now - response.checkedAt < anonymousMaxAgeMs;
    const current = isFresh ? response.versions : await versions.read(pageIds);
    if (response?.versions !== current || now >= response.validUntil) {
      const validUntil = now + (await this.dependencies.readValidityMs(pageIds));
      this.pending.set(request, { key, current: { pageIds, versions: current, checkedAt: now, validUntil } });
      return null;
    }
    if (!isFresh) response.checkedAt = now;
    if (!identified) await rateLimiter.throttle(request, caller);
    return response;
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
    const { key, current } = pending;
    if (!current || current.pageIds.join() !== ids.join()) {
      this.entries.set(key, { pageIds: ids });
      return undefined;
    }
    return body => {
      const etag = response.getHeader('etag');
      this.entries.set(key, {
        pageIds: ids,
        response: {
          ...current,
          etag: etag === undefined ? undefined : String(etag),
          headers: response.getHeaderNames().flatMap(name => [name, String(response.getHeader(name))]),
          body,
        },
      });
    };
  }

  /** Null for a request that is not answered from memory. A hash, since the headers can have a token. */
  private createKey({ method, url = '', headers }: IncomingMessage, body = ''): string | null {
    const isPost = method === 'POST' && body !== '';
    const isGet = method === 'GET' && (headers['content-length'] ?? '0') === '0';
    if (!isGet && !isPost) return null;
    if (!url.startsWith('/v1/') && !url.startsWith('/graphql')) return null;
    if (headers.accept?.includes('text/event-stream')) return null;
    for (const name of excludedHeaders) if (headers[name] !== undefined) return null;
    let key = `${method}\n${url}\n${this.dependencies.settings.anonymousReads}\n`;
    for (const name of keyHeaders) key += `${headers[name] ?? ''}\n`;
    return hash('sha256', key + body, 'base64url');
  }
}

function write(request: IncomingMessage, response: ServerResponse, { etag, headers, body }: CachedResponse): void {
  if (etag !== undefined && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, withoutContent(headers)).end();
    return;
  }
  response.writeHead(200, headers);
  response.end(body);
}

const withoutContent = (headers: string[]): string[] =>
  headers.filter((_, index) => !/^content-/i.test(headers[index - (index % 2)]!));
