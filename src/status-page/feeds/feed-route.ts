import type { PublicRoute } from '../routing/public-route.js';
import { requireRequestedNotice } from '../view/urls.js';
import { buildFeed, type Feed } from './entries.js';

/**
 * The feed in one format. `updates=1`: an entry for each update, for programs that post each entry once, such as Slack
 * and Teams.
 */
export const createFeedRoute = (path: string, type: string, format: (feed: Feed) => string): PublicRoute => ({
  path,
  hasTexts: true,
  query: ['component', 'lang', 'notice', 'updates'],
  requiredNotices: requireRequestedNotice,
  render: (view, parameters) => {
    const feed = buildFeed(view, path, parameters);
    return feed && { type, body: format(feed) };
  },
});
