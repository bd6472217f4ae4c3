import { toImpact } from '../../components/manual-status.rules.js';
import { defaultImpact, findWorstImpact, type Impact } from '../../notices/impact.rules.js';
import { isOpen } from '../../notices/notice.states.js';
import { findPeriods, type Period } from './component-periods.js';
import type { ImportedNotice } from './imported-page.js';

export type PeriodRow = Period & { sourceId: string; componentId: string };

/** The components of a notice, with the impact on each. */
export function listComponents(notice: ImportedNotice): { componentId: string; impact: Impact }[] {
  const changes = groupChanges(notice);
  const ids = new Set([...notice.componentIds, ...changes.keys()]);
  const isIncident = notice.type === 'unplanned';
  return [...ids].map(componentId => ({
    componentId,
    impact: isIncident ? findImpact(notice, changes.get(componentId)) : defaultImpact,
  }));
}

/** Once for a notice, which may have as many components as changes. */
const groupChanges = ({ changes }: ImportedNotice) => Map.groupBy(changes, ({ componentId }) => componentId);

/** The impact that is stored: of an open incident the last one, of one that is over the worst. */
function findImpact({ impact, state }: ImportedNotice, own: ImportedNotice['changes'] = []): Impact {
  const stated = own.flatMap(change => toImpact(change.state) ?? []);
  return (isOpen(state) ? stated.at(-1) : findWorstImpact(stated)) ?? impact;
}

/** It takes quadratic time for many changes of a component. */
export function listPeriods(notices: readonly ImportedNotice[]): PeriodRow[] {
  const spans = notices.flatMap(notice => {
    const { type, beganAt, endedAt, changes } = notice;
    if (type !== 'unplanned' || !beganAt || !changes.length) return [];
    const byComponent = groupChanges(notice);
    return listComponents(notice).map(({ componentId, impact }) => {
      const own = byComponent.get(componentId) ?? [];
      return { componentId, impact, beganAt, endedAt, changes: own.toSorted((one, other) => +one.at - +other.at) };
    });
  });
  return [...Map.groupBy(spans, ({ componentId }) => componentId)].flatMap(([componentId, incidents]) =>
    findPeriods(incidents).map(period => ({
      ...period,
      componentId,
      sourceId: `${componentId} ${period.beganAt.toISOString()}`,
    })),
  );
}
