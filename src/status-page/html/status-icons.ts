import { computeComponentStates } from '../../components/component.states.js';
import type { HistoryState } from '../view/history.js';
import type { NoticeView, PageView } from '../view/view.js';
import { html, type Markup } from './html.js';
import { type Icon, renderIcon } from './icons.js';

/** A colour class of the style sheet. */
export type Tone = 'ok' | 'part' | 'warn' | 'down' | 'plan' | 'none';

/** The state of a component as the page shows it. */
export type DisplayedState = Exclude<HistoryState, 'none'>;

const stateIcons: Record<DisplayedState, readonly [Tone, Icon]> = {
  operational: ['ok', 'check'],
  maintenance: ['plan', 'wrench'],
  'partially-degraded': ['part', 'half'],
  degraded: ['warn', 'alert'],
  'partial-outage': ['down', 'minus'],
  'major-outage': ['down', 'octagon'],
};

/**
 * The displayed states by component id, without the operational ones. In the APIs a component under maintenance is
 * "degraded"; here it is shown as maintenance, as in the banner, unless an incident affects it, too. One that an incident
 * names has the state of its impact.
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
  for (const { id, state, impact } of components) {
    const incidentState = states.get(id)!;
    if (incidentState !== 'operational') displayedStates.set(id, impact ?? incidentState);
    else if (state !== 'operational') displayedStates.set(id, 'maintenance');
  }
  return displayedStates;
}

export function renderStateIcon(state: DisplayedState): Markup {
  const [tone, icon] = stateIcons[state];
  return html`<span class="${tone}">${renderIcon(icon)}</span>`;
}

type NoticeStatus = NonNullable<NoticeView['state']> | 'general';

const noticeIcons: Record<NoticeStatus, readonly [Tone, Icon]> = {
  investigating: ['warn', 'alert'],
  identified: ['warn', 'alert'],
  recovering: ['part', 'half'],
  resolved: ['ok', 'check'],
  false_alarm: ['none', 'crossed'],
  scheduled: ['plan', 'clock'],
  underway: ['plan', 'wrench'],
  complete: ['ok', 'check'],
  cancelled: ['none', 'crossed'],
  general: ['none', 'info'],
};

/** General notices have no state. */
export const getNoticeStatus = ({ state }: NoticeView): NoticeStatus => state ?? 'general';

/** The colour of a state of a notice; that of an outage while an incident with one is open. */
export function getStateTone({ worstImpact }: NoticeView, state: NoticeView['state']): Tone {
  const [tone] = noticeIcons[state ?? 'general'];
  return tone === 'warn' && worstImpact !== 'degraded' ? 'down' : tone;
}

export const getNoticeTone = (notice: NoticeView): Tone => getStateTone(notice, notice.state);

export function renderNoticeIcon(notice: NoticeView): Markup {
  const [, icon] = noticeIcons[getNoticeStatus(notice)];
  return html`<span class="${getNoticeTone(notice)}">${renderIcon(icon)}</span>`;
}
