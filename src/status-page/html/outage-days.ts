import type { HistoryDay } from '../view/history-sweep.js';
import { flattenTree } from '../../components/component-tree.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { formatDayCounts } from './history-bar.js';
import { html, type Markup } from './html.js';
import { renderNoticeLink } from './notice-card.js';

export type OutageDay = HistoryDay & { state: keyof HistoryDay['minutes'] };

export const isOutageDay = (day: HistoryDay): day is OutageDay => day.state in day.minutes;

/** The count of the days alone, as a link to the history. */
export function renderHistoryLink(
  { translator, urlFor }: RenderContext,
  { id, history }: ComponentView,
): Markup | null {
  const counts = formatDayCounts(translator, history);
  if (!counts.length) return null;
  const url = urlFor('history', { component: String(id) });
  return html`<p class="days"><a href="${url}">${translator.formatList(counts)}</a></p>`;
}

/** Bounds the page size: an open notice on a root component is in every day of every component below. */
const maxDays = 1_500;

/** The components whose bars have popovers, from the top of the page until the days are used up. Groups have none. */
export function selectDetailedComponents(view: PageView): ReadonlySet<number> {
  let daysLeft = maxDays;
  const leaves = flattenTree(view.components).filter(({ children }) => !children.length);
  const detailed = leaves.filter(({ history }) => {
    const days = history.filter(isOutageDay).length;
    if (days > daysLeft) return false;
    daysLeft -= days;
    return true;
  });
  return new Set(detailed.map(({ id }) => id));
}

/** List items: the first notices that affect the component on the day, and how many others do. */
export function renderDayNotices(
  context: RenderContext,
  component: ComponentView,
  day: OutageDay,
  notices: ReadonlyMap<number, NoticeView>,
): Markup {
  const links = day.noticeIds
    .flatMap(id => notices.get(id) ?? [])
    .map(notice => html`<li>${renderNoticeLink(context, notice)}</li>`);
  return html`${links}${renderOtherNotices(context, component, day, links.length)}`;
}

/** "+12", a link to the month with all notices. */
function renderOtherNotices(
  { translator, urlFor }: RenderContext,
  { id }: ComponentView,
  { date, noticeCount }: OutageDay,
  shown: number,
): Markup | null {
  const others = noticeCount - shown;
  if (others <= 0) return null;
  const url = urlFor(`history/${date.slice(0, 7)}`, { component: String(id) });
  return html`<li><a href="${url}">+${translator.formatNumber(others)}</a></li>`;
}
