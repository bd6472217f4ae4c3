import { isOpen, type NoticeState } from './notice.states.js';

/** How an incident affects a component that it names, from mild to severe. */
export const impacts = ['degraded', 'partial-outage', 'major-outage'] as const;
export type Impact = (typeof impacts)[number];

export const defaultImpact: Impact = 'degraded';

/** SQL: the worst impact of an incident, as `worstImpactOf` computes it. Null for other notices. */
export const worstImpactSql = (notice: { id: string; type: string }): string => `
  case when ${notice.type} = 'unplanned' then coalesce((
    select named.impact from notice_component named where named.notice_id = ${notice.id}
    order by array_position(array['${impacts.join("', '")}'], named.impact) desc limit 1), '${defaultImpact}') end`;

/** A notice with the impact on its components, by id, where that is not the default. */
interface NoticeWithImpacts {
  impacts?: Readonly<Record<number, Impact>>;
  /** When components were operational again while the incident was open, by id. */
  recovered?: Readonly<Record<number, string>>;
}

interface ShownNotice extends NoticeWithImpacts {
  state: NoticeState | null;
}

/** What is shown of a component that an incident names: of one that is over its impact. */
export type ShownImpact = Impact | 'operational';

/** SQL: the same of a row of `notice_component`. */
export const shownImpactSql = (named: string): string =>
  `case when ${named}.recovered_at is null then ${named}.impact else 'operational' end`;

export const hasRecovered = ({ state, recovered }: ShownNotice, componentId: number): boolean =>
  isOpen(state) && recovered?.[componentId] !== undefined;

export const getShownImpact = (notice: ShownNotice, componentId: number): ShownImpact =>
  hasRecovered(notice, componentId) ? 'operational' : getImpact(notice, componentId);

export const getImpact = ({ impacts: byId }: NoticeWithImpacts, componentId: number): Impact =>
  byId?.[componentId] ?? defaultImpact;

/** Null: none of them is an impact. */
export const findWorstImpact = (list: Iterable<ShownImpact>): Impact | null => {
  const present = new Set(list);
  return impacts.findLast(impact => present.has(impact)) ?? null;
};

/** The same without the components of an open incident that are operational again. */
export const worstShownImpactOf = (notice: ShownNotice & { componentIds: readonly number[] }): Impact =>
  findWorstImpact(notice.componentIds.map(id => getShownImpact(notice, id))) ?? defaultImpact;

export const worstImpactOf = (notice: NoticeWithImpacts & { componentIds: readonly number[] }): Impact =>
  findWorstImpact(notice.componentIds.map(id => getImpact(notice, id))) ?? defaultImpact;
