import { metricPeriods } from '../../pages/metrics/metric-points.js';
import { drawLine, summarize } from '../html/metrics.js';
import type { MetricPoint, SnapshotMetric } from '../view/snapshot.js';

type Period = keyof typeof metricPeriods;

/** The variables of a metric. Its lines are drawn here, since templates cannot compute them in their time. */
export function serializeMetric(metric: SnapshotMetric, readAt: Date): Record<string, unknown> {
  const { id, name, unit, color, decimalPlaces, day } = metric;
  const last = day?.at(-1);
  return {
    id,
    name,
    unit,
    color,
    decimal_places: decimalPlaces,
    latest: last ? last[1] / last[2] : null,
    day: serializePeriod(day, 'day', readAt),
    week: serializePeriod(metric.week, 'week', readAt),
    month: serializePeriod(metric.month, 'month', readAt),
  };
}

function serializePeriod(points: readonly MetricPoint[] | null, period: Period, readAt: Date) {
  if (!points?.length) return null;
  const { stepSeconds, spanSeconds } = metricPeriods[period];
  const lastSlot = Math.floor(readAt.getTime() / 1000 / stepSeconds);
  return { ...summarize(points), ...drawLine(points, lastSlot, spanSeconds / stepSeconds) };
}
