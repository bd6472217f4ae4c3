import { createTagUri, type Feed, type FeedCategory, type FeedEntry } from './entries.js';
import { createFeedRoute } from './feed-route.js';
import { type Xml, xml } from './xml.js';

/** RSS 2.0. It has no element for the time of a change, so the feed uses `updated` of the Atom namespace. */
export const rssFeed = createFeedRoute(
  'feed.rss',
  'application/rss+xml; charset=utf-8',
  feed =>
    xml`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${feed.title}</title>
<link>${feed.pageUrl}</link>
<description>${feed.title}</description>
<language>${feed.language}</language>
<lastBuildDate>${feed.updated.toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${feed.selfUrl}"/>
${feed.omitted.map(renderRelated)}${feed.entries.map(renderItem)}</channel>
</rss>
`.text,
);

const renderRelated = ({ title, url }: Feed['omitted'][number]): Xml =>
  xml`<atom:link rel="related" type="text/html" title="${title}" href="${url}"/>\n`;

function renderItem({ id, title, url, published, updated, html, categories }: FeedEntry): Xml {
  return xml`<item>
<guid isPermaLink="false">${id}</guid>
<title>${title}</title>
<link>${url}</link>
<pubDate>${published.toUTCString()}</pubDate>
<atom:updated>${updated.toISOString()}</atom:updated>
${categories.map(renderCategory)}<description>${html}</description>
</item>
`;
}

function renderCategory({ kind, label }: FeedCategory): Xml {
  return xml`<category domain="${createTagUri(kind)}">${label}</category>\n`;
}
