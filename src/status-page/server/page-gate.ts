import type { IncomingMessage } from 'node:http';
import type { UncachedRequest, UncachedResponse } from './uncached-response.js';

/** Whether a visitor may still see a page. */
export type VisitorCheck = () => Promise<boolean>;

/** Decides who sees the private pages. */
export interface PageGate {
  /** Null: the visitor may see the page. Otherwise the response. Called for each request for a private page. */
  check(request: IncomingMessage, target: UncachedRequest): Promise<UncachedResponse | null>;
  /**
   * What checks the visitor of a stream, which goes on without requests. It is kept as long, so it must not keep the
   * generation, which has the texts of the whole page. Undefined: the access ends with a change of the page.
   */
  watch(request: IncomingMessage, target: UncachedRequest): VisitorCheck | undefined;
}
