import { aggregatorRoutes } from '../aggregator-api/routes.js';
import { instatusSummary } from '../aggregator-api/instatus.js';
import { badge } from '../badge/badge.js';
import { robots } from '../seo/robots.js';
import { sitemap } from '../seo/sitemap.js';
import { responseStatistics } from '../page-api/statistics.js';
import { pageApiRoutes } from '../page-api/routes.js';
import { noticeRedirects } from '../routing/notice-redirects.js';
import type { PublicRoute } from '../routing/public-route.js';
import { atomFeed } from '../feeds/atom.js';
import { calendar } from '../feeds/calendar.js';
import { jsonFeed } from '../feeds/json-feed.js';
import { feedRedirects } from '../feeds/redirects.js';
import { rssFeed } from '../feeds/rss.js';
import { brandImageRoute, pageImageRoute } from '../html/image-routes.js';
import { favicon } from '../badge/favicon.js';
import { historyPage, currentHistoryPage } from '../html/history-page.js';
import { frontPage } from '../html/front-page.js';
import { socialImage } from '../html/social-image.js';
import { noticePage } from '../html/notice-page.js';
import { openNoticesPage } from '../html/open-notices-page.js';
import { indexMarkdown } from '../text/index-markdown.js';
import { llms } from '../text/llms.js';
import { pushWorker } from '../text/push-worker.js';
import { webhookKey } from '../text/webhook-key.js';
import { downtimeRoutes, themeAssetRoute, createThemedRoute } from '../themes/routes.js';
import { widget } from '../widget/widget.js';

/** All routes of a page. Any other path is a 404. */
export const publicRoutes: readonly PublicRoute[] = [
  // HTML pages and their assets.
  createThemedRoute('status-page', frontPage),
  openNoticesPage,
  noticePage,
  ...noticeRedirects,
  currentHistoryPage,
  historyPage,
  favicon,
  brandImageRoute,
  pageImageRoute,
  socialImage,
  ...downtimeRoutes,
  themeAssetRoute,
  // Machine-readable formats.
  atomFeed,
  rssFeed,
  jsonFeed,
  ...feedRedirects,
  calendar,
  ...pageApiRoutes,
  responseStatistics,
  ...aggregatorRoutes,
  instatusSummary,
  badge,
  widget,
  pushWorker,
  // Plain text for programs, and files for search engines.
  indexMarkdown,
  llms,
  webhookKey,
  robots,
  sitemap,
];
