import type { Face } from '../server/public-route.js';
import { type Entry, feedOf, tagUri } from './entries.js';
import { xml } from './xml.js';

/** RSS 2.0, which has no word for a change of an entry: Atom lends its own. */
export const rssFeed: Face = {
  path: 'feed.rss',
  query: ['component', 'lang'],
  draw: (view, asked) => {
    const feed = feedOf(view, 'feed.rss', asked);
    if (!feed) return null;
    const { text } = xml`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${feed.title}</title>
<link>${feed.home}</link>
<description>${feed.title}</description>
<language>${feed.language}</language>
<lastBuildDate>${feed.updated.toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${feed.self}"/>
${feed.entries.map(rssItem)}</channel>
</rss>
`;
    return { type: 'application/rss+xml; charset=utf-8', body: text };
  },
};

function rssItem({ id, title, url, published, updated, html, categories }: Entry) {
  return xml`<item>
<guid isPermaLink="false">${id}</guid>
<title>${title}</title>
<link>${url}</link>
<pubDate>${published.toUTCString()}</pubDate>
<atom:updated>${updated.toISOString()}</atom:updated>
${categories.map(({ kind, label }) => xml`<category domain="${tagUri(kind)}">${label}</category>\n`)}<description>${html}</description>
</item>
`;
}
