import { computeComponentStates } from '../../components/component.states.js';
import { getNoticeTone, noticeStyles, stateStyles, type Tone } from '../../pages/branding/state-styles.js';
import { defaultImpact } from '../../notices/impact.rules.js';
import { isUnknown } from '../view/banner.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';
import { html, type Markup } from './html.js';
import { renderIcon } from './icons.js';

/** The state of a component as the page shows it. */
export type DisplayedState = keyof typeof stateStyles;

/**
 * The displayed states by component id, without the operational ones. In the APIs a component under maintenance is
 * "degraded"; here it is shown as maintenance, as in the banner, unless an incident affects it, too. One that an
 * incident names has the state of its impact, and one with a manual status has that. Unknown is shown where neither an
 * incident nor a maintenance is the reason.
 */
export function computeDisplayedStates({
  componentsById,
}: PageView): Map<number, Exclude<DisplayedState, 'operational'>> {
  const components = [...componentsById.values()];
  const tree = components.map(({ id, parent }) => ({ id, parentId: parent?.id ?? null }));
  const relate = (matches: (component: ComponentView) => boolean) =>
    computeComponentStates(tree, new Set(components.filter(matches).map(({ id }) => id)));
  const states = relate(({ namedBy }) => namedBy === 'incident');
  const unknown = components.some(isUnknown) ? relate(isUnknown) : null;
  const maintained = unknown && relate(({ namedBy }) => namedBy === 'maintenance');
  const displayedStates = new Map<number, Exclude<DisplayedState, 'operational'>>();
  for (const { id, state, impact, manual } of components) {
    const incidentState = states.get(id)!;
    if (manual) {
      if (manual.state !== 'operational') displayedStates.set(id, manual.state);
    } else if (incidentState !== 'operational') displayedStates.set(id, impact ?? incidentState);
    else if (state !== 'operational') {
      const isOnlyUnknown = unknown && unknown.get(id) !== 'operational' && maintained?.get(id) === 'operational';
      displayedStates.set(id, isOnlyUnknown ? 'unknown' : 'maintenance');
    }
  }
  return displayedStates;
}

export function renderStateIcon(state: DisplayedState): Markup {
  const { tone, icon } = stateStyles[state];
  return html`<span class="${tone}">${renderIcon(icon)}</span>`;
}

/** General notices have no state. */
const getNoticeStatus = ({ state }: NoticeView): keyof typeof noticeStyles => state ?? 'general';

/** The colour of the notice, or of an update of it, which has a state of its own. */
export const getTone = (notice: NoticeView, { state }: Pick<NoticeView, 'state'> = notice): Tone =>
  getNoticeTone(state ?? 'general', notice.worstImpact !== defaultImpact);

export const renderNoticeIcon = (notice: NoticeView): Markup =>
  html`<span class="${getTone(notice)}">${renderIcon(noticeStyles[getNoticeStatus(notice)].icon)}</span>`;
