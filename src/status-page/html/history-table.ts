import type { HistoryDay } from '../view/history.js';
import { flattenTree } from '../../components/component-tree.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { formatDayCounts } from './history-bar.js';
import { html, type Markup } from './html.js';
import { renderNoticeLink } from './notice-card.js';

export type OutageDay = HistoryDay & { state: keyof HistoryDay['minutes'] };

export const isOutageDay = (day: HistoryDay): day is OutageDay => day.state in day.minutes;

/** The outages of the bar as a table below `summary`, folded, newest day first. Null when every day was operational. */
export function renderHistoryTable(
  context: RenderContext,
  component: ComponentView,
  notices: ReadonlyMap<number, NoticeView>,
  summary: Markup | string,
): Markup | null {
  const { translator } = context;
  const { name, history } = component;
  const outageDays = history.filter(isOutageDay).toReversed();
  if (!outageDays.length) return null;
  const columns = (['history.day', 'history.state', 'history.notices'] as const).map(
    key => html`<th scope="col">${translator.t(key)}</th>`,
  );
  return html`
    <details class="days">
      <summary>${summary}</summary>
      <table>
        <caption class="unseen"><bdi>${name}</bdi> · ${translator.t('history.basedOnNotices')}</caption>
        <thead><tr>${columns}</tr></thead>
        <tbody>${outageDays.map(day => renderRow(context, component, day, notices))}</tbody>
      </table>
    </details>`;
}

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

/** Bounds the page size: an open notice on a root component adds a row for every day of every component below. */
const maxRows = 1_500;

/** The components that get a table, from the top of the page until the rows are used up. */
export function selectDetailedComponents(view: PageView): ReadonlySet<number> {
  let rowsLeft = maxRows;
  const detailed = flattenTree(view.components).filter(({ history }) => {
    const rows = history.filter(isOutageDay).length;
    if (rows > rowsLeft) return false;
    rowsLeft -= rows;
    return true;
  });
  return new Set(detailed.map(({ id }) => id));
}

function renderRow(
  context: RenderContext,
  component: ComponentView,
  day: OutageDay,
  notices: ReadonlyMap<number, NoticeView>,
): Markup {
  const { translator } = context;
  const { date, state, minutes } = day;
  const duration = minutes[state] > 0 && html` <small>${translator.formatDuration(minutes[state] * 60_000)}</small>`;
  return html`
    <tr>
      <th scope="row"><time datetime="${date}">${translator.formatShortDay(date)}</time></th>
      <td>${translator.t(`state.${state}`)}${duration}</td>
      <td><ul>${renderDayNotices(context, component, day, notices)}</ul></td>
    </tr>`;
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
