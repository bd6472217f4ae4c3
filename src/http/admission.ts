import { Refusal } from '../core/errors.js';

interface Limits {
  share: number;
  maxWaitMs: number;
  /** Of the class itself. */
  maxInProgress?: number;
}

/**
 * The classes of requests, in the order in which they are refused under overload: GraphQL queries without a token first,
 * whose number has a limit of its own, then lists, and last what an operator writes about an incident. Each is admitted
 * while fewer than its share of the limit are in progress, and none of those waits for a database connection for longer.
 */
const classes = {
  anonymousQuery: { share: 0.25, maxWaitMs: 500, maxInProgress: 4 },
  list: { share: 0.25, maxWaitMs: 500 },
  read: { share: 0.5, maxWaitMs: 1_000 },
  write: { share: 0.75, maxWaitMs: 2_000 },
  noticeWrite: { share: 1, maxWaitMs: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Limits>;
export type Priority = keyof typeof classes;

/** While the event loop is late, all requests wait for it: but for writes of notices, half as many may be in progress. */
const maxLoopDelayMs = 200;
const shareWhileLate = 1 / 2;

export interface AdmissionOptions {
  /** API requests in progress. */
  maxRequests: number;
  /** Database connections: this many of them do not wait for one. */
  connections: number;
  /** By how many milliseconds the event loop is late. */
  loopDelayMs(): number;
}

/** Refuses API requests while too many are in progress: those that are admitted are answered in time. */
export class Admission {
  /** Oldest first. */
  private readonly inProgress = new Set<{ priority: Priority; startedAt: number }>();
  private refused = 0;

  constructor(private readonly options: AdmissionOptions) {}

  get requestsInProgress(): number {
    return this.inProgress.size;
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /** Runs a part of a request that uses the database. Reading its body is not one: that takes as long as a client likes. */
  async run<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result> {
    if (!this.permits(priority)) {
      this.refused += 1;
      throw new Refusal('UNAVAILABLE', 'Too many requests are in progress. Try again in a moment.', { retryAfter: 1 });
    }
    const request = { priority, startedAt: performance.now() };
    this.inProgress.add(request);
    try {
      return await work();
    } finally {
      this.inProgress.delete(request);
    }
  }

  private permits(priority: Priority): boolean {
    const { share, maxWaitMs, maxInProgress = Number.POSITIVE_INFINITY }: Limits = classes[priority];
    const { maxRequests, loopDelayMs } = this.options;
    const isLate = priority !== 'noticeWrite' && loopDelayMs() > maxLoopDelayMs;
    return (
      this.inProgress.size < maxRequests * share * (isLate ? shareWhileLate : 1) &&
      this.measureWaitMs() <= maxWaitMs &&
      this.count(priority) < maxInProgress
    );
  }

  private count(priority: Priority): number {
    let count = 0;
    for (const request of this.inProgress) if (request.priority === priority) count += 1;
    return count;
  }

  /** For how long the request that is next to get a database connection has waited. */
  private measureWaitMs(): number {
    let running = 0;
    for (const { startedAt } of this.inProgress)
      if (running++ === this.options.connections) return performance.now() - startedAt;
    return 0;
  }
}
