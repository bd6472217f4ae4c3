import type { Impact } from '../notices/impact.js';
import type { RunRead } from '../db/prepared-statements.js';

/** `none`: the component did not exist yet. `partially-degraded`: an ancestor or a descendant is affected. */
export type DayState = 'none' | 'operational' | 'maintenance' | 'partially-degraded' | Impact;

/** A day of a component, as a bar of the public page shows it. */
export interface PublicDay {
  date: string;
  state: DayState;
  minutes: Record<Exclude<DayState, 'none' | 'operational'>, number>;
  noticeCount: number;
  noticeIds: readonly number[];
}

/** What the public page shows and no table has: it is computed from all of a page. */
export interface PublicPage {
  banner: { state: 'operational' | 'maintenance' | Impact; text: string };
  /** The last 90 days of each component, oldest first. */
  history: ReadonlyMap<number, readonly PublicDay[]>;
}

/** Reads a page at one moment. Null if it does not exist. */
export type ReadPublicPage = (read: RunRead, pageId: string) => Promise<PublicPage | null>;

export const historyLengthDays = 90;
