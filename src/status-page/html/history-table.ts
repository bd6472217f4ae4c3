import type { DayOfHistory } from '../view/history.js';
import { treeOrder } from '../view/tree-order.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';
import type { Canvas } from './render-context.js';
import { countsOf } from './history-bar.js';
import { html, type Markup } from './html.js';
import { linkTo } from './notice-card.js';

type TroubledDay = DayOfHistory & { state: keyof DayOfHistory['minutes'] };

const isTroubled = (day: DayOfHistory): day is TroubledDay => day.state in day.minutes;

/** What the bar shows as a table, newest day first, folded behind its own summary. Nothing where every day was well. */
export function historyTable(
  canvas: Canvas,
  component: ComponentView,
  notices: ReadonlyMap<number, NoticeView>,
): Markup | null {
  const { texts } = canvas;
  const { name, history } = component;
  const troubled = history.filter(isTroubled).toReversed();
  if (!troubled.length) return null;
  const columns = (['history.day', 'history.state', 'history.notices'] as const).map(
    text => html`<th scope="col">${texts.t(text)}</th>`,
  );
  return html`
    <details class="days">
      <summary>${texts.list(countsOf(texts, history))}</summary>
      <table>
        <caption class="unseen"><bdi>${name}</bdi> · ${texts.t('history.basedOnNotices')}</caption>
        <thead><tr>${columns}</tr></thead>
        <tbody>${troubled.map(day => row(canvas, component, day, notices))}</tbody>
      </table>
    </details>`;
}

/** The count of the days alone, as the way to what happened on them. */
export function historyLink({ texts, to }: Canvas, { id, history }: ComponentView): Markup | null {
  const counts = countsOf(texts, history);
  return counts.length
    ? html`<p class="days"><a href="${to('history', { component: String(id) })}">${texts.list(counts)}</a></p>`
    : null;
}

/** An open notice on a root touches every day of every component: beyond so many rows, a page would be of nothing else. */
const rowsAtMost = 1_500;

/** The components whose days are told one by one, from the top of the page as far as the rows reach. */
export function detailedOf(view: PageView): ReadonlySet<number> {
  let left = rowsAtMost;
  const detailed = treeOrder(view.components).filter(({ history }) => {
    const rows = history.filter(isTroubled).length;
    if (rows > left) return false;
    left -= rows;
    return true;
  });
  return new Set(detailed.map(({ id }) => id));
}

function row(
  canvas: Canvas,
  component: ComponentView,
  day: TroubledDay,
  notices: ReadonlyMap<number, NoticeView>,
): Markup {
  const { texts } = canvas;
  const { date, state, minutes, noticeIds } = day;
  const links = noticeIds.flatMap(id => notices.get(id) ?? []).map(notice => html`<li>${linkTo(canvas, notice)}</li>`);
  return html`
    <tr>
      <th scope="row"><time datetime="${date}">${texts.shortDay(date)}</time></th>
      <td>${texts.t(`state.${state}`)}${minutes[state] > 0 && html` <small>${texts.duration(minutes[state] * 60_000)}</small>`}</td>
      <td><ul>${links}${othersOf(canvas, component, day)}</ul></td>
    </tr>`;
}

/** "+12", and the way to the month with all of them. */
function othersOf(
  { texts, to }: Canvas,
  { id }: ComponentView,
  { date, noticeCount, noticeIds }: TroubledDay,
): Markup | null {
  const others = noticeCount - noticeIds.length;
  if (others <= 0) return null;
  return html`<li><a href="${to(`history/${date.slice(0, 7)}`, { component: String(id) })}">+${texts.number(others)}</a></li>`;
}
