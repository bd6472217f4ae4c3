import { outageStates } from './notice-impact.js';

export type { PublicDay as HistoryDay } from '../../pages/public-page.js';

/** From best to worst: a day shows its worst state. `none`: the component did not exist yet. */
export const historyStates = ['none', 'operational', ...outageStates] as const;
export type HistoryState = (typeof historyStates)[number];
