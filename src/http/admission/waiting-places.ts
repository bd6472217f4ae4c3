import { classes, type Limits, type Priority } from './request-classes.js';

/** Whose turn it is: see `findTurn`. They are equal where it is of no page alone. */
export type TurnOf = readonly [page: string, caller: string];

/** Where a request is counted while it waits, and how many may wait there. */
export type Places = readonly { key: string; max: number }[];

/**
 * Where requests may wait. Of MAX_REQUESTS: all that are for one page, and those of one caller with a role on it; this
 * leaves room in the smallest class. Of the places of a class: those of another caller.
 */
const shares = { page: 3 / 16, callerOfPage: 1 / 8, other: 1 / 2 };

/** Where a request of a class waits: what is for one page is counted for all classes, unless the class is apart. */
export function listPlaces(priority: Priority, [page, caller]: TurnOf, maxRequests: number): Places {
  const { share, isApart = false }: Limits = classes[priority];
  if (page === caller) return [{ key: `${priority} ${page}`, max: maxRequests * share * shares.other }];
  const prefix = isApart ? `${priority} ` : '';
  return [
    { key: `${prefix}${page}`, max: maxRequests * shares.page },
    { key: `${prefix}${page} ${caller}`, max: maxRequests * shares.callerOfPage },
  ];
}

/** The maximum number of requests that wait for a turn of the event loop: one more would wait about a second. */
const maxTurns = { page: 64, callerOfPage: 32, other: 64 };

/** Where a request waits for a turn of the event loop. */
export function listTurnPlaces([page, caller]: TurnOf = ['', '']): Places {
  if (page === caller) return [{ key: `turn ${page}`, max: maxTurns.other }];
  return [
    { key: `turn ${page}`, max: maxTurns.page },
    { key: `turn ${page} ${caller}`, max: maxTurns.callerOfPage },
  ];
}

/** Counts the requests that wait. */
export class WaitingCounts {
  private readonly counts = new Map<string, number>();

  /** Counts one until the result is called. Null, and nothing is counted, where too many wait in one of the places. */
  take(places: Places): (() => void) | null {
    if (places.some(({ key, max }) => this.countOf(key) >= max)) return null;
    for (const { key } of places) this.counts.set(key, this.countOf(key) + 1);
    return () => {
      for (const { key } of places)
        if (this.countOf(key) > 1) this.counts.set(key, this.countOf(key) - 1);
        else this.counts.delete(key);
    };
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }
}
