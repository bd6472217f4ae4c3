import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Heartbeats } from '../core/heartbeats.js';
import { shareResult } from '../core/share-result.js';
import type { ChangeFeed } from '../db/change-feed.js';
import type { Database } from '../db/database.js';
import type { Admission } from '../http/admission.js';
import type { ConnectionLimiter } from '../http/connection-limiter.js';
import type { RateLimiter } from '../http/rate-limit.js';
import type { ChannelHealth } from '../notifications/channels/channel-health.js';
import { type ChannelName, channelByName } from '../notifications/channels/registry.js';
import {
  loadQueueStatistics,
  type QueueGroup,
  type QueueStatistics,
} from '../notifications/delivery/queue-statistics.js';
import type { PageStore } from '../status-page/server/page-store.js';
import type { RenderPool } from '../status-page/themes/render-pool.js';
import type { AttemptCounts } from './attempt-counts.js';
import type { HttpMetrics } from './http-metrics.js';

/** What the metrics are read from when they are asked for. */
export interface MetricSources {
  database: Database;
  /** Null: the database did not respond. */
  queue: QueueStatistics | null;
  feed: ChangeFeed;
  heartbeats: Heartbeats;
  attempts: AttemptCounts;
  channelHealth: ChannelHealth;
  store: PageStore;
  renderPool: RenderPool;
  admission: Admission;
  rateLimiter: RateLimiter;
  connections: ConnectionLimiter;
}

type Sample = [labels: Record<string, string>, value: number];

interface Metric {
  name: string;
  help: string;
  labels?: string[];
  read(sources: MetricSources): number | Sample[];
}

const readQueue = (queue: QueueStatistics | null, read: (group: QueueGroup) => number): Sample[] =>
  (queue?.deliveries ?? []).map(group => [{ channel: toLabel(group.channel), state: group.state }, read(group)]);

const toLabel = (channel: ChannelName): string => channelByName[channel].label;

const gauges: Metric[] = [
  {
    name: 'all_clear_database_connections',
    help: 'Database connections of this process, and how many requests wait for one, by pool (service, anonymous).',
    labels: ['pool', 'state'],
    read: ({ database }) =>
      Object.entries(database.pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
        [{ pool, state: 'in_use' }, totalCount - idleCount],
        [{ pool, state: 'idle' }, idleCount],
        [{ pool, state: 'waiting' }, waitingCount],
      ]),
  },
  {
    name: 'all_clear_database_up',
    help: '1 if the database answered this request for metrics, else 0.',
    read: ({ queue }) => Number(queue !== null),
  },
  {
    name: 'all_clear_queue_deliveries',
    help: 'Deliveries that are not finished, of all processes.',
    labels: ['channel', 'state'],
    read: ({ queue }) => readQueue(queue, ({ count }) => count),
  },
  {
    name: 'all_clear_queue_oldest_seconds',
    help: 'Seconds since the oldest of those was queued.',
    labels: ['channel', 'state'],
    read: ({ queue }) => readQueue(queue, ({ oldestSeconds }) => oldestSeconds),
  },
  {
    name: 'all_clear_queue_publications',
    help: 'Publications whose deliveries are not all created yet, of all processes.',
    read: ({ queue }) => (queue ? queue.publications : []),
  },
  {
    name: 'all_clear_channels_failing',
    help: 'Channels that do not accept messages now; those of pages are one for each page.',
    labels: ['channel'],
    read: ({ channelHealth }) =>
      [...channelHealth.countFailing()].map(([channel, count]) => [{ channel: toLabel(channel) }, count]),
  },
  {
    name: 'all_clear_task_age_seconds',
    help: 'Seconds since a task of this process last completed a round.',
    labels: ['task'],
    read: ({ heartbeats }) =>
      [...heartbeats.ages].map(([task, seconds]) => [{ task: task.replace('the ', '') }, seconds]),
  },
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
];

const counters: Metric[] = [
  {
    name: 'all_clear_attempts_total',
    help: 'Attempts of this process to send a message, with tests and confirmations.',
    labels: ['channel', 'outcome'],
    read: ({ attempts }) =>
      attempts.list().map(({ channel, outcome, count }) => [{ channel: toLabel(channel), outcome }, count]),
  },
  {
    name: 'all_clear_page_renders_total',
    help: 'Responses of pages that were rendered.',
    read: ({ store }) => store.renders.count,
  },
  {
    name: 'all_clear_page_render_seconds_total',
    help: 'Seconds that those took.',
    read: ({ store }) => store.renders.ms / 1_000,
  },
  {
    name: 'all_clear_theme_renders_total',
    help: 'Renders of uploaded themes, by outcome: rendered, failed (the standard page is shown), busy (tried again).',
    labels: ['outcome'],
    read: ({ renderPool }) => Object.entries(renderPool.counts).map(([outcome, count]) => [{ outcome }, count]),
  },
  {
    name: 'all_clear_refused_requests_total',
    help: 'API requests that were refused: busy (too many in progress, 503), rate_limit (429).',
    labels: ['reason'],
    read: ({ admission, rateLimiter }) => [
      [{ reason: 'busy' }, admission.refusedRequests],
      [{ reason: 'rate_limit' }, rateLimiter.refusedRequests],
    ],
  },
];

/** Shorter than Prometheus waits for all metrics. */
const queueTimeoutMs = 3_000;

export class Metrics {
  private readonly registry = new Registry();
  private queue: QueueStatistics | null = null;

  constructor(
    private readonly sources: Omit<MetricSources, 'queue'>,
    http: HttpMetrics,
  ) {
    // The default of 10 ms wakes an idle process 100 times a second: half a percent of a core.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 100 });
    for (const metric of http.metrics) this.registry.registerMetric(metric);
    const read = (metric: Metric) => metric.read({ ...sources, queue: this.queue });
    for (const metric of gauges) this.add(Gauge, metric, read);
    for (const metric of counters) this.add(Counter, metric, read);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Frequent requests share a result, and so its statements. */
  readonly render = shareResult(() => this.renderNow());

  /** Without a response of the database, the metrics of the queue have no values. */
  private async renderNow(): Promise<string> {
    const timeout = new AbortController();
    this.queue = await Promise.race([
      loadQueueStatistics(this.sources.database).catch(() => null),
      wait(queueTimeoutMs, null, { signal: timeout.signal }).catch(() => null),
    ]);
    timeout.abort();
    return this.registry.metrics();
  }

  private add(Type: typeof Gauge | typeof Counter, metric: Metric, read: (metric: Metric) => number | Sample[]): void {
    const { name, help, labels: labelNames = [] } = metric;
    new Type({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        // The 0 that a metric without labels begins with.
        if (!labelNames.length) this.remove();
        const value = read(metric);
        for (const [labels, amount] of typeof value === 'number' ? [[{}, value] as Sample] : value)
          this.inc(labels, amount);
      },
    });
  }
}
