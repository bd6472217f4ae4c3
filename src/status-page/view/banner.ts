import { defaultImpact, findWorstImpact, impacts } from '../../notices/impact.rules.js';
import { isSelfOrAncestor } from '../../components/component-tree.js';
import type { ComponentView, NoticeView } from './view.js';

export const bannerKinds = ['operational', 'maintenance', ...impacts] as const;

/**
 * The overall state of a page. It depends on the present notices only, so it cannot contradict the list below it:
 * `operational` only while no notice is present, `maintenance` only while no present notice is an incident, and
 * otherwise the worst impact on a component.
 */
export interface Banner {
  kind: (typeof bannerKinds)[number];
  /**
   * Which components are affected, in the case of an incident by the worst impact. `one`: `component` and no other.
   * `some`: several. `all`: every component. `unnamed`: the notices name no component, or the page has none.
   */
  extent: 'one' | 'some' | 'all' | 'unnamed';
  component: ComponentView | null;
}

export function computeBanner(present: readonly NoticeView[], components: readonly ComponentView[]): Banner {
  if (!present.length) return { kind: 'operational', extent: components.length ? 'all' : 'unnamed', component: null };
  const incidents = present.filter(({ type }) => type !== 'planned');
  const worst = findWorstImpact(components.flatMap(({ impact }) => impact ?? []));
  const kind = incidents.length ? (worst ?? defaultImpact) : 'maintenance';
  const isNamed = ({ namedBy, impact }: ComponentView) =>
    incidents.length ? impact !== null && impact === worst : namedBy !== null;
  const named = components.filter(isNamed);
  if (!named.length) return { kind, extent: 'unnamed', component: null };
  if (named.length === 1) return { kind, extent: 'one', component: named[0]! };
  const areAllAffected = components.every(component => isSelfOrAncestor(component, isNamed));
  return { kind, extent: areAllAffected ? 'all' : 'some', component: null };
}
