import { LRUCache } from 'lru-cache';
import type { ExceededCap, MessageRequest } from './subscription-request.service.js';

type Capped = Pick<MessageRequest, 'pageId' | 'method' | 'caller'>;

const keys: Record<ExceededCap, (request: Capped) => string> = {
  caller: ({ method, caller }) => `${method} caller ${caller}`,
  page: ({ method, pageId }) => `${method} page ${pageId}`,
};

/**
 * Remembers for a minute which callers and pages have exceeded their caps, so that those who go on asking cost no
 * transaction. The database counts: a process that does not remember asks it.
 */
export class RefusedRequests {
  private readonly refused = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });

  has(request: Capped): boolean {
    return Object.values(keys).some(toKey => this.refused.has(toKey(request)));
  }

  add(request: Capped, cap: ExceededCap): void {
    this.refused.set(keys[cap](request), true);
  }
}
