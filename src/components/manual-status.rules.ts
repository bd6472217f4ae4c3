import { type Impact, impacts } from '../notices/impact.rules.js';

/** The states that an operator can set a component to. */
export const manualStatuses = ['operational', 'maintenance', ...impacts] as const;
export type ManualComponentStatus = (typeof manualStatuses)[number];

/** Null: no outage. */
export const toImpact = (state: ManualComponentStatus): Impact | null =>
  impacts.find(impact => impact === state) ?? null;

/** The condition that a row of `manual_status` still holds. */
export const isCurrentSql = (manual: string): string => `${manual}.ended_at is null`;

/** A period in which a component had a manual status. */
export interface ManualPeriod {
  componentId: number;
  state: ManualComponentStatus;
  beganAt: string;
  /** Null: it lasts. */
  endedAt: string | null;
}
