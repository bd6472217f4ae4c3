import type { MountType } from '../view/mount.js';
import type { RouteMatch } from './match-route.js';

/** How often a route of a page was requested at one mount. */
export interface RouteUsage {
  mountType: MountType;
  match: RouteMatch;
  hits: number;
}

/** Anyone can request any number of variants of a route. */
const maxEntries = 1_000;

/** Counts the requests for the routes of a page: the next generation is prepared for the most requested ones. */
export class RouteUsageCounter {
  private readonly entries = new Map<string, RouteUsage>();

  /** Returns the counter, so that a caller with a cache of its own can increment it. Evicts the oldest entry. */
  record(mountType: MountType, match: RouteMatch, hits: number): RouteUsage {
    const key = `${mountType} ${match.key}`;
    const usage = this.entries.get(key) ?? { mountType, match, hits: 0 };
    usage.hits += hits;
    this.entries.set(key, usage);
    if (this.entries.size > maxEntries) this.entries.delete(this.entries.keys().next().value!);
    return usage;
  }

  /** The front page first, then by number of requests. */
  mostRequested(limit: number): RouteUsage[] {
    const isFrontPage = ({ match }: RouteUsage) => Number(match.route.path === '');
    return [...this.entries.values()]
      .sort((one, other) => isFrontPage(other) - isFrontPage(one) || other.hits - one.hits)
      .slice(0, limit);
  }
}
