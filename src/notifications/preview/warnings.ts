import { offsetAtMoment } from '../../pages/time-zones.js';

export type WarningCode = 'window_past' | 'summer_time' | 'everybody' | 'covered' | 'unchanged';

export interface Doubtful {
  /** The picture of what is told; null where nothing is. */
  told: { zone: string; type: string; state: string | null; beginsAt: Date | null; endsAt: Date | null } | null;
  isForEverybody: boolean;
  /** Subjects of other notices that are open and name one of the components, or one above or below. */
  open: readonly string[];
}

/** What somebody who is about to tell something may have overlooked, for an operator: in English. */
export function warningsOf({ told, isForEverybody, open }: Doubtful, now: Date): { code: WarningCode; text: string }[] {
  if (!told) return [{ code: 'unchanged', text: 'Nothing changes, so that nothing is told.' }];
  const { zone, type, state, beginsAt, endsAt } = told;
  const warnings: { code: WarningCode; text: string }[] = [];
  const isAhead = type === 'planned' && state === 'scheduled' && beginsAt && endsAt;
  if (isAhead && beginsAt <= now)
    warnings.push({ code: 'window_past', text: `The window ${endsAt <= now ? 'is over' : 'has begun'} already.` });
  if (isAhead && offsetAtMoment(zone, beginsAt) !== offsetAtMoment(zone, endsAt))
    warnings.push({ code: 'summer_time', text: `The clocks of ${zone} change within the window.` });
  if (isForEverybody)
    warnings.push({ code: 'everybody', text: 'No component is named, so that all subscribers hear.' });
  if (open.length)
    warnings.push({
      code: 'covered',
      text: `An open notice names one of the components already: ${open.map(subject => `"${subject}"`).join(', ')}.`,
    });
  return warnings;
}
