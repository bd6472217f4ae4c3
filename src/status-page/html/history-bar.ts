import type { Texts } from '../../texts/texts.js';
import { type DayOfHistory, daysOfHistory, type HistoryState } from '../history.js';
import type { ComponentView } from '../view.js';
import type { Canvas } from './canvas.js';
import { html, type Markup } from './html.js';
import { type Tone } from './signs.js';

/**
 * One stroke a day, in the middle of a strip of 28: a quiet line while all is well, which swells with trouble. Maintenance is broken in two, so that no
 * two states look the same in grey. The width of a stroke is of the screen, its place of the strip: so a strip may be any width.
 */
const strokes: Record<HistoryState, readonly [Tone, reach: number]> = {
  none: ['none', 0],
  operational: ['ok', 4],
  maintenance: ['plan', 8],
  'partially-degraded': ['part', 8],
  degraded: ['warn', 11],
};

const middle = 14;

function strokeOf(state: HistoryState): string {
  const [, reach] = strokes[state];
  if (state === 'maintenance') return `v3m0 10v3`;
  return reach ? `v${2 * reach}` : 'h0';
}

type TroubledDay = DayOfHistory & { state: keyof DayOfHistory['minutes'] };

const isTroubled = (day: DayOfHistory): day is TroubledDay => day.state in day.minutes;

/** The days of one state, as one path. */
function pathOf(history: readonly DayOfHistory[], state: HistoryState): string {
  const [, reach] = strokes[state];
  let place = Number.NaN;
  return history
    .map((day, index) => {
      if (day.state !== state) return '';
      // Beside the last one a step is enough; said in the same letters each time, so that it packs to nothing.
      const move = index === place + 1 ? `m1-${2 * reach}` : `M${index}.5 ${middle - reach}`;
      place = index;
      return move.replace('-0', ' 0') + strokeOf(state);
    })
    .join('');
}

/** The bar; what it shows is said in a sentence, and in the table behind it. */
export function historyBar({ texts }: Canvas, { history }: ComponentView): Markup {
  const quiet = (['none', 'operational'] as const).map(state => stroke(strokes[state][0], pathOf(history, state)));
  const troubled = history.map((day, index) => {
    if (!isTroubled(day)) return null;
    const [tone, reach] = strokes[day.state];
    return stroke(tone, `M${index}.5 ${middle - reach}${strokeOf(day.state)}`, `${texts.shortDay(day.date)}: ${texts.t(`state.${day.state}`)}`);
  });
  return html`
    <div class="bar"><svg viewBox="0 0 ${daysOfHistory} 28" preserveAspectRatio="none" role="img" aria-label="${sentenceOf(texts, history)}">
      ${quiet}${troubled}
    </svg></div>`;
}

function stroke(tone: Tone, path: string, title?: string): Markup | null {
  return path ? html`<path class="${tone}" d="${path}">${title && html`<title>${title}</title>`}</path>` : null;
}

/** "Last 90 days: 2 days degraded, 1 day with maintenance" */
function sentenceOf(texts: Texts, history: readonly DayOfHistory[]): string {
  const counts = countsOf(texts, history);
  const unknown = history.filter(({ state }) => state === 'none').length;
  if (unknown) counts.push(texts.t('history.noDataDays', { count: unknown }));
  return texts.t('history.sentence', {
    period: texts.t('history.lastDays', { count: daysOfHistory }),
    days: counts.length ? texts.list(counts) : texts.t('history.allOperational'),
  });
}

function countsOf({ t }: Texts, history: readonly DayOfHistory[]): string[] {
  const count = (state: HistoryState) => history.filter(day => day.state === state).length;
  const texts = [
    ['history.degradedDays', count('degraded')],
    ['history.partiallyDegradedDays', count('partially-degraded')],
    ['history.maintenanceDays', count('maintenance')],
  ] as const;
  return texts.filter(([, days]) => days).map(([text, days]) => t(text, { count: days }));
}

/** The same as a table, newest day first. Nothing where every day was well: the sentence has said that. */
export function historyTable(
  { texts, to, own }: Canvas,
  { name, history }: ComponentView,
  notices: ReadonlyMap<number, { subject: string; path: string }>,
): Markup | null {
  const troubled = history.filter(isTroubled).toReversed();
  if (!troubled.length) return null;
  const link = (id: number) => {
    const notice = notices.get(id);
    return notice && html`<li><a href="${to(`notices/${notice.path}`)}"${own}>${notice.subject}</a></li>`;
  };
  return html`
    <details class="days">
      <summary>${texts.list(countsOf(texts, history))}</summary>
      <table>
        <caption class="unseen"><bdi>${name}</bdi> · ${texts.t('history.basedOnNotices')}</caption>
        <thead><tr><th scope="col">${texts.t('history.day')}</th><th scope="col">${texts.t('history.state')}</th><th scope="col">${texts.t('history.notices')}</th></tr></thead>
        <tbody>${troubled.map(
          ({ date, state, minutes, noticeIds }) => html`
          <tr><th scope="row"><time datetime="${date}">${texts.shortDay(date)}</time></th>
          <td>${texts.t(`state.${state}`)}${minutes[state] > 0 && html` <small>${texts.duration(minutes[state] * 60_000)}</small>`}</td>
          <td><ul>${noticeIds.map(link)}</ul></td></tr>`,
        )}</tbody>
      </table>
    </details>`;
}
