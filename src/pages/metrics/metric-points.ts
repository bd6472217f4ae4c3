/** The periods that are drawn of a metric. `stepSeconds`: the time of one point. */
export const metricPeriods = {
  day: { bucketSeconds: 300, stepSeconds: 900, spanSeconds: 86_400 },
  week: { bucketSeconds: 3_600, stepSeconds: 7_200, spanSeconds: 7 * 86_400 },
  month: { bucketSeconds: 3_600, stepSeconds: 28_800, spanSeconds: 30 * 86_400 },
} as const;
export type MetricPeriod = keyof typeof metricPeriods;

/** A step of a period with values: its number since 1970, and the sum, count, minimum and maximum of the values. */
export type MetricStep = readonly [slot: number, sum: number, count: number, min: number, max: number];

/** The points of a period: of each step that has values, in the order of time. Null: there are none. */
const pointsSql = ({ bucketSeconds, stepSeconds, spanSeconds }: (typeof metricPeriods)[MetricPeriod]) => `
  (select json_agg(json_build_array(s.slot, s.sum, s.count, s.min, s.max) order by s.slot) from (
    select floor(extract(epoch from b.began_at) / ${stepSeconds})::bigint as slot, sum(b.sum) as sum,
      sum(b.count) as count, min(b.min) as min, max(b.max) as max
    from metric_bucket b
    where b.metric_id = m.id and b.seconds = ${bucketSeconds} and b.began_at <= statement_timestamp()
      and b.began_at > statement_timestamp() - interval '${spanSeconds} seconds'
    group by 1) s)`;

/** Of all metrics of the page $1: the points of a period by the id of the metric. */
export const pagePointsSql = (period: MetricPeriod) =>
  `select coalesce(json_object_agg(m.id, ${pointsSql(metricPeriods[period])}), '{}')::text as body
   from metric m where m.page_id = $1`;

/** The metrics of the page `p`. Null: it has none. */
export const metricsJson = `(select json_agg(row_to_json(r) order by r.id) from (
  select m.id, m.name, m.unit, m.color, m.decimal_places as "decimalPlaces",
    ${Object.entries(metricPeriods)
      .map(([name, period]) => `${pointsSql(period)} as ${name}`)
      .join(', ')}
  from metric m where m.page_id = p.id and m.is_shown) r)`;
