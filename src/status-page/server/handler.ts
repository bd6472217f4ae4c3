import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { hostOf, mayBeDomain, pageOfHost } from '../../http/host-header.js';
import { log } from '../../core/logger.js';
import { type DynamicPages, writeDynamic } from './uncached-response.js';
import { type Encoding, encodings, type Packed } from './compressed-response.js';
import { routeOf } from './request-target.js';
import type { PageCache } from './page-cache.js';
import type { Asking, PlaceName, Site } from './page-revision.js';

/** True: the request is answered, or will be. False: it is not for a page. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Known {
  site: Site;
  packed: Packed;
  asking: Asking;
}

/** In bytes, of all that is remembered; and in characters: nobody is to fill the memory with addresses. */
const rememberedAtMost = 64 * 1024 * 1024;
const longestWords = 512;

/**
 * Answers for the pages, ahead of everything else: what was asked before in the same words is found by one look into a map, and written as it lies there.
 * `next` takes what turns out, after a look at the database, to be for no page.
 */
export function servePages(
  cache: PageCache,
  next: (request: IncomingMessage, response: ServerResponse) => void,
  dynamic?: DynamicPages,
): PageHandler {
  // By host and address, as they were written.
  const known = new LRUCache<string, Known>({
    max: 20_000,
    maxSize: rememberedAtMost,
    sizeCalculation: ({ packed }, words) => packed.size + 2 * words.length,
    dispose: ({ site }, words) => site.words.delete(words),
  });
  cache.retired = ({ words }) => {
    for (const one of words) known.delete(one);
  };

  return (request, response) => {
    const { method, url = '/', headers } = request;
    // No address holds a blank.
    const words = `${headers.host} ${url}`;
    const found = known.get(words);
    if (
      found?.site.current &&
      !mayWantMarkdown(request) &&
      (method === 'GET' || method === 'HEAD') &&
      hasOneHost(request)
    ) {
      found.asking.hits += 1;
      write(request, response, found.packed, ageOf(found.site));
      return true;
    }
    // A target may name the host once more, and then that one counts.
    const [, named, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
    const host = hasOneHost(request) ? hostOf(named ?? headers.host) : undefined;
    // The host is wrong, and the rest of the house says so.
    if (!host) return false;
    const target = targetOf(host, rest ?? url);
    if (!target) return false;
    answer(request, response, target, words).catch(error => {
      // No parameters and no more than the first of a path: what follows may be a secret.
      log.error({ err: error, path: target.path.split('/')[0], page: target.pageId }, 'a page could not be drawn');
      plain(response, 500, 'An unknown error has occurred.\n');
    });
    return true;
  };

  interface Target {
    /** Undefined: the page of a custom domain, which is to be looked up. */
    pageId: string | undefined;
    place: PlaceName;
    host: string;
    path: string;
    query: string;
    /** Without the slash at its end, by which the addresses on a page are found. */
    isBare?: boolean;
  }

  /** When it was read, while the database cannot be asked for it; null while it is as it should be. */
  function ageOf(site: Site): string | null {
    return (cache.staleSince ?? site.staleSince) && site.snapshot.readAt;
  }

  function targetOf(host: string, url: string): Target | null {
    const [path = '', query = ''] = split(url || '/');
    const own = pageOfHost(host) ?? (mayBeDomain(host) ? undefined : null);
    return own === null ? below(host, path, query) : { pageId: own, place: 'host', host, path: path.slice(1), query };
  }

  function below(host: string, path: string, query: string): Target | null {
    const [, pageId, rest] = /^\/status\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    return pageId
      ? { pageId, place: 'path', host, path: rest?.slice(1) ?? '', query, isBare: rest === undefined }
      : null;
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    given: Target,
    words: string,
  ): Promise<void> {
    const domain = given.pageId ? null : await cache.pageOf(given.host);
    // A name that is no page's is one of ours.
    const target = given.pageId
      ? given
      : domain
        ? { ...given, pageId: domain }
        : below(given.host, `/${given.path}`, given.query);
    if (!target) return next(request, response);
    const { place, path, query } = target;
    const pageId = target.pageId!;
    const site = /^[0-9a-f]{8}$/.test(pageId) ? await cache.site(pageId) : null;
    if (!site)
      return plain(
        response,
        cache.staleSince ? 503 : 404,
        cache.staleSince ? 'This page cannot be shown at the moment.\n' : 'Not found.\n',
      );
    if (target.isBare) {
      return plain(response, 301, '', { Location: `/status/${pageId}/${query && `?${query}`}` });
    }
    if (dynamic?.has(path)) {
      return writeDynamic(
        response,
        await dynamic.answer(request, {
          path,
          parameters: new URLSearchParams(query),
          site,
          place,
          isAway: cache.staleSince !== null,
        }),
      );
    }
    const route = routeOf(path, query);
    if (route && request.method === 'OPTIONS') return options(response);
    if (route && request.method !== 'GET' && request.method !== 'HEAD') {
      return plain(response, 405, 'Only GET and HEAD are known here.\n', { Allow: 'GET, HEAD, OPTIONS' });
    }
    if (path === '' && wantsMarkdown(request)) {
      // Elsewhere, and not to be kept: a cache that goes by addresses alone would show it to browsers.
      return plain(response, 302, '', {
        Location: `${place === 'host' ? '/' : `/status/${pageId}/`}index.md${query && `?${query}`}`,
        'Cache-Control': 'no-store',
        Vary: 'Accept',
      });
    }
    const packed = route && (await cache.draw(site, place, route));
    if (!packed) return plain(response, 404, 'Not found.\n');
    if (
      site.current &&
      words.length <= longestWords &&
      known.set(words, { site, packed, asking: site.count(place, route, 0) })
    )
      site.words.add(words);
    write(request, response, packed, ageOf(site));
  }
}

/** Node keeps the first of several; a proxy before us may have gone by the last. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}

const split = (url: string) => {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
};

const markdown = 'text/markdown';
const mayWantMarkdown = ({ headers }: IncomingMessage): boolean => headers.accept?.includes(markdown) ?? false;

/** What reads for a language model asks for the page itself, and says so before HTML. */
function wantsMarkdown(request: IncomingMessage): boolean {
  return mayWantMarkdown(request) && new Negotiator(request).mediaType(['text/html', markdown]) === markdown;
}

/** What clients accept is said in a few ways by all of them. */
const accepted = new LRUCache<string, Encoding>({ max: 500 });

/** Its types are of the version before, which took the client's order, and no browser means anything by that. */
interface Preferring {
  encoding(available: Encoding[], options: { preferred: Encoding[] }): Encoding | undefined;
}

function encodingOf(request: IncomingMessage): Encoding {
  const header = String(request.headers['accept-encoding'] ?? '');
  let encoding = accepted.get(header);
  if (!encoding) {
    const negotiator = new Negotiator(request) as unknown as Preferring;
    encoding = negotiator.encoding([...encodings], { preferred: [...encodings] }) ?? 'identity';
    accepted.set(header, encoding);
  }
  return encoding;
}

/** `readAt` is null unless the database is away: then the answer says how old it is, as a cache would. */
function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, forms }: Packed,
  readAt: string | null,
): void {
  const form = forms[encodingOf(request)];
  const age = readAt ? ['Age', String(Math.max(0, Math.round((Date.now() - Date.parse(readAt)) / 1000)))] : [];
  const wanted = request.headers['if-none-match'];
  if (wanted !== undefined && status === 200 && matches(wanted, form.etag)) {
    response.writeHead(304, age.length ? [...form.notModified, ...age] : form.notModified).end();
    return;
  }
  response.writeHead(status, age.length ? [...form.headers, ...age] : form.headers);
  if (request.method === 'HEAD') response.end();
  else response.end(form.body);
}

function matches(wanted: string, etag: string): boolean {
  if (wanted === etag || wanted === '*') return true;
  return wanted.split(',').some(one => one.trim().replace(/^W\//, '') === etag);
}

function plain(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-cache',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

function options(response: ServerResponse): void {
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
    'Access-Control-Allow-Headers': 'If-None-Match',
    'Access-Control-Max-Age': '600',
  };
  response.writeHead(204, headers).end();
}
