import { type Impact, impacts } from '../notices/impact.rules.js';

/** The states that an operator can set a component to. */
export const manualStates = ['operational', 'maintenance', ...impacts] as const;
export type ManualComponentState = (typeof manualStates)[number];

/** Null: no outage. */
export const toImpact = (state: ManualComponentState): Impact | null =>
  impacts.find(impact => impact === state) ?? null;

/** The condition that a row of `manual_state` still holds. */
export const isCurrentSql = (manual: string): string => `${manual}.ended_at is null`;

/** A period in which a component had a manual state. */
export interface ManualPeriod {
  componentId: number;
  state: ManualComponentState;
  beganAt: string;
  /** Null: it lasts. */
  endedAt: string | null;
}
