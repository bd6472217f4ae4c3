import { aggregatorFaces } from '../aggregator-api/routes.js';
import { instatusSummary } from '../aggregator-api/instatus.js';
import { badge } from '../badge/badge.js';
import { robots } from '../seo/robots.js';
import { sitemap } from '../seo/sitemap.js';
import type { Face } from './public-route.js';
import { atomFeed } from '../feeds/atom.js';
import { calendar } from '../feeds/calendar.js';
import { jsonFeed } from '../feeds/json-feed.js';
import { rssFeed } from '../feeds/rss.js';
import { favicon } from '../html/favicon.js';
import { history, presentHistory } from '../html/history-page.js';
import { frontPage } from '../html/front-page.js';
import { permalink } from '../html/notice-page.js';
import { indexMarkdown } from '../text/index-markdown.js';
import { llms } from '../text/llms.js';
import { siteFaces, themeAsset, themed } from '../themes/routes.js';
import { widget } from '../widget/widget.js';

/** Every address of a page: what is not here is a 404. */
export const faces: readonly Face[] = [
  // For people.
  themed('status-page', frontPage),
  permalink,
  presentHistory,
  history,
  favicon,
  ...siteFaces,
  themeAsset,
  // For programs that watch.
  atomFeed,
  rssFeed,
  jsonFeed,
  calendar,
  ...aggregatorFaces,
  instatusSummary,
  badge,
  widget,
  // For what reads text, and for search engines.
  indexMarkdown,
  llms,
  robots,
  sitemap,
];
