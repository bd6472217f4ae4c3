import type { Face } from '../server/public-route.js';
import { jsonText } from '../server/json-body.js';
import { feedOf } from './entries.js';

/** JSON Feed 1.1. */
export const jsonFeed: Face = {
  path: 'feed.json',
  query: ['component', 'lang'],
  draw: (view, asked) => {
    const feed = feedOf(view, 'feed.json', asked);
    if (!feed) return null;
    const body = jsonText({
      version: 'https://jsonfeed.org/version/1.1',
      title: feed.title,
      home_page_url: feed.home,
      feed_url: feed.self,
      language: feed.language,
      authors: [{ name: feed.author }],
      items: feed.entries.map(({ id, url, title, html, summary, published, updated, categories }) => ({
        id,
        url,
        title,
        content_html: html,
        ...(summary && { summary }),
        date_published: published.toISOString(),
        date_modified: updated.toISOString(),
        tags: [...new Set(categories.map(({ label }) => label))],
      })),
    });
    return { type: 'application/feed+json; charset=utf-8', body };
  },
};
