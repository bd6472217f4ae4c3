import type { Face } from '../server/public-route.js';
import { type Entry, feedOf, tagUri } from './entries.js';
import { xml } from './xml.js';

/** RFC 4287. */
export const atomFeed: Face = {
  path: 'feed.atom',
  query: ['component', 'lang'],
  draw: (view, asked) => {
    const feed = feedOf(view, 'feed.atom', asked);
    if (!feed) return null;
    const { text } = xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.id}</id>
<title>${feed.title}</title>
<updated>${feed.updated.toISOString()}</updated>
<author><name>${feed.author}</name></author>
<link rel="self" type="application/atom+xml" href="${feed.self}"/>
<link rel="alternate" type="text/html" href="${feed.home}"/>
${feed.entries.map(atomEntry)}</feed>
`;
    return { type: 'application/atom+xml; charset=utf-8', body: text };
  },
};

function atomEntry({ id, title, url, published, updated, summary, html, categories }: Entry) {
  return xml`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${published.toISOString()}</published>
<updated>${updated.toISOString()}</updated>
${categories.map(({ kind, term, label }) => xml`<category scheme="${tagUri(kind)}" term="${term}" label="${label}"/>\n`)}${summary ? xml`<summary>${summary}</summary>\n` : null}<content type="html">${html}</content>
</entry>
`;
}
