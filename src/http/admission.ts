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
 * The classes of requests, in the order in which they are refused under overload: GraphQL queries without a token
 * first, whose number has a limit of its own, then lists, and last what an operator writes about an incident. Each is
 * admitted while fewer than its share of the limit are in progress, and none of those waits for a database connection
 * for longer, nor those that wait for their turn.
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
 * The limit adapts to the load, by additive increase and multiplicative decrease: requests in progress take CPU time
 * from the event loop, also those that run in a database on the same machine. It starts low and rises only while
 * requests wait, so that it fits the requests that come, and not cheaper ones of before.
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
/** So many of a class wait however long their turns take, so that a client may send some at once to a busy machine. */
const minWaiting = 16;
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

/** Refuses API requests while too many are in progress: those that are admitted are answered in time. */
export class Admission {
  /** Oldest first. */
  private readonly inProgress = new Set<RequestInProgress>();
  private readonly queues = mapPriorities(() => new WaitingQueue());
  private readonly counts = mapPriorities(() => 0);
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

  /**
   * Runs a part of a request that uses the database. Reading its body is not one: that takes as long as a client likes.
   */
  async run<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result> {
    if (this.refuses(priority)) throw overloadRefusal();
    const request = this.hasRoom(priority) ? this.start(priority) : await this.queues[priority].wait();
    try {
      return await work();
    } finally {
      this.inProgress.delete(request);
      this.counts[priority] -= 1;
      if (!this.counts.noticeWrite) for (const proceed of this.yielding.splice(0)) proceed();
      this.adjustLimit();
      this.startWaiting();
    }
  }

  /** Waits while writes of notices are in progress, so that what is not urgent takes no CPU time from them. */
  async yieldToNoticeWrites(): Promise<void> {
    if (!this.counts.noticeWrite) return;
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
      this.counts[priority] < maxInProgress &&
      (this.hasRoom(priority) || this.hasWaitingRoom(priority));
    if (!isPermitted) this.refused += 1;
    return !isPermitted;
  }

  /**
   * Below the limit that adapts to the load. Writes of notices never wait. Queries without a token have connections and
   * a limit of their own.
   */
  private hasRoom(priority: Priority): boolean {
    const others = this.inProgress.size - this.counts.anonymousQuery;
    return priority === 'noticeWrite' || others < this.limit * classes[priority].share;
  }

  private hasWaitingRoom(priority: Priority): boolean {
    const { share, maxWaitMs, waits = true }: Limits = classes[priority];
    if (!waits || this.options.loopDelayMs() > maxLoopDelayMs) return false;
    const queue = this.queues[priority];
    if (this.inProgress.size + queue.length >= this.options.maxRequests * share) return false;
    return queue.length < minWaiting || queue.estimateWaitMs() <= maxWaitMs;
  }

  private start(priority: Priority): RequestInProgress {
    const request = { priority, startedAt: performance.now() };
    this.inProgress.add(request);
    this.counts[priority] += 1;
    return request;
  }

  /** The most urgent first. */
  private startWaiting(): void {
    for (const priority of mostUrgentFirst) {
      const queue = this.queues[priority];
      while (queue.length && this.hasRoom(priority)) queue.startNext(this.start(priority));
    }
  }

  private adjustLimit(): void {
    const { loopDelayMs } = this.options;
    const steps = Math.floor((performance.now() - this.adjustedAt) / stepMs);
    if (steps < 1) return;
    this.adjustedAt += steps * stepMs;
    if (loopDelayMs() > targetLoopDelayMs) this.limit = Math.max(minLimit, this.limit * decreasePerStep);
    else if (this.isAnyWaiting()) this.limit += steps * increasePerStep;
    this.limit = Math.min(this.maxLimit, this.limit);
    this.startWaiting();
  }

  private isAnyWaiting(): boolean {
    return mostUrgentFirst.some(priority => this.queues[priority].length > 0);
  }

  /** For how long the request that is next to get a database connection has waited. */
  private measureWaitMs(): number {
    let running = 0;
    for (const { startedAt } of this.inProgress)
      if (running++ === this.options.connections) return performance.now() - startedAt;
    return 0;
  }
}

interface WaitingRequest {
  arrivedAt: number;
  /** Its place in the queue when it arrived. */
  turns: number;
  start(request: RequestInProgress): void;
}

/** The weight of the last request that waited in the average. */
const turnWeight = 0.2;

/** The requests of a class that wait for their turn, in order of arrival. */
class WaitingQueue {
  private requests: WaitingRequest[] = [];
  /** On average; 0 until one has had its turn since the queue was empty. */
  private msPerTurn = 0;

  get length(): number {
    return this.requests.length;
  }

  wait(): Promise<RequestInProgress> {
    const arrivedAt = performance.now();
    return new Promise(start => this.requests.push({ arrivedAt, turns: this.requests.length + 1, start }));
  }

  startNext(request: RequestInProgress): void {
    const { arrivedAt, turns, start } = this.requests.shift()!;
    const msPerTurn = (performance.now() - arrivedAt) / turns;
    const average = this.msPerTurn ? this.msPerTurn + turnWeight * (msPerTurn - this.msPerTurn) : msPerTurn;
    this.msPerTurn = this.requests.length ? average : 0;
    start(request);
  }

  /** How long a request would wait: until all others have had their turn, and as long as the oldest has waited. */
  estimateWaitMs(): number {
    const [oldest] = this.requests;
    const oldestMs = oldest ? performance.now() - oldest.arrivedAt : 0;
    return Math.max(oldestMs, (this.requests.length + 1) * this.msPerTurn);
  }
}

const mostUrgentFirst = (Object.keys(classes) as Priority[]).reverse();

const mapPriorities = <Value>(create: () => Value): Record<Priority, Value> =>
  Object.fromEntries(mostUrgentFirst.map(priority => [priority, create()])) as Record<Priority, Value>;

export const overloadRefusal = () =>
  new Refusal('UNAVAILABLE', 'Too many requests are in progress. Try again in a moment.', { retryAfter: 1 });
