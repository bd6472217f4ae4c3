import { setTimeout } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Caller } from '../auth/access.js';
import { Refusal } from '../core/errors.js';
import { EventLoopTurns } from '../core/queues/event-loop-turns.js';
import { FairTurns } from '../core/queues/fair-turns.js';
import { databaseUnavailable } from '../db/database-errors.js';

interface Limits {
  /** Of MAX_REQUESTS: above this share in progress or waiting, of all classes together, a request is refused. */
  share: number;
  /** How many of the class run at a time, if not `countPerClass`; the others wait, in turns of the callers. */
  concurrency?: number;
  /** Whether a request is refused where it would wait. */
  neverWaits?: boolean;
  /** Whether each request begins in a turn of the event loop of its own. */
  takesTurns?: boolean;
  /** Whether a request that is in progress is not refused when the database goes away: it may be committed. */
  writes?: boolean;
}

/**
 * The classes of requests, in the order in which they are refused under overload: GraphQL queries without a token
 * first, and last what an operator writes about a notice, which never waits.
 */
const classes = {
  anonymousQuery: { share: 0.25, concurrency: 4, neverWaits: true, takesTurns: true },
  list: { share: 0.25, takesTurns: true },
  read: { share: 0.5 },
  /** What waits for other servers, a process or a thread, or writes in many transactions: it has places of its own. */
  slow: { share: 0.5, concurrency: 16, writes: true },
  write: { share: 0.75, writes: true },
  noticeWrite: { share: 1, concurrency: Number.POSITIVE_INFINITY, writes: true },
} as const satisfies Record<string, Limits>;
export type Priority = keyof typeof classes;

/** A class leaves half of the connections to others: its statements may be slow, or wait for locks. */
const countPerClass = (connections: number) => Math.ceil(connections / 2);

/** The maximum number of requests that wait for a turn: one more would wait about a second. */
const maxWaitingTurns = 64;
/** A smaller body is parsed in less than a millisecond. */
const smallBody = 16 * 1024;

/** Of the places of a class, those in which requests of one caller may wait. */
const shareOfCaller = 0.5;

/** How long what is not urgent waits for writes of notices. */
const maxYieldMs = 1_000;

export interface AdmissionOptions {
  /** API requests in progress, and those that wait. */
  maxRequests: number;
  connections: number;
}

/** Refuses API requests while too many are in progress, so that those that are admitted are answered in time. */
export class Admission {
  private readonly queues: Record<Priority, PQueue>;
  private readonly callerTurns: Record<Priority, FairTurns>;
  /** Parsing and executing a query takes the event loop up to 50 ms, and visits of pages are answered between two. */
  private readonly turns = new EventLoopTurns();
  private refused = 0;
  private isSuspended = false;
  /** Of the reads in progress. */
  private readonly refusals = new Set<(refusal: Refusal) => void>();

  constructor(private readonly options: AdmissionOptions) {
    const entries = Object.entries(classes).map(([priority, limits]: [string, Limits]) => {
      const { concurrency = countPerClass(options.connections) } = limits;
      return [priority, new PQueue({ concurrency })];
    });
    this.queues = Object.fromEntries(entries) as Record<Priority, PQueue>;
    const turns = Object.keys(classes).map(priority => [priority, new FairTurns()]);
    this.callerTurns = Object.fromEntries(turns) as Record<Priority, FairTurns>;
  }

  /** With those that wait. */
  get requestsInProgress(): number {
    return Object.values(this.queues).reduce((sum, { size, pending }) => sum + size + pending, 0);
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /**
   * Runs what uses the database. Reading the body of a request does not: that takes as long as a client likes.
   * `caller`: many requests of one with slow statements must not delay those of all others; all without a token are
   * one. Without a caller it begins before what waits for its turn, as lookups of callers do.
   */
  async run<Result>(
    priority: Priority,
    work: () => Promise<Result>,
    caller?: Caller | { key: string },
  ): Promise<Result> {
    const { share, writes = false, takesTurns = false }: Limits = classes[priority];
    // Before it takes a place of its class: one that waits for its turn does nothing yet.
    if (takesTurns) await this.takeTurn();
    this.check(priority);
    const turns = this.callerTurns[priority];
    const key = caller && ('key' in caller ? caller.key : caller.kind);
    const turn = turns.take(key, this.options.maxRequests * share * shareOfCaller) ?? this.refuse();
    const begin = async () => {
      turns.begin(key, turn);
      // It has waited since.
      this.checkDatabase();
      return work();
    };
    const run = () => this.queues[priority].add(begin, { priority: -turn });
    return writes ? run() : this.whileAvailable(run);
  }

  /** Waits until the body of a request may be parsed. */
  async beginParsing(bytes: number): Promise<void> {
    if (bytes > smallBody) await this.takeTurn();
  }

  /** Waits for a turn of the event loop that no other request takes. */
  async takeTurn(): Promise<void> {
    if (this.turns.waiting >= maxWaitingTurns) this.refuse();
    await this.turns.take();
  }

  /** Runs a read, and refuses it as soon as the database does not answer. */
  async whileAvailable<Result>(read: () => Promise<Result>): Promise<Result> {
    this.checkDatabase();
    return new Promise((resolve, reject) => {
      this.refusals.add(reject);
      read()
        .then(resolve, reject)
        .finally(() => this.refusals.delete(reject));
    });
  }

  /** Refuses all requests, and the reads that are in progress, which would wait for the timeouts of connections. */
  suspend(): void {
    this.isSuspended = true;
    for (const refuse of this.refusals) refuse(databaseUnavailable());
  }

  resume(): void {
    this.isSuspended = false;
  }

  /** Waits while writes of notices are in progress, so that what is not urgent takes no CPU time from them. */
  async yieldToNoticeWrites(): Promise<void> {
    const { noticeWrite } = this.queues;
    if (noticeWrite.pending)
      await Promise.race([noticeWrite.onIdle(), setTimeout(maxYieldMs, undefined, { ref: false })]);
  }

  /** Throws where a request is refused, and counts it. */
  check(priority: Priority): void {
    this.checkDatabase();
    const { maxRequests } = this.options;
    const { share, neverWaits = false }: Limits = classes[priority];
    const { pending, concurrency } = this.queues[priority];
    const isPermitted = this.requestsInProgress < maxRequests * share && (pending < concurrency || !neverWaits);
    if (!isPermitted) this.refuse();
  }

  private refuse(): never {
    this.refused += 1;
    throw new Refusal('UNAVAILABLE', 'Too many requests are in progress. Try again in a moment.', { retryAfter: 1 });
  }

  private checkDatabase(): void {
    if (this.isSuspended) throw databaseUnavailable();
  }
}
