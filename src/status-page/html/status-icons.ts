import { computeComponentStates } from '../../components/component.states.js';
import { getNoticeTone, noticeStyles, stateStyles, type Tone } from '../../branding/scheme.js';
import { defaultImpact } from '../../notices/impact.rules.js';
import type { NoticeView, PageView } from '../view/view.js';
import { html, type Markup } from './html.js';
import { renderIcon } from './icons.js';

/** The state of a component as the page shows it. */
export type DisplayedState = keyof typeof stateStyles;

/**
 * The displayed states by component id, without the operational ones. In the APIs a component under maintenance is
 * "degraded"; here it is shown as maintenance, as in the banner, unless an incident affects it, too. One that an
 * incident names has the state of its impact, and one with a manual state has that.
 */
export function computeDisplayedStates({
  componentsById,
}: PageView): Map<number, Exclude<DisplayedState, 'operational'>> {
  const components = [...componentsById.values()];
  const states = computeComponentStates(
    components.map(({ id, parent }) => ({ id, parentId: parent?.id ?? null })),
    new Set(components.filter(({ namedBy }) => namedBy === 'incident').map(({ id }) => id)),
  );
  const displayedStates = new Map<number, Exclude<DisplayedState, 'operational'>>();
  for (const { id, state, impact, manual } of components) {
    const incidentState = states.get(id)!;
    if (manual) {
      if (manual.state !== 'operational') displayedStates.set(id, manual.state);
    } else if (incidentState !== 'operational') displayedStates.set(id, impact ?? incidentState);
    else if (state !== 'operational') displayedStates.set(id, 'maintenance');
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
