import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Caller, describeRights } from '../auth/access.js';
import type { PageVersions } from '../db/page-versions.js';
import type { PageReads } from '../records/page-reads.js';
import { matchesEtag } from './etag.js';

interface Dependencies {
  versions: Pick<PageVersions, 'read'>;
  /** In how many milliseconds what is read of these pages changes by time alone; infinity if it does not. */
  readValidityMs(pageIds: readonly string[]): Promise<number>;
}

/** While the versions are these and the time has not come, the response to a request has this ETag. */
interface Validator {
  versions: string;
  /** By `performance.now()`. */
  validUntil: number;
  etag: string;
}

interface Entry {
  pageIds: readonly string[];
  validator?: Validator;
}

export interface Revalidation {
  /** Of the response that the client has, where it is current. */
  current?: string;
  /** Takes what the response was read from, and its ETag. */
  keep(reads: PageReads, etag: string | undefined): void;
}

const maxEntries = 10_000;
/** More pages are not compared: each is a version to read. */
const maxPages = 10;

/**
 * Answers If-None-Match without reading the records: an ETag is current while the versions of its pages are. It belongs
 * to a document, its variables, a caller and the rights of that caller at the time of the request. No body is kept.
 */
export class Revalidator {
  private readonly entries = new LRUCache<string, Entry>({ max: maxEntries });

  constructor(private readonly dependencies: Dependencies) {}

  /** Must be called before the data of the response is read. Null where the client has no response. */
  async begin(ifNoneMatch: string | undefined, caller: Caller, request: string): Promise<Revalidation | null> {
    if (!ifNoneMatch || caller.kind === 'anonymous') return null;
    const key = hash('sha256', `${caller.kind} ${caller.key}\n${describeRights(caller)}\n${request}`, 'base64url');
    const entry = this.entries.get(key);
    // Which pages it reads is known when it has been answered once.
    if (!entry) return { keep: reads => this.set(key, reads) };
    const { versions, readValidityMs } = this.dependencies;
    const { pageIds, validator } = entry;
    const now = performance.now();
    const current = await versions.read(pageIds);
    const isCurrent = validator?.versions === current && now < validator.validUntil;
    if (isCurrent && matchesEtag(ifNoneMatch, validator.etag)) return { current: validator.etag, keep() {} };
    const validUntil = now + (await readValidityMs(pageIds));
    return {
      keep: (reads, etag) => this.set(key, reads, { versions: current, validUntil, etag: etag ?? '' }, pageIds),
    };
  }

  /** `of`: the pages whose versions the validator has. */
  private set(key: string, reads: PageReads, validator?: Validator, of: readonly string[] = []): void {
    const pageIds = [...reads.pageIds].toSorted();
    if (!reads.isComplete || !pageIds.length || pageIds.length > maxPages) return void this.entries.delete(key);
    const isComparable = validator?.etag && pageIds.join() === of.join();
    this.entries.set(key, { pageIds, validator: isComparable ? validator : undefined });
  }
}
