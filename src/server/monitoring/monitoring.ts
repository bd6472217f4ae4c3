import { Heartbeats } from '../../core/heartbeats.js';
import type { Logger } from '../../core/logger.js';
import type { Database } from '../../db/database.js';
import { AccessLog } from '../../http/access-log.js';
import { ChannelHealth, type OnAttempt } from '../../notifications/channels/channel-health.js';
import { AttemptCounts } from './attempt-counts.js';
import { HttpMetrics } from './http-metrics.js';
import { Metrics } from './metrics.js';
import { type ServingSources, servingMetrics } from './serving-metrics.js';

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

  readonly onFailing: ChannelHealth['fail'] = (channel, response) => this.channelHealth.fail(channel, response);

  /** `serving` is absent in a worker. */
  createMetrics(database: Database, serving?: ServingSources): Metrics {
    const { heartbeats, attempts, channelHealth } = this;
    const metrics = new Metrics({ database, heartbeats, attempts, channelHealth });
    if (serving) {
      metrics.add(servingMetrics, () => serving);
      metrics.register(this.http.metrics);
    }
    return metrics;
  }
}
