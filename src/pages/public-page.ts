import type { Impact } from '../notices/impact.rules.js';
import type { RunRead } from '../db/prepared-statements.js';
import type { Context } from '../graphql/context.js';

/** What visitors see of a component. `partially-degraded`: an ancestor or a descendant is affected. */
export type ComponentStatus = 'operational' | 'unknown' | 'maintenance' | 'partially-degraded' | Impact;

/** `none`: the component did not exist yet. */
type DayState = 'none' | Exclude<ComponentStatus, 'unknown'>;

/** A day of a component, as a bar of the public page shows it. */
export interface PublicDay {
  /** `2026-11-20`, in the page's time zone. */
  date: string;
  state: DayState;
  /** Whole minutes in each state other than `operational`. */
  minutes: Record<Exclude<DayState, 'none' | 'operational'>, number>;
  /** Number of notices that affect the component on this day: those that name it, an ancestor or a descendant. */
  noticeCount: number;
  /** The first of them, in the order of the snapshot. */
  noticeIds: readonly number[];
}

interface PublicComponent {
  status: ComponentStatus;
  /** The last 90 days, oldest first. */
  days: readonly PublicDay[];
  /** Of these days, from 0 to 1. Null: the page shows none. */
  uptime: number | null;
}

/** What the public page shows and no table has: it is computed from all of a page. */
export interface PublicPage {
  banner: { status: 'operational' | 'maintenance' | Impact; text: string };
  components: ReadonlyMap<number, PublicComponent>;
}

/** Reads a page at one moment. Null if it does not exist. */
export type ReadPublicPage = (read: RunRead, pageId: string) => Promise<PublicPage | null>;

export const readPublicPage = ({ readOnce, run, services }: Context, pageId: string): Promise<PublicPage | null> =>
  readOnce(`public page ${pageId}`, () => services.readPublicPage(run, pageId));

/** How many days the bars of components have. */
export const historyLengthDays = 90;
