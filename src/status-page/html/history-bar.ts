import type { Tone } from '../../pages/branding/state-styles.js';
import type { Translator } from '../../i18n/translator.js';
import type { HistoryDay, HistoryState } from '../view/history-sweep.js';
import { outageStates } from '../view/outages.js';
import { html, type Markup } from './html.js';

type Day = Pick<HistoryDay, 'date' | 'state' | 'minutes'>;

/**
 * A cell a day, 28 high, in a colour for its state. No two states look alike without colour: partial degradation fills
 * the lower half, maintenance is hatched, and outages are darker, a partial one with a gap. Stroke widths do not scale
 * (`non-scaling-stroke`), positions do: so the bar fits any width.
 */
const cells: Record<HistoryState, readonly [Tone, path: string]> = {
  none: ['none', 'v28'],
  operational: ['ok', 'v28'],
  maintenance: ['plan', 'v4m0 4v4m0 4v4m0 4v4'],
  'partially-degraded': ['part', 'm0 14v14'],
  degraded: ['warn', 'v28'],
  'partial-outage': ['down', 'v9m0 4v15'],
  'major-outage': ['down', 'v28'],
};

/** The background of the cells that do not fill their height. */
const hasTrack = ({ state }: Day) => state !== 'operational' && (state === 'none' || cells[state][1] !== cells.none[1]);

const opacities = [0.4, 0.7, 1] as const;

/** By its minutes: a minute of degradation does not look like a day of it. An outage is never paler than that. */
function getOpacity({ state, minutes }: Day): (typeof opacities)[number] {
  if (state === 'none' || state === 'operational' || cells[state][0] === 'down') return 1;
  const duration = minutes[state];
  if (duration < 10) return 0.4;
  return duration < 60 ? 0.7 : 1;
}

/** One path for all days that match. */
function cellsPath(days: readonly Day[], matches: (day: Day) => boolean, cell: string): string {
  let previous = Number.NaN;
  return days
    .map((day, index) => {
      if (!matches(day)) return '';
      // After the day before, a relative move is enough: always the same characters, which compress well.
      const move = index === previous + 1 ? 'm1-28' : `M${index}.5 0`;
      previous = index;
      return move + cell;
    })
    .join('');
}

const renderTrack = (days: readonly Day[]) => renderCells('none', cellsPath(days, hasTrack, cells.none[1]));
const renderOperational = (days: readonly Day[]) =>
  renderCells(
    'ok',
    cellsPath(days, ({ state }) => state === 'operational', cells.operational[1]),
  );

/**
 * The cells of a bar, which identical bars reuse by `id`. The group has a class of its own, since elements inside <use>
 * do not match selectors that contain its ancestors.
 */
export const renderSharedCells = (days: readonly Day[], id: string): Markup =>
  html`<g id="${id}" class="bar">${renderAllCells(days)}</g>`;

function renderAllCells(days: readonly Day[]): Markup {
  const outages = outageStates.flatMap(state =>
    opacities.map(opacity => {
      const [tone, cell] = cells[state];
      const matches = (day: Day) => day.state === state && getOpacity(day) === opacity;
      return renderCells(tone, cellsPath(days, matches, cell), opacity);
    }),
  );
  return html`${renderTrack(days)}${renderOperational(days)}${outages}`;
}

export const renderCellsReference = (id: string): Markup => html`<use href="#${id}"/>`;

/** A bar, with a sentence for screen readers. `buttons` lie over its cells. Small screens show the newest days. */
export const renderHistoryBar = (
  translator: Translator,
  days: readonly Day[],
  period: string,
  cells: Markup,
  buttons: readonly Markup[] = [],
): Markup =>
  html`<span class="bar">${renderStrip(cells, days.length, describeDays(translator, days, period))}${buttons}</span>`;

/** All days on a screen of any size. */
export function renderWholeBar(translator: Translator, days: readonly Day[], period: string): Markup {
  const strip = renderStrip(renderAllCells(days), days.length, describeDays(translator, days, period));
  return html`<span class="bar whole">${strip}</span>`;
}

const renderStrip = (cells: Markup, length: number, sentence: string): Markup =>
  html`<svg viewBox="0 0 ${length} 28" preserveAspectRatio="none" role="img" aria-label="${sentence}">${cells}</svg>`;

/** A single cell for the legend, which names it in text. */
export function renderLegendCell(state: HistoryState): Markup {
  const [tone, cell] = cells[state];
  const track = cell === cells.none[1] ? null : renderCells('none', 'M.5 0v28');
  const content = html`${track}${renderCells(tone, `M.5 0${cell}`)}`;
  return html`
    <span class="bar key">
      <svg viewBox="0 0 1 28" preserveAspectRatio="none" aria-hidden="true">${content}</svg>
    </span>`;
}

function renderCells(tone: Tone, path: string, opacity = 1): Markup | null {
  if (!path) return null;
  const attribute = opacity < 1 && html` opacity="${opacity}"`;
  return html`<path class="${tone}" d="${path}"${attribute}/>`;
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
  const outages = (['major-outage', 'partial-outage'] as const)
    .filter(state => count(state))
    .map(state => `${t(`state.${state}`)}: ${t('distance.days', { count: count(state) })}`);
  const counts = [
    ['history.degradedDays', count('degraded')],
    ['history.partiallyDegradedDays', count('partially-degraded')],
    ['history.maintenanceDays', count('maintenance')],
  ] as const;
  return [...outages, ...counts.filter(([, number]) => number).map(([key, number]) => t(key, { count: number }))];
}
