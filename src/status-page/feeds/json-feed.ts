import type { PublicRoute } from '../routing/public-route.js';
import { requireRequestedNotice } from '../view/urls.js';
import { toWellFormedJson } from '../../core/well-formed-json.js';
import { feedQuery, buildFeed } from './entries.js';

/** JSON Feed 1.1. */
export const jsonFeed: PublicRoute = {
  path: 'feed.json',
  hasTexts: true,
  query: feedQuery,
  requiredNotices: requireRequestedNotice,
  render: (view, parameters) => {
    const feed = buildFeed(view, 'feed.json', parameters);
    if (!feed) return null;
    const body = toWellFormedJson({
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
    });
    return { type: 'application/feed+json; charset=utf-8', body };
  },
};
