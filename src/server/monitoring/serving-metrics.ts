import type { ChangeFeed } from '../../db/change-feed.js';
import type { Admission } from '../../http/admission/admission.js';
import type { ConnectionLimiter } from '../../http/connection-limiter.js';
import type { EventBroker } from '../../http/event-broker.js';
import type { RateLimiter } from '../../http/rate-limit.js';
import type { PageStore } from '../../status-page/server/page-store.js';
import type { RenderPool } from '../../status-page/themes/render-pool.js';
import type { Metric } from './metrics.js';

/** What a process has that answers requests. */
export interface ServingSources {
  feed: ChangeFeed;
  store: PageStore;
  renderPool: RenderPool;
  admission: Admission;
  rateLimiter: RateLimiter;
  connections: ConnectionLimiter;
  broker: EventBroker;
}

export const servingMetrics: Metric<ServingSources>[] = [
  {
    name: 'all_clear_change_feed_lag_seconds',
    help: 'Seconds since the changes of other processes were last read: a page can be out of date by that.',
    read: ({ feed }) => feed.lagMs / 1_000,
  },
  {
    name: 'all_clear_page_renders_waiting',
    help: 'Renders of pages that visitors wait for, and that have not begun.',
    read: ({ store }) => store.waitingRenders,
  },
  {
    name: 'all_clear_api_requests_in_progress',
    help: 'API requests that use the database now; MAX_REQUESTS bounds them.',
    read: ({ admission }) => admission.requestsInProgress,
  },
  {
    name: 'all_clear_connections',
    help: 'Open connections of clients; MAX_CONNECTIONS bounds them.',
    read: ({ connections }) => connections.count,
  },
  {
    name: 'all_clear_event_streams',
    help: 'Open event streams of clients; half of MAX_CONNECTIONS bounds them.',
    read: ({ broker }) => broker.openCount,
  },
  {
    name: 'all_clear_page_renders_total',
    help: 'Responses of pages that were rendered.',
    type: 'counter',
    read: ({ store }) => store.renders.count,
  },
  {
    name: 'all_clear_page_render_seconds_total',
    help: 'Seconds that those took.',
    type: 'counter',
    read: ({ store }) => store.renders.ms / 1_000,
  },
  {
    name: 'all_clear_theme_renders_total',
    help: 'Renders of uploaded themes, by outcome: rendered, failed (the standard page is shown), busy (tried again).',
    labels: ['outcome'],
    type: 'counter',
    read: ({ renderPool }) => Object.entries(renderPool.counts).map(([outcome, count]) => [{ outcome }, count]),
  },
  {
    name: 'all_clear_refused_requests_total',
    help: 'API requests that were refused: busy (too many in progress, 503), rate_limit (429).',
    labels: ['reason'],
    type: 'counter',
    read: ({ admission, rateLimiter }) => [
      [{ reason: 'busy' }, admission.refusedRequests],
      [{ reason: 'rate_limit' }, rateLimiter.refusedRequests],
    ],
  },
];
