export interface Limits {
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
  /** How many of a page run at a time; of what `writes`, also of a caller with a role on all pages. */
  ofPage?: number;
  /** Whether it takes no room of the other classes: it is counted for its own class alone. */
  isApart?: boolean;
}

/**
 * The classes of requests, in the order in which they are refused under overload: GraphQL queries without a token
 * first, and last what an operator writes about a notice.
 */
export const classes = {
  anonymousQuery: { share: 0.25, concurrency: 4, neverWaits: true, takesTurns: true },
  list: { share: 0.25, takesTurns: true, ofPage: 2 },
  read: { share: 0.5, ofPage: 2 },
  /** By which people sign in: many queries without a token do not keep them from it. */
  signIn: { share: 0.5, concurrency: 4, writes: true },
  /** What waits for other servers, a process or a thread, or writes in many transactions: it has places of its own. */
  slow: { share: 0.5, concurrency: 16, writes: true, ofPage: 2, isApart: true },
  /** The same for a publication that is stopped: it waits for the messages that are being sent. */
  slowNoticeWrite: { share: 0.5, concurrency: 16, writes: true, ofPage: 4, isApart: true },
  write: { share: 0.75, writes: true, ofPage: 2 },
  noticeWrite: { share: 1, writes: true, ofPage: 2 },
} as const satisfies Record<string, Limits>;
export type Priority = keyof typeof classes;
