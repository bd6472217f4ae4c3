import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Drawing } from './public-route.js';
import type { PlaceName, Site } from './page-revision.js';

/** A request for an address of a page that is answered anew each time, since it asks for something to be done or shows what is of one visitor only. */
export interface DynamicRequest {
  /** Below the place of the page, as it was written. */
  path: string;
  parameters: URLSearchParams;
  site: Site;
  place: PlaceName;
  /** The database cannot be asked: nothing can be done. */
  isAway: boolean;
}

/** Pages that go around the drawn ones. */
export interface DynamicPages {
  has(path: string): boolean;
  answer(request: IncomingMessage, asked: DynamicRequest): Promise<Drawing>;
}

/** Neither kept nor packed: what compresses well beside a secret tells of it by its length. */
export function writeDynamic(response: ServerResponse, { type, body, status = 200, headers = {} }: Drawing): void {
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
