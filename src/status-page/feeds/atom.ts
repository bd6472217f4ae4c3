import { createTagUri, type Feed, type FeedCategory, type FeedEntry } from './entries.js';
import { createFeedRoute } from './feed-route.js';
import { type Xml, xml } from './xml.js';

/** Atom (RFC 4287). */
export const atomFeed = createFeedRoute(
  'feed.atom',
  'application/atom+xml; charset=utf-8',
  feed =>
    xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.id}</id>
<title>${feed.title}</title>
<updated>${feed.updated.toISOString()}</updated>
<author><name>${feed.author}</name></author>
<link rel="self" type="application/atom+xml" href="${feed.selfUrl}"/>
<link rel="alternate" type="text/html" href="${feed.pageUrl}"/>
${feed.omitted.map(renderRelated)}${feed.entries.map(renderEntry)}</feed>
`.text,
);

const renderRelated = ({ title, url }: Feed['omitted'][number]): Xml =>
  xml`<link rel="related" type="text/html" title="${title}" href="${url}"/>\n`;

function renderEntry({ id, title, url, published, updated, summary, html, categories }: FeedEntry): Xml {
  return xml`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${published.toISOString()}</published>
<updated>${updated.toISOString()}</updated>
${categories.map(renderCategory)}${
  summary ? xml`<summary>${summary}</summary>\n` : null
}<content type="html">${html}</content>
</entry>
`;
}

function renderCategory({ kind, term, label }: FeedCategory): Xml {
  return xml`<category scheme="${createTagUri(kind)}" term="${term}" label="${label}"/>\n`;
}
