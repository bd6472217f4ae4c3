/** The periods that are drawn of a metric. `stepSeconds`: the time of one point. */
export const metricPeriods = {
  day: { bucketSeconds: 300, stepSeconds: 900, spanSeconds: 86_400 },
  week: { bucketSeconds: 3_600, stepSeconds: 7_200, spanSeconds: 7 * 86_400 },
  month: { bucketSeconds: 3_600, stepSeconds: 28_800, spanSeconds: 30 * 86_400 },
} as const;
