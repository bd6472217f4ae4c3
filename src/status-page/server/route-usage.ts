import type { MountType } from '../view/mount.js';
import type { RouteMatch } from './match-route.js';

/** How often a route of a page was requested at one mount. */
export interface RouteUsage {
  mountType: MountType;
  match: RouteMatch;
  hits: number;
}

/** Of a page. Anyone can request any number of variants of a route. */
const maxEntries = 100;

/** Counts the requests for the routes of a page: the next generation is prepared for the most requested ones. */
export class RouteUsageCounter {
  private readonly entries = new Map<string, RouteUsage>();

  /** Returns the counter, so that a caller with a cache of its own can increment it. */
  record(mountType: MountType, match: RouteMatch, hits: number): RouteUsage {
    const key = `${mountType} ${match.key}`;
    const usage = this.entries.get(key) ?? { mountType, match, hits: 0 };
    usage.hits += hits;
    this.entries.set(key, usage);
    if (this.entries.size > maxEntries) this.deleteLeastRequested(key);
    return usage;
  }

  /** The oldest of those with the fewest requests, but for the new one. */
  private deleteLeastRequested(newKey: string): void {
    const others = [...this.entries].filter(([key]) => key !== newKey);
    const [[least] = []] = others.toSorted(([, one], [, other]) => one.hits - other.hits);
    if (least !== undefined) this.entries.delete(least);
  }

  /** The front page first, then by number of requests. */
  mostRequested(limit: number): RouteUsage[] {
    const isFrontPage = ({ match }: RouteUsage) => Number(match.route.path === '');
    return [...this.entries.values()]
      .sort((one, other) => isFrontPage(other) - isFrontPage(one) || other.hits - one.hits)
      .slice(0, limit);
  }
}
