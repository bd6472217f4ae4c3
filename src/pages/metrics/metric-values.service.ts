import { notFound } from '../../core/errors.js';
import { isPossibleKey } from '../../core/ids.js';
import { type Problem, problems } from '../../core/problems.js';
import { query } from '../../db/prepared-statements.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { Page } from '../page.entity.js';
import { pageRecordPath } from '../page-record-path.js';
import type { MetricValueInput, RecordMetricInput } from './metric.inputs.js';
import { Metric } from './metric.entity.js';

const maxValue = 1e15;
const maxValues = 3_000;
const pastMs = 90 * 86_400_000;
const futureMs = 5 * 60_000;

/** Adds points to their 5 minutes, of which the day is drawn, and to their hours, of which week and month are. */
const recordSql = `
  insert into metric_bucket (metric_id, seconds, began_at, sum, count, min, max)
  select id, seconds, to_timestamp(floor(extract(epoch from at) / seconds) * seconds),
    sum(value), count(*), min(value), max(value)
  from unnest($1::integer[], $2::timestamptz[], $3::float8[]) point (id, at, value)
  cross join (values (300), (3600)) size (seconds)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (metric_id, seconds, began_at) do update set
    sum = metric_bucket.sum + excluded.sum, count = metric_bucket.count + excluded.count,
    min = least(metric_bucket.min, excluded.min), max = greatest(metric_bucket.max, excluded.max)`;

/**
 * Takes no lock of the page and does not change it, which would be rendered for each value: it reads new values once a
 * minute. The audit log has changes that people make, and not each value.
 */
export async function recordMetric(write: Writer, pageId: string, id: string, input: RecordMetricInput): Promise<void> {
  // It checks the rights of the caller on the page.
  const metric = await write.readOnly(unit => unit.find<Metric>(pageRecordPath(pageId, Metric, id)));
  await write.transaction(async unit => {
    for (const { key, ...problem } of findProblems(input, unit.now)) unit.validation.addError(key, problem);
    unit.validation.throwIfInvalid();
    const known = await lockMetrics(unit, pageId, [metric.id]);
    if (!known.size) throw notFound('metric');
    await store(unit, [{ ...input, metricId: String(metric.id) }]);
  });
}

/** The same for several metrics: all of the values, or none. Returns how many they are. */
export async function recordMetricValues(
  write: Writer,
  pageId: string,
  values: readonly MetricValueInput[],
): Promise<number> {
  await write.readOnly(unit => unit.find<Page>([[Page, pageId]]));
  await write.transaction(async unit => {
    const { validation } = unit;
    if (values.length > maxValues) validation.addError('values', problems.tooMany(maxValues));
    validation.throwIfInvalid();
    const ids = values.map(({ metricId }) => metricId).filter(isPossibleKey);
    const known = await lockMetrics(unit, pageId, ids.map(Number));
    for (const [index, value] of values.entries()) {
      const isKnown = isPossibleKey(value.metricId) && known.has(Number(value.metricId));
      if (!isKnown) validation.addError('values', { ...notOnPage, index, key: 'metricId' });
      for (const problem of findProblems(value, unit.now)) validation.addError('values', { ...problem, index });
    }
    validation.throwIfInvalid();
    await store(unit, values);
  });
  return values.length;
}

const notOnPage = problems.notFound('must be the id of a metric of the page');

/** Each with the field that it is about. */
function findProblems({ value, timestamp }: RecordMetricInput, now: Date): (Problem & { key: string })[] {
  const at = timestamp ?? now;
  const isNumber = Math.abs(value) < maxValue;
  const isRecent = at.getTime() >= now.getTime() - pastMs && at.getTime() <= now.getTime() + futureMs;
  const number = problems.outOfRange('must be a number of at most 15 digits before the point');
  const time = problems.outOfRange('must be within the last 90 days or the next 5 minutes');
  return [...(isNumber ? [] : [{ ...number, key: 'value' }]), ...(isRecent ? [] : [{ ...time, key: 'timestamp' }])];
}

/** Waits for a move of the page. A bucket that is there already takes no lock of its metric. Returns the known ids. */
async function lockMetrics(unit: Unit, pageId: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const text = `select id from metric where page_id = $1 and id = any($2::integer[]) order by id for key share`;
  const rows = await query<{ id: number }>(unit.em, text, [pageId, [...new Set(ids)]]);
  return new Set(rows.map(({ id }) => id));
}

async function store(unit: Unit, values: readonly MetricValueInput[]): Promise<void> {
  await query(unit.em, recordSql, [
    values.map(({ metricId }) => Number(metricId)),
    values.map(({ timestamp }) => timestamp ?? unit.now),
    values.map(({ value }) => value),
  ]);
}
