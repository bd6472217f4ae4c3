import type { Translator } from '../../i18n/translator.js';
import { type HistoryDay, type HistoryState, historyStates } from '../view/history.js';
import { html, type Markup } from './html.js';
import type { Tone } from './status-icons.js';

type Day = Pick<HistoryDay, 'date' | 'state'>;

/**
 * One vertical stroke a day, centred in a strip of height 28: the worse the state, the longer the stroke. The stroke of
 * maintenance is broken in two, so that no two states look alike without colour. Stroke widths do not scale
 * (`non-scaling-stroke`), positions do: so the strip fits any width.
 */
const strokes: Record<HistoryState, readonly [Tone, halfLength: number]> = {
  none: ['none', 0],
  operational: ['ok', 4],
  maintenance: ['plan', 8],
  'partially-degraded': ['part', 8],
  degraded: ['warn', 11],
};

const middle = 14;

function strokePath(state: HistoryState): string {
  const [, halfLength] = strokes[state];
  if (state === 'maintenance') return `v3m0 10v3`;
  return halfLength ? `v${2 * halfLength}` : 'h0';
}

/** One path for all days of a state. */
function statePath(days: readonly Day[], state: HistoryState): string {
  const [, halfLength] = strokes[state];
  let previous = Number.NaN;
  return days
    .map((day, index) => {
      if (day.state !== state) return '';
      // After the day before, a relative move is enough: always the same characters, which compress well.
      const back = halfLength ? `-${2 * halfLength}` : ' 0';
      const move = index === previous + 1 ? `m1${back}` : `M${index}.5 ${middle - halfLength}`;
      previous = index;
      return move + strokePath(state);
    })
    .join('');
}

/**
 * The bar, with its content as a sentence for screen readers. A small screen shows only the newest days, unless
 * `extent` is whole.
 */
export function renderHistoryBar(
  translator: Translator,
  days: readonly Day[],
  period: string,
  extent: 'newest' | 'whole' = 'newest',
): Markup {
  const quiet = (['none', 'operational'] as const).map(state =>
    renderStroke(strokes[state][0], statePath(days, state)),
  );
  const outages = days.map((day, index) => {
    if (day.state === 'none' || day.state === 'operational') return null;
    const [tone, halfLength] = strokes[day.state];
    return renderStroke(
      tone,
      `M${index}.5 ${middle - halfLength}${strokePath(day.state)}`,
      `${translator.formatShortDay(day.date)}: ${translator.t(`state.${day.state}`)}`,
    );
  });
  return renderStrip(html`${quiet}${outages}`, days.length, describeDays(translator, days, period), extent);
}

/**
 * The strokes of a bar without a title per day, in a tenth of the bytes. Identical bars reuse them by `id`. The group
 * has a class of its own, since elements inside <use> do not match selectors that contain its ancestors.
 */
export function renderSharedStrokes(days: readonly Day[], id: string): Markup {
  const paths = historyStates.map(state => renderStroke(strokes[state][0], statePath(days, state)));
  return html`<g id="${id}" class="bar">${paths}</g>`;
}

export const renderStrokesReference = (id: string): Markup => html`<use href="#${id}"/>`;

export function renderPlainBar(translator: Translator, days: readonly Day[], period: string, strokes: Markup): Markup {
  return renderStrip(strokes, days.length, describeDays(translator, days, period));
}

function renderStrip(strokes: Markup, length: number, sentence: string, extent: 'newest' | 'whole' = 'newest'): Markup {
  return html`
    <span class="${extent === 'whole' ? 'bar whole' : 'bar'}">
      <svg viewBox="0 0 ${length} 28" preserveAspectRatio="none" role="img" aria-label="${sentence}">${strokes}</svg>
    </span>`;
}

/** A single stroke for the legend, which names it in text. */
export function renderLegendStroke(state: HistoryState): Markup {
  const [tone, halfLength] = strokes[state];
  const path = `M.5 ${middle - halfLength}${strokePath(state)}`;
  return html`
    <span class="bar key">
      <svg viewBox="0 0 1 28" aria-hidden="true">${renderStroke(tone, path)}</svg>
    </span>`;
}

function renderStroke(tone: Tone, path: string, title?: string): Markup | null {
  return path ? html`<path class="${tone}" d="${path}">${title && html`<title>${title}</title>`}</path>` : null;
}

/** "Last 90 days: 2 days degraded, 1 day with maintenance" */
function describeDays(translator: Translator, days: readonly Day[], period: string): string {
  const counts = formatDayCounts(translator, days);
  const unknown = days.filter(({ state }) => state === 'none').length;
  if (unknown) counts.push(translator.t('history.noDataDays', { count: unknown }));
  return translator.t('history.sentence', {
    period,
    days: counts.length ? translator.formatList(counts) : translator.t('history.allOperational'),
  });
}

export function formatDayCounts({ t }: Translator, days: readonly Day[]): string[] {
  const count = (state: HistoryState) => days.filter(day => day.state === state).length;
  const counts = [
    ['history.degradedDays', count('degraded')],
    ['history.partiallyDegradedDays', count('partially-degraded')],
    ['history.maintenanceDays', count('maintenance')],
  ] as const;
  return counts.filter(([, number]) => number).map(([key, number]) => t(key, { count: number }));
}
