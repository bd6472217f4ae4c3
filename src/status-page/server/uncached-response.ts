import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RenderedResponse } from './public-route.js';
import type { MountType } from '../view/mount.js';
import type { PageRevision } from './page-revision.js';

/** A request that is answered anew each time, since it performs an action or shows one visitor's own data. */
export interface UncachedRequest {
  /** Relative to the page's mount, not decoded. */
  path: string;
  parameters: URLSearchParams;
  revision: PageRevision;
  mountType: MountType;
  /** True while the database cannot be reached: no action is possible. */
  isDatabaseUnavailable: boolean;
}

/** Routes that bypass the response cache: the subscribe, confirm and preferences pages. */
export interface UncachedRoutes {
  matches(path: string): boolean;
  respond(request: IncomingMessage, target: UncachedRequest): Promise<RenderedResponse>;
}

/** Never cached and never compressed: compressing a secret together with user input leaks it by its length (BREACH). */
export function writeUncachedResponse(
  response: ServerResponse,
  { type, body, status = 200, headers = {} }: RenderedResponse,
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'no-referrer',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
