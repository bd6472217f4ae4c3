import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { matchRoute } from './match-route.js';

interface Redirect {
  status: number;
  headers: Record<string, string>;
}

/**
 * Where a request for a path of a page is sent, or null. `mount` is the path of the page, with a slash at its end;
 * the other arguments are what follows it.
 */
export function findRedirect(request: IncomingMessage, mount: string, path: string, query: string): Redirect | null {
  const to = (target: string) => mount + target + (query && `?${query}`);
  // A redirect that is not stored: a cache that ignores `Vary` would serve the Markdown to browsers.
  if (path === '' && prefersMarkdown(request))
    return { status: 302, headers: { Location: to('index.md'), 'Cache-Control': 'no-store', Vary: 'Accept' } };
  // Other products, and people, write addresses with a slash at their end: `/feed/`.
  const withoutSlash = path.replace(/\/$/, '');
  if (withoutSlash && withoutSlash !== path && !matchRoute(path, query) && matchRoute(withoutSlash, query))
    return { status: 301, headers: { Location: to(withoutSlash) } };
  return null;
}

const markdownType = 'text/markdown';
export const acceptsMarkdown = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.includes(markdownType) ?? false;

/** Language model clients request the front page with Markdown before HTML in their Accept header. */
function prefersMarkdown(request: IncomingMessage): boolean {
  return acceptsMarkdown(request) && new Negotiator(request).mediaType(['text/html', markdownType]) === markdownType;
}
