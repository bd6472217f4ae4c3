import { setTimeout } from 'node:timers/promises';
import PQueue from 'p-queue';
import { Refusal } from '../core/errors.js';

interface Limits {
  /** Of MAX_REQUESTS: a request is refused while so many are in progress or wait, of all classes together. */
  share: number;
  /** How many of the class run at a time, if not `countPerClass`; the others wait in order of arrival. */
  concurrency?: number;
  /** Whether a request is refused where it would wait. */
  neverWaits?: boolean;
}

/**
 * The classes of requests, in the order in which they are refused under overload: GraphQL queries without a token
 * first, and last what an operator writes about a notice, which never waits.
 */
const classes = {
  anonymousQuery: { share: 0.25, concurrency: 4, neverWaits: true },
  list: { share: 0.25 },
  read: { share: 0.5 },
  write: { share: 0.75 },
  noticeWrite: { share: 1, concurrency: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Limits>;
export type Priority = keyof typeof classes;

/** A class leaves half of the connections to others: its statements may be slow, or wait for locks. */
const countPerClass = (connections: number) => Math.ceil(connections / 2);

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
  private refused = 0;

  constructor(private readonly options: AdmissionOptions) {
    const entries = Object.entries(classes).map(([priority, limits]: [string, Limits]) => {
      const { concurrency = countPerClass(options.connections) } = limits;
      return [priority, new PQueue({ concurrency })];
    });
    this.queues = Object.fromEntries(entries) as Record<Priority, PQueue>;
  }

  /** With those that wait. */
  get requestsInProgress(): number {
    return Object.values(this.queues).reduce((sum, { size, pending }) => sum + size + pending, 0);
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /** Runs what uses the database. Reading the body of a request does not: that takes as long as a client likes. */
  async run<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result> {
    if (this.refuses(priority)) throw overloadRefusal();
    // Not `add(work)`, which passes options to it.
    return this.queues[priority].add(() => work());
  }

  /** Waits while writes of notices are in progress, so that what is not urgent takes no CPU time from them. */
  async yieldToNoticeWrites(): Promise<void> {
    const { noticeWrite } = this.queues;
    if (noticeWrite.pending)
      await Promise.race([noticeWrite.onIdle(), setTimeout(maxYieldMs, undefined, { ref: false })]);
  }

  /** Counts the request as refused, if it is. */
  refuses(priority: Priority): boolean {
    const { maxRequests } = this.options;
    const { share, neverWaits = false }: Limits = classes[priority];
    const { pending, concurrency } = this.queues[priority];
    const isPermitted = this.requestsInProgress < maxRequests * share && (pending < concurrency || !neverWaits);
    if (!isPermitted) this.refused += 1;
    return !isPermitted;
  }
}

export const overloadRefusal = () =>
  new Refusal('UNAVAILABLE', 'Too many requests are in progress. Try again in a moment.', { retryAfter: 1 });
