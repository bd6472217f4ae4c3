import { componentStates } from '../../components/component.states.js';
import type { HistoryState } from '../view/history.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';
import { html, type Markup } from './html.js';
import { type Icon, iconOf } from './icons.js';

/** A colour of the style sheet. */
export type Tone = 'ok' | 'part' | 'warn' | 'plan' | 'none';

/** How a component is shown. */
export type Standing = Exclude<HistoryState, 'none'>;

const signs: Record<Standing, readonly [Tone, Icon]> = {
  operational: ['ok', 'check'],
  maintenance: ['plan', 'wrench'],
  'partially-degraded': ['part', 'half'],
  degraded: ['warn', 'alert'],
};

/**
 * A component under maintenance is "degraded" to programs. Here it says what it is, as the banner does: maintenance, while no fault touches it.
 * By component; those that are operational are not among them.
 */
export function standingsOf({ componentsById, present }: PageView): Map<number, Exclude<Standing, 'operational'>> {
  const tree = [...componentsById.values()].map(({ id, parent }) => ({ id, parentId: parent?.id ?? null }));
  const faults = present.filter(({ type }) => type !== 'planned');
  const states = componentStates(tree, new Set(faults.flatMap(notice => notice.components.map(({ id }) => id))));
  const standings = new Map<number, Exclude<Standing, 'operational'>>();
  for (const { id, state } of componentsById.values()) {
    const fault = states.get(id)!;
    if (fault !== 'operational') standings.set(id, fault);
    else if (state !== 'operational') standings.set(id, 'maintenance');
  }
  return standings;
}

export function signOf(standing: Standing): Markup {
  const [tone, icon] = signs[standing];
  return html`<span class="${tone}">${iconOf(icon)}</span>`;
}

type NoticeWord = NonNullable<NoticeView['state']> | 'general';

const noticeSigns: Record<NoticeWord, readonly [Tone, Icon]> = {
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

/** Of a general notice the type is all that there is to say. */
export const wordOf = ({ state }: NoticeView): NoticeWord => state ?? 'general';

export const toneOf = (notice: NoticeView): Tone => noticeSigns[wordOf(notice)][0];

export function noticeSignOf(notice: NoticeView): Markup {
  const [tone, icon] = noticeSigns[wordOf(notice)];
  return html`<span class="${tone}">${iconOf(icon)}</span>`;
}

/** Those below that have none below themselves: what a group is made of. */
export function leavesOf(component: ComponentView): ComponentView[] {
  const leaves: ComponentView[] = [];
  const waiting = [...component.children];
  // A list instead of recursion: nesting has no limit, and the stack has one.
  for (let below = waiting.pop(); below; below = waiting.pop()) {
    if (below.children.length) waiting.push(...below.children);
    else leaves.push(below);
  }
  return leaves;
}
