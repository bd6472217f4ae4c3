import { defaultImpact, findWorstImpact, impacts } from '../../notices/impact.rules.js';
import { isSelfOrAncestor } from '../../components/component-tree.js';
import type { Banner, ComponentView, NoticeView } from './view.js';

export const bannerKinds = ['operational', 'maintenance', ...impacts] as const satisfies readonly Banner['kind'][];

export function computeBanner(present: readonly NoticeView[], components: readonly ComponentView[]): Banner {
  const worst = findWorstImpact(components.flatMap(({ impact }) => impact ?? []));
  const hasIncident = worst !== null || present.some(({ type }) => type !== 'planned');
  if (!hasIncident && !present.length && !components.some(({ namedBy }) => namedBy)) {
    const areAllKnown = components.length > 0 && !components.some(isUnknown);
    return { kind: 'operational', extent: areAllKnown ? 'all' : 'unnamed', ...unnamed };
  }
  const kind = hasIncident ? (worst ?? defaultImpact) : 'maintenance';
  const isNamed = ({ namedBy, impact }: ComponentView) =>
    hasIncident ? impact !== null && impact === worst : namedBy !== null;
  const named = components.filter(isNamed);
  if (!named.length) return { kind, extent: 'unnamed', ...unnamed };
  if (named.length === 1) return { kind, extent: 'one', component: named[0]!, components: [] };
  const areAllAffected = components.every(component => isSelfOrAncestor(component, isNamed));
  return areAllAffected
    ? { kind, extent: 'all', ...unnamed }
    : { kind, extent: 'some', component: null, components: named };
}

/** Whether the state of a component depends on its upstream alone, which does not answer. */
export const isUnknown = ({ upstream, manual, namedBy }: ComponentView): boolean =>
  upstream?.state === 'unknown' && !manual && !namedBy;

const unnamed = { component: null, components: [] };
