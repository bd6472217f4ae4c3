import { setTimeout } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type Caller, findTurn, type Sender } from '../../auth/access.js';
import { Refusal } from '../../core/errors.js';
import { EventLoopTurns } from '../../core/queues/event-loop-turns.js';
import { type FairOptions, FairQueue } from '../../core/queues/fair-queue.js';
import { KeyedQueue } from '../../core/queues/keyed-queue.js';
import { databaseUnavailable } from '../../db/database-errors.js';
import { classes, type Limits, type Priority } from './request-classes.js';
import { listPlaces, listTurnPlaces, type Places, type TurnOf, WaitingCounts } from './waiting-places.js';

/** A class leaves half of the connections to others: its statements may be slow, or wait for locks. */
const countPerClass = (connections: number) => Math.ceil(connections / 2);

/**
 * The `connections` of the embedded database. It runs one statement at a time, but a request has many: two of each
 * class are in progress, so that a request does not wait for all statements of one for another page.
 */
export const embeddedConnections = 4;

/** A smaller body is parsed in less than a millisecond. */
const smallBody = 16 * 1024;

/** How long what is not urgent waits for writes of notices. */
const maxYieldMs = 1_000;

export interface AdmissionOptions {
  /** API requests in progress, and those that wait. */
  maxRequests: number;
  connections: number;
  /** Whether the database runs one statement at a time: of requests of a page that take long, it rests between two. */
  isEmbedded?: boolean;
}

/** Refuses API requests while too many are in progress, so that those that are admitted are answered in time. */
export class Admission {
  private readonly queues: Record<Priority, PQueue<FairQueue, FairOptions>>;
  /** By class, and page or caller: see `ofPage`. */
  private readonly ofPages = new KeyedQueue();
  /** How many are in progress or wait, by class. */
  private readonly counts: Record<Priority, number>;
  private readonly waiting = new WaitingCounts();
  /** Parsing and executing a query takes the event loop up to 50 ms, and visits of pages are answered between two. */
  private readonly turns = new EventLoopTurns();
  private refused = 0;
  private isSuspended = false;
  /** Of the reads in progress. */
  private readonly refusals = new Set<(refusal: Refusal) => void>();

  constructor(private readonly options: AdmissionOptions) {
    const entries = Object.entries(classes).map(([priority, limits]: [string, Limits]) => {
      const { concurrency = countPerClass(options.connections) } = limits;
      return [priority, new PQueue({ concurrency, queueClass: FairQueue })];
    });
    this.queues = Object.fromEntries(entries) as Record<Priority, PQueue<FairQueue, FairOptions>>;
    this.counts = Object.fromEntries(Object.keys(classes).map(priority => [priority, 0])) as Record<Priority, number>;
  }

  /** With those that wait. */
  get requestsInProgress(): number {
    return this.sumCounts(() => true);
  }

  private sumCounts(isCounted: (limits: Limits) => boolean): number {
    const counts = Object.entries(this.counts) as [Priority, number][];
    return counts.reduce((sum, [priority, count]) => (isCounted(classes[priority]) ? sum + count : sum), 0);
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /**
   * Runs what uses the database. Reading the body of a request does not: that takes as long as a client likes.
   * `caller`: many requests of one with slow statements must not delay those of all others, and nor must many callers
   * with roles on one page, whose owner can make any number of them; all without a token are one. Without a caller it
   * begins before what waits for its turn, as lookups of callers do.
   */
  async run<Result>(priority: Priority, work: () => Promise<Result>, caller?: Caller | Sender): Promise<Result> {
    const { writes = false, takesTurns = false }: Limits = classes[priority];
    // Before it takes a place of its class: one that waits for its turn does nothing yet.
    if (takesTurns) await this.takeTurn(caller);
    this.check(priority);
    const turnOf = caller && findTurn(caller);
    const leave = turnOf ? this.wait(listPlaces(priority, turnOf, this.options.maxRequests)) : () => {};
    const begin = async () => {
      leave();
      // It has waited since.
      this.checkDatabase();
      return work();
    };
    const enqueue = () => this.queues[priority].add(begin, { turnOf });
    const run = () => this.count(priority, () => this.waitForPage(priority, enqueue, turnOf));
    return writes ? run() : this.whileAvailable(run);
  }

  private async count<Result>(priority: Priority, run: () => Promise<Result>): Promise<Result> {
    this.counts[priority] += 1;
    try {
      return await run();
    } finally {
      this.counts[priority] -= 1;
    }
  }

  /**
   * Lets a request of a class with a limit of a page wait for others of the page, in turns of its callers. On the
   * embedded database one of a page runs at a time, with rests.
   */
  private waitForPage<Result>(priority: Priority, run: () => Promise<Result>, turnOf?: TurnOf): Promise<Result> {
    const { ofPage, writes = false, isApart = false }: Limits = classes[priority];
    if (!ofPage || !turnOf) return run();
    const [page, member] = turnOf;
    const isOfPage = page !== member;
    if (!isOfPage && !writes) return run();
    const rests = isOfPage && !isApart && this.options.isEmbedded === true;
    return this.ofPages.run(`${priority} ${page}`, run, { member, rests, concurrency: rests ? 1 : ofPage });
  }

  /** Counts one that waits until the result is called. */
  private wait(places: Places): () => void {
    return this.waiting.take(places) ?? this.refuse();
  }

  /** Waits until the body of a request may be parsed. */
  async beginParsing(bytes: number, caller: Caller | Sender): Promise<void> {
    if (bytes > smallBody) await this.takeTurn(caller);
  }

  /** Waits for a turn of the event loop that no other request takes, in turns of the pages and their callers. */
  async takeTurn(caller?: Caller | Sender): Promise<void> {
    const turnOf = caller && findTurn(caller);
    const leave = this.wait(listTurnPlaces(turnOf));
    try {
      await this.turns.take(turnOf);
    } finally {
      leave();
    }
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
    const { share, neverWaits = false, isApart = false }: Limits = classes[priority];
    const { pending, concurrency } = this.queues[priority];
    const inProgress = isApart ? this.counts[priority] : this.sumCounts(limits => !limits.isApart);
    const isPermitted = inProgress < maxRequests * share && (pending < concurrency || !neverWaits);
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
