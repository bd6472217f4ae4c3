import { type OutageState, outageStates } from './notice-impact.js';

/** From best to worst: a day shows its worst state. `none`: the component did not exist yet. */
export const historyStates = ['none', 'operational', ...outageStates] as const;
export type HistoryState = (typeof historyStates)[number];

export interface HistoryDay {
  /** `2026-11-20`, in the page's time zone. */
  date: string;
  state: HistoryState;
  /** Whole minutes in each state other than `operational`. */
  minutes: Record<OutageState, number>;
  /** Number of notices that affect the component on this day: those that name it, an ancestor or a descendant. */
  noticeCount: number;
  /** The first of them, in the order of the snapshot. */
  noticeIds: number[];
}
