import type { ComponentView, NoticeView } from '../view/view.js';
import { html, type Markup } from './html.js';
import { isOutageDay, type OutageDay, renderDayNotices } from './outage-days.js';
import type { RenderContext } from './render-context.js';

/**
 * A cell is narrower than the 24 pixels that a target needs (WCAG 2.5.8), and three are in a nested bar. Five cells are
 * wide enough for a finger: a popover lists up to five days.
 */
const daysPerPopover = 5;
export const popoverCount = 18;

interface DayPopovers {
  /** The buttons, which lie over the cells of their days. */
  buttons: Markup[];
  popovers: Markup[];
}

/** The days of a bar with an outage: with pointer, touch and keyboard, and without script. */
export function renderDayPopovers(
  context: RenderContext,
  component: ComponentView,
  notices: ReadonlyMap<number, NoticeView>,
): DayPopovers {
  const { id, history } = component;
  const groups = Array.from({ length: popoverCount }, (_, index) => ({
    index,
    days: history.slice(index * daysPerPopover, (index + 1) * daysPerPopover).filter(isOutageDay),
  })).filter(({ days }) => days.length);
  return {
    buttons: groups.map(({ index, days }) => renderButton(context, `h${id}-${index}`, index, days)),
    popovers: groups.map(
      ({ index, days }) => html`
        <ul popover id="h${id}-${index}">
          ${days.toReversed().map(day => renderDay(context, component, day, notices))}
        </ul>`,
    ),
  };
}

/** A small screen shows the newest third, a medium one two thirds. */
const eras = ['old', 'mid', 'new'];

function renderButton(
  { translator }: RenderContext,
  target: string,
  index: number,
  days: readonly OutageDay[],
): Markup {
  const era = eras[Math.floor((index * eras.length) / popoverCount)]!;
  const title = days.map(day => describeDay(translator, day)).join(' · ');
  const label = html`title="${title}" aria-label="${title}"`;
  return html`<button type="button" class="d d${index} ${era}" popovertarget="${target}" ${label}></button>`;
}

/** "20 Nov: Degraded, 47 minutes" */
const describeDay = (translator: RenderContext['translator'], { date, state, minutes }: OutageDay): string => {
  const duration = minutes[state] > 0 ? `, ${translator.formatDuration(minutes[state] * 60_000)}` : '';
  return `${translator.formatShortDay(date)}: ${translator.t(`state.${state}`)}${duration}`;
};

function renderDay(
  context: RenderContext,
  component: ComponentView,
  day: OutageDay,
  notices: ReadonlyMap<number, NoticeView>,
): Markup {
  const text = html`<p>${describeDay(context.translator, day)}</p>`;
  // A day of manual statuses alone has no notice.
  if (!day.noticeCount) return html`<li>${text}</li>`;
  return html`<li>${text}<ul>${renderDayNotices(context, component, day, notices)}</ul></li>`;
}
