import type { IncomingMessage, ServerResponse } from 'node:http';
import { compress, type Encoding } from '../../http/content-encoding.js';
import type { RenderedResponse } from '../routing/public-route.js';
import type { MountType } from '../view/mount.js';
import type { PageGeneration } from './page-generation.js';

/** A request that is never answered from a cache: it performs an action or shows one visitor's own data. */
export interface UncachedRequest {
  /** Relative to the page's mount, not decoded. */
  path: string;
  parameters: URLSearchParams;
  generation: PageGeneration;
  mountType: MountType;
  /** True while the database cannot be reached: no action is possible. */
  isDatabaseUnavailable: boolean;
}

/** Routes that bypass the response cache: the subscribe, confirm and preferences pages. */
export interface UncachedRoutes {
  matches(path: string): boolean;
  respond(request: IncomingMessage, target: UncachedRequest): Promise<UncachedResponse>;
}

export interface UncachedResponse extends RenderedResponse {
  /** Whether it depends on nothing of the visitor but the language: no address, no token, no input. */
  isSameForAll?: boolean;
  /** The values of Set-Cookie. */
  cookies?: string[];
}

/** One compression serves one visitor. */
const quality = 3;

/** Never cached, and compressed only if it is the same for all: the length could leak a secret (BREACH). */
export async function writeUncachedResponse(
  response: ServerResponse,
  { type, body, status = 200, headers = {}, isSameForAll = false, cookies = [] }: UncachedResponse,
  acceptedEncoding: Encoding,
): Promise<void> {
  const encoding = isSameForAll ? acceptedEncoding : 'identity';
  const bytes = await compress(Buffer.from(body), encoding, quality);
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': bytes.length,
    ...(isSameForAll && { Vary: 'Accept-Encoding' }),
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'no-referrer',
    ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
