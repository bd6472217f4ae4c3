import type { PublicRoute } from '../routing/public-route.js';
import { renderRedirect } from '../routing/responses.js';
import { absoluteUrl, withQuery } from '../view/urls.js';

/** Where other products have their feeds: a page that moves here with its domain keeps its readers. */
const formerPaths: readonly [path: string, feed: string][] = [
  // Statuspage, Instatus
  ['history.rss', 'feed.rss'],
  ['history.atom', 'feed.atom'],
  ['history.json', 'feed.json'],
  // Cachet
  ['rss', 'feed.rss'],
  ['atom', 'feed.atom'],
  // OpenStatus
  ['feed/rss', 'feed.rss'],
  ['feed/atom', 'feed.atom'],
  ['feed/json', 'feed.json'],
  ['feed', 'feed.rss'],
  // cState
  ['index.xml', 'feed.rss'],
  // Uptime Kuma
  ['status/:slug/rss', 'feed.rss'],
  // Upptime, and others
  ['rss.xml', 'feed.rss'],
  ['feed.xml', 'feed.rss'],
  ['atom.xml', 'feed.atom'],
];

export const feedRedirects: readonly PublicRoute[] = formerPaths.map(([path, feed]) => ({
  path,
  query: ['component', 'lang'],
  listPaths: () => [],
  render: (view, parameters) => renderRedirect(301, absoluteUrl(view, withQuery(feed, parameters, view))),
}));
