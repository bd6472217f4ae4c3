import type { ManualComponentStatus } from '../../components/manual-status.rules.js';
import type { Impact } from '../../notices/impact.rules.js';

/** An incident on one component: the impact that is stored for all its time, and what the impact was over time. */
export interface IncidentSpan {
  impact: Impact;
  beganAt: Date;
  endedAt: Date | null;
  /** In their order. None: it had that impact all the time. */
  changes: readonly { state: ManualComponentStatus; at: Date }[];
}

export interface Period {
  state: ManualComponentStatus;
  beganAt: Date;
  endedAt: Date;
}

const severity: ManualComponentStatus[] = ['operational', 'maintenance', 'degraded', 'partial-outage', 'major-outage'];

const findWorst = (states: readonly ManualComponentStatus[]): ManualComponentStatus =>
  severity.findLast(state => states.includes(state))!;

/**
 * The times at which a component was in another state than the impacts of its incidents say. An incident has one impact
 * on a component, from its begin to its end; the manual statuses of these times count in place of it.
 */
export function findPeriods(incidents: readonly IncidentSpan[]): Period[] {
  const moments = incidents.flatMap(({ beganAt, endedAt, changes }) => [
    beganAt.getTime(),
    ...(endedAt ? [endedAt.getTime()] : []),
    ...changes.map(({ at }) => at.getTime()),
  ]);
  const boundaries = [...new Set(moments)].sort((one, other) => one - other);
  const toCome = incidents.toSorted((one, other) => Number(other.beganAt) - Number(one.beganAt));
  let ongoing: IncidentSpan[] = [];
  const periods: Period[] = [];
  for (const [index, from] of boundaries.entries()) {
    const to = boundaries[index + 1];
    while (toCome.length && toCome.at(-1)!.beganAt.getTime() <= from) ongoing.push(toCome.pop()!);
    ongoing = ongoing.filter(({ endedAt }) => !endedAt || from < endedAt.getTime());
    // What lasts is the stored impact of the incidents that do.
    if (to === undefined || !ongoing.length) continue;
    const state = findWorst(ongoing.map(incident => stateAt(incident, from)));
    if (state === findWorst(ongoing.map(({ impact }) => impact))) continue;
    const last = periods.at(-1);
    if (last?.state === state && last.endedAt.getTime() === from) last.endedAt = new Date(to);
    else periods.push({ state, beganAt: new Date(from), endedAt: new Date(to) });
  }
  return periods;
}

function stateAt({ impact, changes }: IncidentSpan, moment: number): ManualComponentStatus {
  if (!changes.length) return impact;
  return changes.findLast(({ at }) => at.getTime() <= moment)?.state ?? 'operational';
}
