import { aggregatorFaces } from './aggregators/faces.js';
import type { Face } from './face.js';
import { atomFeed } from './feeds/atom.js';
import { calendar } from './feeds/calendar.js';
import { jsonFeed } from './feeds/json-feed.js';
import { rssFeed } from './feeds/rss.js';
import { frontPage } from './html/page.js';

/** Every address of a page: what is not here is a 404. */
export const faces: readonly Face[] = [
  // For people.
  frontPage,
  // For programs that watch.
  atomFeed,
  rssFeed,
  jsonFeed,
  calendar,
  ...aggregatorFaces,
];
