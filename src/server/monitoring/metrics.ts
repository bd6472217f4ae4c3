import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, type Metric as RegisteredMetric, Registry } from 'prom-client';
import type { Heartbeats } from '../../core/heartbeats.js';
import { shareResult } from '../../core/share-result.js';
import type { Database } from '../../db/database.js';
import { type Fact, readFact } from './installation-facts.js';
import type { ChannelHealth } from '../../notifications/channels/channel-health.js';
import { type ChannelName, channelByName } from '../../notifications/channels/registry.js';
import {
  loadQueueStatistics,
  type QueueGroup,
  type QueueStatistics,
} from '../../notifications/delivery/queue-statistics.js';
import type { AttemptCounts } from './attempt-counts.js';

/** What each process has. The metrics are read from it when they are requested. */
interface ProcessSources {
  database: Database;
  heartbeats: Heartbeats;
  attempts: AttemptCounts;
  channelHealth: ChannelHealth;
}

/** What all processes have in common. */
interface Shared {
  queue: QueueStatistics;
  /** Null: `allclear backup` has made none. */
  backup: Fact | null;
}
/** Null: the database did not respond. */
type SharedSources = ProcessSources & { [name in keyof Shared]: Shared[name] | null };

type Sample = [labels: Record<string, string>, value: number];

export interface Metric<Sources> {
  name: string;
  help: string;
  labels?: string[];
  /** Default: gauge. */
  type?: 'counter';
  read(sources: Sources): number | Sample[];
}

const readQueue = (queue: QueueStatistics | null, read: (group: QueueGroup) => number): Sample[] =>
  (queue?.deliveries ?? []).map(group => [{ channel: toLabel(group.channel), state: group.state }, read(group)]);

const toLabel = (channel: ChannelName): string => channelByName[channel].label;

const processMetrics: Metric<SharedSources>[] = [
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
    name: 'all_clear_public_reads_total',
    help: 'Reads without a token, and of public pages, by the server that answered (replica, primary).',
    labels: ['server'],
    type: 'counter',
    read: ({ database }) =>
      Object.entries(database.replicas?.answers ?? {}).map(([server, count]) => [{ server }, count]),
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
    name: 'all_clear_backup_age_seconds',
    help: 'Seconds since `allclear backup` last made a backup of this database.',
    read: ({ backup }) => backup?.ageSeconds ?? [],
  },
  {
    name: 'all_clear_channels_failing',
    help: 'Channels that do not accept messages now; those of pages are one for each page.',
    labels: ['channel'],
    // Mail that bounces was accepted: no process has seen it fail.
    read: ({ channelHealth, queue }) =>
      [
        ...new Map([...(queue?.failing ?? []).map(channel => [channel, 1] as const), ...channelHealth.countFailing()]),
      ].map(([channel, count]) => [{ channel: toLabel(channel) }, count]),
  },
  {
    name: 'all_clear_channel_check_failed',
    help: '1 if the last check of a channel that the settings configure has failed, else 0.',
    labels: ['channel'],
    read: ({ queue }) =>
      (queue?.checks ?? []).map(({ channel, hasFailed }) => [{ channel: toLabel(channel) }, Number(hasFailed)]),
  },
  {
    name: 'all_clear_recipients_suspended',
    help: 'Recipients that are suspended, since they did not accept messages.',
    labels: ['channel'],
    read: ({ queue }) => (queue?.suspended ?? []).map(({ channel, count }) => [{ channel: toLabel(channel) }, count]),
  },
  {
    name: 'all_clear_task_age_seconds',
    help: 'Seconds since a task of this process last completed a round.',
    labels: ['task'],
    read: ({ heartbeats }) =>
      [...heartbeats.ages].map(([task, seconds]) => [{ task: task.replace('the ', '') }, seconds]),
  },
  {
    name: 'all_clear_task_delay_seconds',
    help: 'Seconds by which a task of this process is late: its round may take 30 seconds, some more. 0 when in time.',
    labels: ['task'],
    read: ({ heartbeats }) =>
      [...heartbeats.delays].map(([task, seconds]) => [{ task: task.replace('the ', '') }, seconds]),
  },
  {
    name: 'all_clear_attempts_total',
    help: 'Attempts of this process to send a message, with tests and confirmations.',
    labels: ['channel', 'outcome'],
    type: 'counter',
    read: ({ attempts }) =>
      attempts.list().map(({ channel, outcome, count }) => [{ channel: toLabel(channel), outcome }, count]),
  },
];

/** Shorter than Prometheus waits for all metrics. */
const sharedTimeoutMs = 3_000;

export class Metrics {
  private readonly registry = new Registry();
  private shared: Shared | null = null;

  constructor(private readonly sources: ProcessSources) {
    // The default of 10 ms wakes an idle process 100 times a second: half a percent of a core.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 100 });
    this.add(processMetrics, () => ({ ...sources, queue: null, backup: null, ...this.shared }));
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Frequent requests share a result, and so its statements. */
  readonly render = shareResult(() => this.renderNow());

  add<Sources>(metrics: readonly Metric<Sources>[], getSources: () => Sources): void {
    for (const { name, help, labels: labelNames = [], type, read } of metrics) {
      const Type = type === 'counter' ? Counter : Gauge;
      new Type({
        name,
        help,
        labelNames,
        registers: [this.registry],
        collect() {
          this.reset();
          // The 0 that a metric without labels begins with.
          if (!labelNames.length) this.remove();
          const value = read(getSources());
          for (const [labels, amount] of typeof value === 'number' ? [[{}, value] as Sample] : value)
            this.inc(labels, amount);
        },
      });
    }
  }

  register(metrics: readonly RegisteredMetric[]): void {
    for (const metric of metrics) this.registry.registerMetric(metric);
  }

  /** Without a response of the database, what all processes have in common has no values. */
  private async renderNow(): Promise<string> {
    const { database } = this.sources;
    const timeout = new AbortController();
    const load = async (): Promise<Shared> => {
      const [queue, backup] = await Promise.all([loadQueueStatistics(database), readFact(database, 'backup')]);
      return { queue, backup };
    };
    this.shared = await Promise.race([
      load().catch(() => null),
      wait(sharedTimeoutMs, null, { signal: timeout.signal }).catch(() => null),
    ]);
    timeout.abort();
    return this.registry.metrics();
  }
}
