import { Heartbeats } from '../core/heartbeats.js';
import type { Logger } from '../core/logger.js';
import { AccessLog } from '../http/access-log.js';
import { ChannelHealth, type OnAttempt } from '../notifications/channels/channel-health.js';
import { AttemptCounts } from './attempt-counts.js';
import { HttpMetrics } from './http-metrics.js';
import { Metrics, type MetricSources } from './metrics.js';

/** What the parts of a service report for its operator. */
export class Monitoring {
  readonly heartbeats = new Heartbeats();
  readonly http = new HttpMetrics();
  readonly accessLog: AccessLog;
  private readonly attempts = new AttemptCounts();
  private readonly channelHealth: ChannelHealth;

  constructor(log: Logger) {
    this.accessLog = new AccessLog(log);
    this.channelHealth = new ChannelHealth(log);
  }

  readonly onAttempt: OnAttempt = attempt => {
    this.channelHealth.report(attempt);
    this.attempts.add(attempt);
  };

  createMetrics(sources: Omit<MetricSources, 'queue' | 'heartbeats' | 'attempts' | 'channelHealth'>): Metrics {
    const { heartbeats, attempts, channelHealth } = this;
    return new Metrics({ ...sources, heartbeats, attempts, channelHealth }, this.http);
  }
}
