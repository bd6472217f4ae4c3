import type { Texts } from '../../i18n/translator.js';
import { type DayOfHistory, type HistoryState, historyStates } from '../view/history.js';
import { html, type Markup } from './html.js';
import type { Tone } from './status-icons.js';

type Day = Pick<DayOfHistory, 'date' | 'state'>;

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

/** All days of one state, as one path. */
function pathOf(days: readonly Day[], state: HistoryState): string {
  const [, reach] = strokes[state];
  let place = Number.NaN;
  return days
    .map((day, index) => {
      if (day.state !== state) return '';
      // Beside the last one a step is enough; said in the same letters each time, so that it packs to nothing.
      const back = reach ? `-${2 * reach}` : ' 0';
      const move = index === place + 1 ? `m1${back}` : `M${index}.5 ${middle - reach}`;
      place = index;
      return move + strokeOf(state);
    })
    .join('');
}

/** The bar; what it shows is said in a sentence too, for who does not see it. A small screen has room for the newest days only, unless the whole is wanted. */
export function barOf(
  texts: Texts,
  days: readonly Day[],
  period: string,
  extent: 'newest' | 'whole' = 'newest',
): Markup {
  const quiet = (['none', 'operational'] as const).map(state => stroke(strokes[state][0], pathOf(days, state)));
  const troubled = days.map((day, index) => {
    if (day.state === 'none' || day.state === 'operational') return null;
    const [tone, reach] = strokes[day.state];
    return stroke(
      tone,
      `M${index}.5 ${middle - reach}${strokeOf(day.state)}`,
      `${texts.shortDay(day.date)}: ${texts.t(`state.${day.state}`)}`,
    );
  });
  return strip(html`${quiet}${troubled}`, days.length, sentenceOf(texts, days, period), extent);
}

/**
 * A bar that does not tell of each day what it was, in a tenth of the bytes. Two parts: the strokes, and around them the strip. Strokes that stand in the
 * document already, under a name, need not stand there again; they are styled by their own class, since a copy of them has nothing above itself.
 */
export function plainStrokes(days: readonly Day[], name: string): Markup {
  return html`<g id="${name}" class="bar">${historyStates.map(state => stroke(strokes[state][0], pathOf(days, state)))}</g>`;
}

export const strokesNamed = (name: string): Markup => html`<use href="#${name}"/>`;

export function plainBar(texts: Texts, days: readonly Day[], period: string, strokes: Markup): Markup {
  return strip(strokes, days.length, sentenceOf(texts, days, period));
}

function strip(strokes: Markup, length: number, sentence: string, extent: 'newest' | 'whole' = 'newest'): Markup {
  return html`
    <span class="${extent === 'whole' ? 'bar whole' : 'bar'}"><svg viewBox="0 0 ${length} 28" preserveAspectRatio="none" role="img" aria-label="${sentence}">
      ${strokes}
    </svg></span>`;
}

/** A stroke by itself, for the legend: the word stands beside it. */
export function keyOf(state: HistoryState): Markup {
  const [tone, reach] = strokes[state];
  const path = `M.5 ${middle - reach}${strokeOf(state)}`;
  return html`<span class="bar key"><svg viewBox="0 0 1 28" aria-hidden="true">${stroke(tone, path)}</svg></span>`;
}

function stroke(tone: Tone, path: string, title?: string): Markup | null {
  return path ? html`<path class="${tone}" d="${path}">${title && html`<title>${title}</title>`}</path>` : null;
}

/** "Last 90 days: 2 days degraded, 1 day with maintenance" */
function sentenceOf(texts: Texts, days: readonly Day[], period: string): string {
  const counts = countsOf(texts, days);
  const unknown = days.filter(({ state }) => state === 'none').length;
  if (unknown) counts.push(texts.t('history.noDataDays', { count: unknown }));
  return texts.t('history.sentence', {
    period,
    days: counts.length ? texts.list(counts) : texts.t('history.allOperational'),
  });
}

export function countsOf({ t }: Texts, days: readonly Day[]): string[] {
  const count = (state: HistoryState) => days.filter(day => day.state === state).length;
  const texts = [
    ['history.degradedDays', count('degraded')],
    ['history.partiallyDegradedDays', count('partially-degraded')],
    ['history.maintenanceDays', count('maintenance')],
  ] as const;
  return texts.filter(([, number]) => number).map(([text, number]) => t(text, { count: number }));
}
