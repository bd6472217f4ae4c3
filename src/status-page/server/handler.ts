import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import { createEncodingNegotiator } from '../../http/content-encoding.js';
import { refusalHeaders, refusalStatus } from '../../http/status-codes.js';
import type { RateLimiter } from '../../http/rate-limit.js';
import { hasOneHostHeader, type HostRules, parseHost } from '../../http/host-header.js';
import type { MountType } from '../view/mount.js';
import { notFoundPage } from '../html/not-found-page.js';
import { renderText } from '../routing/responses.js';
import { acceptsMarkdown, findRedirect } from './find-redirect.js';
import { matchRoute, type RouteMatch } from './match-route.js';
import { privateCacheControl } from './compressed-response.js';
import type { PageGate } from './page-gate.js';
import type { PageLoader } from './page-loader.js';
import type { CachedResponse } from './generation-cache.js';
import { type UncachedRequest, type UncachedRoutes, writeUncachedResponse } from './uncached-response.js';
import { writeMovedPage, writeUnknownPage } from './unknown-page.js';
import { acceptsHtml, writeCachedResponse, writeOptions, writePlainText } from './write-response.js';

/** True: the request is or will be answered. False: it is not for a page. */
type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface PageHandlerOptions {
  pages: PageLoader;
  hosts: HostRules;
  log: Logger;
  uncachedRoutes?: UncachedRoutes;
  /** Decides who sees the private pages. Without it nobody does. */
  gate?: PageGate;
  /** Counts the requests that are not answered from the cache. */
  rateLimiter: Pick<RateLimiter, 'throttleAddress'>;
  /** Takes over requests for a host that turns out, after a database lookup, to be the custom domain of no page. */
  next(request: IncomingMessage, response: ServerResponse): void;
}

interface Target {
  /** Undefined: the host may be a custom domain, whose page has to be looked up. */
  pageId: string | undefined;
  mountType: MountType;
  host: string;
  /** Relative to the page's mount. */
  path: string;
  query: string;
  /** `/status/<page id>` without a trailing slash, which relative links need. */
  lacksSlash?: boolean;
  /** The root of the service, which may show a page. */
  isRoot?: boolean;
}

/**
 * Serves the public pages, ahead of all other middleware.
 * A request whose host and URL were served before costs one map lookup; the entry holds the final bytes and headers.
 */
export function createPageHandler({
  pages,
  hosts,
  log,
  uncachedRoutes,
  gate,
  rateLimiter,
  next,
}: PageHandlerOptions): PageHandler {
  const { store } = pages;
  const negotiateEncoding = createEncodingNegotiator();

  return (request, response) => {
    const { method, url = '/', headers } = request;
    // The separator is unambiguous: a URL contains no space.
    const requestKey = `${headers.host} ${url}`;
    const cached = store.findRequest(requestKey);
    if (cached && !acceptsMarkdown(request) && (method === 'GET' || method === 'HEAD') && hasOneHostHeader(request)) {
      cached.usage.hits += 1;
      write(request, response, cached);
      return true;
    }
    // In an absolute-form request target the host of the URL takes precedence over the Host header (RFC 9112, 3.2.2).
    const [, urlHost, urlPath] = /^https?:\/\/([^/?#]*)((?:[/?#].*)?)$/i.exec(url) ?? [];
    const host = hasOneHostHeader(request) ? parseHost(urlHost ?? headers.host) : undefined;
    // The next middleware rejects an invalid host.
    if (!host) return false;
    const target = parseTarget(host, urlPath ?? url, hosts);
    if (!target) return false;
    respond(request, response, target, requestKey).catch(error => {
      if (error instanceof Refusal)
        return writePlainText(response, refusalStatus[error.code], `${error.message}\n`, refusalHeaders(error));
      // Only the first segment of the path is logged: the rest and the parameters may hold a secret.
      log.error({ err: error, path: target.path.split('/')[0], page: target.pageId }, 'failed to render a page');
      writePlainText(response, 500, 'An unknown error has occurred.\n');
    });
    return true;
  };

  function write(request: IncomingMessage, response: ServerResponse, cached: CachedResponse): void {
    const { staleSince, snapshot } = cached.generation;
    const readAt = pages.staleSince || staleSince ? snapshot.readAt : null;
    writeCachedResponse(request, response, cached.response, negotiateEncoding(request), readAt);
  }

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    parsedTarget: Target,
    requestKey: string,
  ): Promise<void> {
    if (!isCached(parsedTarget)) await rateLimiter.throttleAddress(request);
    const target = await resolvePage(parsedTarget);
    if (!target) return next(request, response);
    const { pageId, mountType, path, query } = target;
    const generation = /^[0-9a-f]{8}$/.test(pageId) ? await pages.getGeneration(pageId) : null;
    if (!generation) {
      if (pages.staleSince) return writePlainText(response, 503, 'This page is temporarily unavailable.\n');
      const movedTo = await pages.ids.findMoved(pageId);
      return movedTo ? writeMovedPage(response, movedTo, path, query) : writeUnknownPage(request, response);
    }
    if (target.lacksSlash) {
      return writePlainText(response, 301, '', { Location: `/status/${pageId}/${query && `?${query}`}` });
    }
    const uncached: UncachedRequest = {
      path,
      parameters: new URLSearchParams(query),
      generation,
      mountType,
      isDatabaseUnavailable: pages.staleSince !== null,
    };
    if (generation.isPrivate) {
      const refusal = gate ? await gate.check(request, uncached) : privateRefusal;
      if (refusal) return writeUncachedResponse(response, refusal, 'identity');
    }
    if (uncachedRoutes?.matches(path))
      return writeUncachedResponse(
        response,
        await uncachedRoutes.respond(request, uncached),
        negotiateEncoding(request),
      );
    if (path === eventsPath) {
      const isStillAllowed = generation.isPrivate ? gate?.watch(request, uncached) : undefined;
      return pages.events.respond(request, response, generation, query, isStillAllowed);
    }
    const match = matchRoute(path, query);
    if (match && request.method === 'OPTIONS') return writeOptions(request, response);
    if (match && request.method !== 'GET' && request.method !== 'HEAD') {
      const headers = { Allow: 'GET, HEAD, OPTIONS' };
      return writePlainText(response, 405, 'This path accepts GET and HEAD only.\n', headers);
    }
    const redirect = findRedirect(request, mountType === 'host' ? '/' : `/status/${pageId}/`, path, query);
    if (redirect) return writePlainText(response, redirect.status, '', redirect.headers);
    const rendered = match && (await store.renderForVisitor(generation, mountType, match));
    if (!rendered) {
      const notFound = acceptsHtml(request) ? await store.renderForVisitor(generation, mountType, notFoundMatch) : null;
      if (!notFound) return writePlainText(response, 404, 'Not found.\n', { Vary: 'Accept' });
      return write(request, response, { generation, response: notFound });
    }
    // Which page is at the root changes without a new generation of it; a private page is not for everybody.
    if (!target.isRoot && !generation.isPrivate)
      store.addRequest(requestKey, { generation, response: rendered }, mountType, match);
    write(request, response, { generation, response: rendered });
  }

  /** Whether a request needs neither the database nor a rendering. */
  function isCached(target: Target): boolean {
    const { pageId, host, isRoot, mountType, path, query } = target;
    const id = pageId ?? (isRoot ? pages.ids.getCachedRoot() : pages.ids.getCachedByDomain(host));
    if (id === '') {
      const onService = toServiceTarget(target);
      return !onService || isCached(onService);
    }
    const generation = id && store.getGeneration(id);
    if (!generation || uncachedRoutes?.matches(path)) return false;
    const match = matchRoute(path, query);
    return !match || store.isRendered(generation, mountType, match);
  }

  async function resolvePage(target: Target): Promise<(Target & { pageId: string }) | null> {
    if (target.isRoot) {
      const pageId = await pages.ids.findRoot();
      return pageId ? { ...target, pageId } : null;
    }
    const pageId = target.pageId ?? (await pages.ids.findByDomain(target.host));
    if (pageId) return { ...target, pageId };
    return toServiceTarget(target);
  }
}

const privateRefusal = renderText(403, 'This page is private.\n', { 'Cache-Control': privateCacheControl });

/** Server-sent events, which tell that the page has changed. */
const eventsPath = 'events';

/** Null: the request is not for a page. */
function parseTarget(
  host: string,
  url: string,
  { pageIdFromHost, canBeCustomDomain, isConsoleHost }: HostRules,
): Target | null {
  const [path = '', query = ''] = splitUrl(url || '/');
  if (path === '/' && isConsoleHost(host)) return null;
  const pageId = pageIdFromHost(host) ?? (canBeCustomDomain(host) ? undefined : null);
  return pageId === null
    ? parsePathTarget(host, path, query)
    : { pageId, mountType: 'host', host, path: path.slice(1), query };
}

function parsePathTarget(host: string, path: string, query: string): Target | null {
  if (path === '/') return { pageId: undefined, mountType: 'path', host, path: '', query, isRoot: true };
  const [, pageId, rest] = /^\/status\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  return pageId
    ? { pageId, mountType: 'path', host, path: rest?.slice(1) ?? '', query, lacksSlash: rest === undefined }
    : null;
}

/**
 * A host that is not a custom domain is the service's own, which serves pages below `/status/`. The root is shown at
 * the service's own host only: a domain that no page has verified shows nothing.
 */
function toServiceTarget({ host, path, query }: Target): (Target & { pageId: string }) | null {
  const target = parsePathTarget(host, `/${path}`, query);
  return target?.pageId ? { ...target, pageId: target.pageId } : null;
}

const splitUrl = (url: string) => {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? [url, ''] : [url.slice(0, queryStart), url.slice(queryStart + 1)];
};

/** One response for all paths that a page does not have. */
const notFoundMatch: RouteMatch = {
  key: notFoundPage.path,
  route: notFoundPage,
  parameters: { path: {}, query: {} },
  locale: null,
};
