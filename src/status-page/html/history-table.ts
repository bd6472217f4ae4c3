import type { DayOfHistory } from '../history.js';
import type { ComponentView, NoticeView } from '../view.js';
import type { Canvas } from './canvas.js';
import { countsOf } from './history-bar.js';
import { html, type Markup } from './html.js';
import { linkTo } from './notice-card.js';

type TroubledDay = DayOfHistory & { state: keyof DayOfHistory['minutes'] };

const isTroubled = (day: DayOfHistory): day is TroubledDay => day.state in day.minutes;

/** What the bar shows as a table, newest day first, folded behind its own summary. Nothing where every day was well. */
export function historyTable(canvas: Canvas, { name, history }: ComponentView, notices: ReadonlyMap<number, NoticeView>): Markup | null {
  const { texts } = canvas;
  const troubled = history.filter(isTroubled).toReversed();
  if (!troubled.length) return null;
  const columns = (['history.day', 'history.state', 'history.notices'] as const).map(text => html`<th scope="col">${texts.t(text)}</th>`);
  return html`
    <details class="days">
      <summary>${texts.list(countsOf(texts, history))}</summary>
      <table>
        <caption class="unseen"><bdi>${name}</bdi> · ${texts.t('history.basedOnNotices')}</caption>
        <thead><tr>${columns}</tr></thead>
        <tbody>${troubled.map(day => row(canvas, day, notices))}</tbody>
      </table>
    </details>`;
}

function row(canvas: Canvas, { date, state, minutes, noticeIds }: TroubledDay, notices: ReadonlyMap<number, NoticeView>): Markup {
  const { texts } = canvas;
  const links = noticeIds.flatMap(id => notices.get(id) ?? []).map(notice => html`<li>${linkTo(canvas, notice)}</li>`);
  return html`
    <tr>
      <th scope="row"><time datetime="${date}">${texts.shortDay(date)}</time></th>
      <td>${texts.t(`state.${state}`)}${minutes[state] > 0 && html` <small>${texts.duration(minutes[state] * 60_000)}</small>`}</td>
      <td><ul>${links}</ul></td>
    </tr>`;
}
