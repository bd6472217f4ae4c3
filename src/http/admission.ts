import { Refusal } from '../core/errors.js';

interface Limits {
  share: number;
  maxWaitMs: number;
  /** Of the class itself. */
  maxInProgress?: number;
  /** Whether a request waits for its turn while the limit that adapts to the load is reached. */
  waits?: boolean;
}

/**
 * The classes of requests, in the order in which they are refused under overload: GraphQL queries without a token first,
 * whose number has a limit of its own, then lists, and last what an operator writes about an incident. Each is admitted
 * while fewer than its share of the limit are in progress, and none of those waits for a database connection for longer.
 */
const classes = {
  anonymousQuery: { share: 0.25, maxWaitMs: 500, maxInProgress: 4, waits: false },
  list: { share: 0.25, maxWaitMs: 500 },
  read: { share: 0.5, maxWaitMs: 1_000 },
  write: { share: 0.75, maxWaitMs: 2_000 },
  noticeWrite: { share: 1, maxWaitMs: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Limits>;
export type Priority = keyof typeof classes;

/**
 * The limit adapts to the load, by additive increase and multiplicative decrease: requests in progress take CPU time from
 * the event loop, also those that run in a database on the same machine. It starts low and rises only while requests wait,
 * so that it fits the requests that come, and not cheaper ones of before.
 */
const targetLoopDelayMs = 10;
const initialLimit = 16;
const stepMs = 20;
const increasePerStep = 1;
const decreasePerStep = 0.8;
/** Of which lists get two: one slow request does not keep out all others. */
const minLimit = 8;
/** So that lists are in progress twice as often as there are connections: more would only wait for one. */
const maxLimitPerConnection = 8;
/**
 * So many of a class wait while the event loop is late, or one has waited for longer, so that a client may send some at
 * once to a busy machine.
 */
const maxWaitingWhileBusy = 16;
const maxBurstMs = 100;
/** How long what is not urgent waits for writes of notices. */
const maxYieldMs = 1_000;
/** Nothing waits while the event loop is late by more than this. */
const maxLoopDelayMs = 200;

export interface AdmissionOptions {
  /** API requests in progress, and those that wait. */
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
  arrivedAt: number;
  start(request: RequestInProgress): void;
}

/** Refuses API requests while too many are in progress: those that are admitted are answered in time. */
export class Admission {
  /** Oldest first. */
  private readonly inProgress = new Set<RequestInProgress>();
  /** In order of arrival. */
  private waiting: WaitingRequest[] = [];
  private yielding: (() => void)[] = [];
  private refused = 0;
  private readonly maxLimit: number;
  private limit: number;
  private adjustedAt = performance.now();

  constructor(private readonly options: AdmissionOptions) {
    const { maxRequests, connections } = options;
    this.maxLimit = Math.min(maxRequests, Math.max(initialLimit, maxLimitPerConnection * connections));
    this.limit = Math.min(this.maxLimit, initialLimit);
  }

  get requestsInProgress(): number {
    return this.inProgress.size;
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /** Runs a part of a request that uses the database. Reading its body is not one: that takes as long as a client likes. */
  async run<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result> {
    if (this.refuses(priority)) throw overloadRefusal();
    const request = this.hasRoom(priority) ? this.start(priority) : await this.waitForTurn(priority);
    try {
      return await work();
    } finally {
      this.inProgress.delete(request);
      if (!count(this.inProgress, 'noticeWrite')) for (const proceed of this.yielding.splice(0)) proceed();
      this.adjustLimit();
      this.startWaiting();
    }
  }

  /** Waits while writes of notices are in progress, so that what is not urgent takes no CPU time from them. */
  async yieldToNoticeWrites(): Promise<void> {
    if (!count(this.inProgress, 'noticeWrite')) return;
    await new Promise<void>(done => {
      const timer = setTimeout(done, maxYieldMs);
      this.yielding.push(() => {
        clearTimeout(timer);
        done();
      });
    });
  }

  /** Counts the request as refused, if it is. */
  refuses(priority: Priority): boolean {
    this.adjustLimit();
    const { share, maxWaitMs, maxInProgress = Number.POSITIVE_INFINITY }: Limits = classes[priority];
    const isPermitted =
      this.inProgress.size < this.options.maxRequests * share &&
      this.measureWaitMs() <= maxWaitMs &&
      count(this.inProgress, priority) < maxInProgress &&
      (this.hasRoom(priority) || count(this.waiting, priority) < this.countWaitingRoom(priority));
    if (!isPermitted) this.refused += 1;
    return !isPermitted;
  }

  /**
   * Below the limit that adapts to the load. Writes of notices never wait. Queries without a token have connections and
   * a limit of their own.
   */
  private hasRoom(priority: Priority): boolean {
    const others = this.inProgress.size - count(this.inProgress, 'anonymousQuery');
    return priority === 'noticeWrite' || others < this.limit * classes[priority].share;
  }

  private countWaitingRoom(priority: Priority): number {
    const { share, waits = true }: Limits = classes[priority];
    const loopDelayMs = this.options.loopDelayMs();
    if (!waits || loopDelayMs > maxLoopDelayMs) return 0;
    const room = this.options.maxRequests * share - this.inProgress.size;
    const oldest = this.waiting.find(each => each.priority === priority);
    const isBusy = loopDelayMs > targetLoopDelayMs || (oldest && performance.now() - oldest.arrivedAt > maxBurstMs);
    return isBusy ? Math.min(maxWaitingWhileBusy, room) : room;
  }

  private start(priority: Priority): RequestInProgress {
    const request = { priority, startedAt: performance.now() };
    this.inProgress.add(request);
    return request;
  }

  private waitForTurn(priority: Priority): Promise<RequestInProgress> {
    return new Promise(start => this.waiting.push({ priority, arrivedAt: performance.now(), start }));
  }

  private startWaiting(): void {
    if (!this.waiting.length) return;
    this.waiting = this.waiting.filter(({ priority, start }) => {
      const isStarting = this.hasRoom(priority);
      if (isStarting) start(this.start(priority));
      return !isStarting;
    });
  }

  private adjustLimit(): void {
    const { loopDelayMs } = this.options;
    const steps = Math.floor((performance.now() - this.adjustedAt) / stepMs);
    if (steps < 1) return;
    this.adjustedAt += steps * stepMs;
    if (loopDelayMs() > targetLoopDelayMs) this.limit = Math.max(minLimit, this.limit * decreasePerStep);
    else if (this.waiting.length) this.limit += steps * increasePerStep;
    this.limit = Math.min(this.maxLimit, this.limit);
    this.startWaiting();
  }

  /** For how long the request that is next to get a database connection has waited. */
  private measureWaitMs(): number {
    let running = 0;
    for (const { startedAt } of this.inProgress)
      if (running++ === this.options.connections) return performance.now() - startedAt;
    return 0;
  }
}

function count(requests: Iterable<{ priority: Priority }>, priority: Priority): number {
  let number = 0;
  for (const each of requests) if (each.priority === priority) number += 1;
  return number;
}

export const overloadRefusal = () =>
  new Refusal('UNAVAILABLE', 'Too many requests are in progress. Try again in a moment.', { retryAfter: 1 });
