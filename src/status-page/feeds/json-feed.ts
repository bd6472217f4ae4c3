import { toWellFormedJson } from '../../core/well-formed-json.js';
import { createFeedRoute } from './feed-route.js';

/** JSON Feed 1.1. */
export const jsonFeed = createFeedRoute('feed.json', 'application/feed+json; charset=utf-8', feed =>
  toWellFormedJson({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.pageUrl,
    feed_url: feed.selfUrl,
    language: feed.language,
    authors: [{ name: feed.author }],
    // An extension: its name begins with an underscore.
    ...(feed.omitted.length && { _omitted: feed.omitted }),
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
  }),
);
