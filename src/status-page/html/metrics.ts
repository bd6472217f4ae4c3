import { type MetricPeriod, metricPeriods, type MetricStep } from '../../pages/metrics/metric-points.js';
import { splitAtGaps } from '../../pages/metrics/split-at-gaps.js';
import type { SnapshotMetric } from '../view/snapshot.js';
import { html, type Markup } from './html.js';
import type { RenderContext } from './render-context.js';
import { minifyCss } from './style.js';

const periods = Object.keys(metricPeriods) as MetricPeriod[];

const width = 400;
const height = 80;
const margin = 4;

/** Only on pages with metrics: others stay as they are. */
export const metricStyle = minifyCss(`
.ranges { display: flex; gap: .25rem; margin: 0; padding: 0; border: 0; font-size: .875rem }
.ranges label { position: relative; padding: .25rem .75rem; border-radius: 1rem; color: var(--quiet); cursor: pointer }
.ranges input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer }
.ranges label:has(:checked) { background: var(--text); color: var(--page); font-weight: 600 }
.ranges label:has(:focus-visible) { outline: 2px solid var(--text); outline-offset: 2px }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem }
.plots > li { min-width: 0; padding: 1rem 1.5rem; border: 1px solid var(--line); border-radius: 12px }
.plots h3 { font-size: 1rem; font-weight: 600 }
.plots h3 { min-width: 0; overflow-wrap: anywhere }
.plots .last { white-space: nowrap; font-size: 1.25rem; font-weight: 650; font-variant-numeric: tabular-nums }
.plots .title { flex-wrap: nowrap }
.plots svg {
  display: block; width: 100%; height: 5rem; margin-block: .5rem; border-block-end: 1px solid var(--line)
}
[dir=rtl] .plots svg { transform: scaleX(-1) }
.plots small { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; color: var(--quiet) }
${periods.map(one => `.metrics:not(:has([value=${one}]:checked)) .m-${one} { display: none }`).join('\n')}
`);

export function renderMetrics(context: RenderContext): Markup | null {
  const { view, translator } = context;
  if (!view.metrics.length) return null;
  return html`
    <section class="metrics" aria-labelledby="metrics">
      <div class="title">
        <h2 id="metrics">${translator.t('metrics.title')}</h2>
        <fieldset class="ranges">
          <legend class="unseen">${translator.t('metrics.period')}</legend>
          ${periods.map(
            one => html`
          <label><input type="radio" name="range" value="${one}"${one === 'day' && html` checked`}>${translator.t(
            `metrics.${one}`,
          )}</label>`,
          )}
        </fieldset>
      </div>
      <ul class="plots">${view.metrics.map(metric => renderMetric(context, metric))}</ul>
    </section>`;
}

function renderMetric(context: RenderContext, metric: SnapshotMetric): Markup {
  const last = metric.day?.at(-1);
  return html`
    <li>
      <div class="title">
        <h3${context.contentAttributes}>${metric.name}</h3>
        ${last && html`<span class="last">${formatValue(context, metric, last[1] / last[2])}</span>`}
      </div>
      ${periods.map(period => renderPeriod(context, metric, period))}
    </li>`;
}

function renderPeriod(context: RenderContext, metric: SnapshotMetric, period: MetricPeriod): Markup {
  const { view, translator } = context;
  const points = metric[period];
  if (!points?.length) return html`<p class="m-${period} quiet">${translator.t('metrics.none')}</p>`;
  const show = (value: number) => formatValue(context, metric, value);
  const { lowest, average, highest } = summarize(points);
  const summary = translator.t('metrics.summary', {
    lowest: show(lowest),
    average: show(average),
    highest: show(highest),
  });
  const { line, area } = drawPeriod(points, period, view.readAt);
  const begin = new Date(view.readAt.getTime() - metricPeriods[period].spanSeconds * 1000);
  const since = translator.formatRelativeTime(begin, view.readAt);
  return html`
    <div class="m-${period}">
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img"
        aria-label="${`${metric.name}, ${translator.t(`metrics.${period}`)}: ${summary}`}">
        <path d="${area}" fill="${metric.color}" opacity=".15"/>
        <path d="${line}" fill="none" stroke="${metric.color}" stroke-width="2" stroke-linecap="round"
          stroke-linejoin="round" vector-effect="non-scaling-stroke"/>
      </svg>
      <small><span>${since}</span><span>${summary}</span></small>
    </div>`;
}

/** Of all values of the points: a point of many counts as many. */
export function summarize(points: readonly MetricStep[]) {
  const sum = (of: (point: MetricStep) => number) => points.reduce((total, point) => total + of(point), 0);
  return {
    lowest: Math.min(...points.map(([, , , lowest]) => lowest)),
    average: sum(([, total]) => total) / sum(([, , count]) => count),
    highest: Math.max(...points.map(([, , , , highest]) => highest)),
  };
}

function formatValue({ translator }: RenderContext, { decimalPlaces, unit }: SnapshotMetric, value: number): string {
  const number = translator.formatDecimal(value, decimalPlaces);
  return unit ? `${number}\u00a0${unit}` : number;
}

const average = ([, sum, count]: MetricStep) => sum / count;

/** The lines of the period that ends at a moment. */
export function drawPeriod(points: readonly MetricStep[], period: MetricPeriod, end: Date) {
  const { stepSeconds, spanSeconds } = metricPeriods[period];
  return drawLine(points, Math.floor(end.getTime() / 1000 / stepSeconds), spanSeconds / stepSeconds);
}

/** The lines through points, with gaps where values are missing. Heights begin at zero. */
export function drawLine(points: readonly MetricStep[], lastSlot: number, steps: number) {
  const averages = points.map(average);
  const low = Math.min(0, ...averages);
  const high = Math.max(0, ...averages);
  const scale = (height - 2 * margin) / (high - low || 1);
  const y = (value: number) => Math.round(height - margin - (value - low) * scale);
  const x = (slot: number) => Math.round(((slot - lastSlot + steps) / steps) * width);
  const runs = splitAtGaps(points).map(run => run.map(point => `${x(point[0])} ${y(average(point))}`));
  const firstX = (text: string) => text.split(' ')[0]!;
  return {
    // A line of no length is a dot, by its round ends.
    line: runs.map(run => (run.length > 1 ? `M${run.join('L')}` : `M${run[0]}h0`)).join(''),
    area: runs
      .filter(run => run.length > 1)
      .map(run => `M${firstX(run[0]!)} ${y(0)}L${run.join('L')}L${firstX(run.at(-1)!)} ${y(0)}Z`)
      .join(''),
  };
}
