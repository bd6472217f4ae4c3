import type { IncomingMessage } from 'node:http';
import type { UncachedRequest, UncachedResponse } from './uncached-response.js';

/** Decides who sees the private pages. */
export interface PageGate {
  /** Null: the visitor may see the page. Otherwise the response. Called for each request for a private page. */
  check(request: IncomingMessage, target: UncachedRequest): Promise<UncachedResponse | null>;
  /** Whether the visitor may still see the page, for a stream that goes on without requests. */
  isStillAllowed(request: IncomingMessage, target: UncachedRequest): Promise<boolean>;
}
