import type { ServerResponse } from 'node:http';
import { onClosed } from '../../http/connection-limiter.js';
import { Counter, Histogram } from 'prom-client';

export type Interface = 'page' | 'graphql' | 'rest' | 'other';

type Status = number | 'aborted';

/** Counts and times the requests of a process. */
export class HttpMetrics {
  /** Added to the metric when it is read: looking up its labels for each request takes longer. */
  private readonly counts = new Map<Interface, Map<Status, number>>();
  private readonly requests: Counter = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests, by interface (page, graphql, rest, other) and status.',
    labelNames: ['interface', 'status'],
    registers: [],
    collect: () => this.collectCounts(),
  });
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help:
      'Duration of a request until its response is complete; of a stream, until it ends. Without responses from ' +
      'memory.',
    labelNames: ['interface'],
    registers: [],
  });

  get metrics(): (Counter | Histogram)[] {
    return [this.requests, this.durations];
  }

  /**
   * Counts a request when its response is complete, or when the client is gone. Null: a health check. A response from
   * memory is complete already, and not timed: that would take longer than sending it.
   */
  add(kind: Interface | null, response: ServerResponse, startedAt: number): void {
    if (!kind) return;
    if (response.writableEnded) return void this.count(kind, response.statusCode);
    onClosed(response, () => {
      this.count(kind, response.headersSent ? response.statusCode : 'aborted');
      this.durations.observe({ interface: kind }, (performance.now() - startedAt) / 1_000);
    });
  }

  private count(kind: Interface, status: Status): void {
    const counts = this.counts.get(kind) ?? new Map<Status, number>();
    this.counts.set(kind, counts);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }

  private collectCounts(): void {
    this.requests.reset();
    for (const [kind, counts] of this.counts)
      for (const [status, count] of counts) this.requests.inc({ interface: kind, status }, count);
  }
}
