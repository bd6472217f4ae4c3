import type { MetricPeriod } from '../../pages/metrics/metric-points.js';
import { drawPeriod, summarize } from '../html/metrics.js';
import type { SnapshotMetric } from '../view/snapshot.js';

/** The variables of a metric. Its lines are drawn here, since templates cannot compute them in their time. */
export function serializeMetric(metric: SnapshotMetric, readAt: Date): Record<string, unknown> {
  const { id, name, unit, color, decimalPlaces, day } = metric;
  const last = day?.at(-1);
  const serializePeriod = (period: MetricPeriod) => {
    const points = metric[period];
    return points?.length ? { ...summarize(points), ...drawPeriod(points, period, readAt) } : null;
  };
  return {
    id,
    name,
    unit,
    color,
    decimal_places: decimalPlaces,
    latest: last ? last[1] / last[2] : null,
    day: serializePeriod('day'),
    week: serializePeriod('week'),
    month: serializePeriod('month'),
  };
}
