import type { ServerResponse } from 'node:http';
import { Counter, Histogram } from 'prom-client';

export type Interface = 'page' | 'graphql' | 'rest' | 'other';

/** Counts and times the requests of a process. */
export class HttpMetrics {
  private readonly requests = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests, by interface (page, graphql, rest, other) and status.',
    labelNames: ['interface', 'status'],
    registers: [],
  });
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of a request until its response is complete; of a stream, until it ends.',
    labelNames: ['interface'],
    registers: [],
  });
  /** Looking up the series of labels takes longer than counting. */
  private readonly series = new Map<string, () => void>();
  private readonly observers = new Map<Interface, (seconds: number) => void>();

  get metrics(): (Counter | Histogram)[] {
    return [this.requests, this.durations];
  }

  /**
   * Counts a request when its response is complete, or when the client is gone. Null: a health check. A response from
   * memory is complete already: a listener would take longer than all else that is done for it.
   */
  add(kind: Interface | null, response: ServerResponse, startedAt: number): void {
    if (!kind) return;
    const add = () => {
      this.count(kind, response.headersSent ? response.statusCode : 'aborted');
      this.observe(kind, (performance.now() - startedAt) / 1_000);
    };
    if (response.writableEnded) add();
    else response.once('close', add);
  }

  private count(kind: Interface, status: number | string): void {
    const key = `${kind} ${status}`;
    let increment = this.series.get(key);
    if (!increment) {
      const series = this.requests.labels(kind, String(status));
      increment = () => series.inc();
      this.series.set(key, increment);
    }
    increment();
  }

  private observe(kind: Interface, seconds: number): void {
    let observe = this.observers.get(kind);
    if (!observe) {
      const series = this.durations.labels(kind);
      observe = value => series.observe(value);
      this.observers.set(kind, observe);
    }
    observe(seconds);
  }
}
