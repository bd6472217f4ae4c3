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

/**
 * The limit adapts to the load, by additive increase and multiplicative decrease: requests in progress take CPU time from
 * the event loop, also those that run in a database on the same machine.
 */
const targetLoopDelayMs = 10;
const stepMs = 20;
const increasePerStep = 1;
const decreasePerStep = 0.8;
/** Of which lists get two: one slow request does not keep out all others. */
const minLimit = 8;
/** So many wait while the limit is low, so that a client may send some requests at once to a busy machine. */
const maxWaiting = 16;

export interface AdmissionOptions {
  /** API requests in progress. */
  maxRequests: number;
  /** Database connections: this many of them do not wait for one. */
  connections: number;
  /** By how many milliseconds the event loop is late. */
  loopDelayMs(): number;
}

interface RequestInProgress {
  priority: Priority;
  startedAt: number;
}

interface WaitingRequest {
  priority: Priority;
  start(request: RequestInProgress): void;
  refuse(error: Refusal): void;
}

/** Refuses API requests while too many are in progress: those that are admitted are answered in time. */
export class Admission {
  /** Oldest first. */
  private readonly inProgress = new Set<RequestInProgress>();
  /** In order of arrival. */
  private readonly waiting: WaitingRequest[] = [];
  private refused = 0;
  private limit: number;
  private adjustedAt = performance.now();

  constructor(private readonly options: AdmissionOptions) {
    this.limit = options.maxRequests;
  }

  get requestsInProgress(): number {
    return this.inProgress.size;
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /** Runs a part of a request that uses the database. Reading its body is not one: that takes as long as a client likes. */
  async run<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result> {
    const request = this.tryStart(priority) ?? (await this.waitForTurn(priority));
    try {
      return await work();
    } finally {
      this.inProgress.delete(request);
      this.startWaiting();
    }
  }

  /** Returns null if the limit is reached that adapts to the load. Throws UNAVAILABLE if another one is. */
  private tryStart(priority: Priority): RequestInProgress | null {
    const { share, maxWaitMs, maxInProgress = Number.POSITIVE_INFINITY }: Limits = classes[priority];
    const isPermitted =
      this.inProgress.size < this.options.maxRequests * share &&
      this.measureWaitMs() <= maxWaitMs &&
      this.count(priority) < maxInProgress;
    if (!isPermitted) this.refuse();
    this.adjustLimit();
    if (priority !== 'noticeWrite' && this.inProgress.size >= this.limit * share) return null;
    const request = { priority, startedAt: performance.now() };
    this.inProgress.add(request);
    return request;
  }

  private waitForTurn(priority: Priority): Promise<RequestInProgress> {
    if (priority === 'anonymousQuery' || this.waiting.length >= maxWaiting) this.refuse();
    return new Promise((start, refuse) => this.waiting.push({ priority, start, refuse }));
  }

  private startWaiting(): void {
    for (const each of this.waiting.splice(0)) {
      try {
        const request = this.tryStart(each.priority);
        if (request) each.start(request);
        else this.waiting.push(each);
      } catch (error) {
        each.refuse(error as Refusal);
      }
    }
  }

  private refuse(): never {
    this.refused += 1;
    throw new Refusal('UNAVAILABLE', 'Too many requests are in progress. Try again in a moment.', { retryAfter: 1 });
  }

  private adjustLimit(): void {
    const { maxRequests, loopDelayMs } = this.options;
    const steps = Math.floor((performance.now() - this.adjustedAt) / stepMs);
    if (steps < 1) return;
    this.adjustedAt += steps * stepMs;
    if (loopDelayMs() <= targetLoopDelayMs) this.limit = Math.min(maxRequests, this.limit + steps * increasePerStep);
    else this.limit = Math.min(maxRequests, Math.max(minLimit, this.limit * decreasePerStep));
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
