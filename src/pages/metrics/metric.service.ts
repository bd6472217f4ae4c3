import { problems } from '../../core/problems.js';
import { invalid, notFound } from '../../core/errors.js';
import { applyFields, type FieldRule } from '../../core/validation.js';
import { query } from '../../db/prepared-statements.js';
import { Page } from '../page.entity.js';
import type { RecordPath } from '../../records/record-path.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { Metric } from './metric.entity.js';
import type { RecordMetricInput, UpdateMetricInput } from './metric.inputs.js';

const rules: { [field in keyof Metric]?: FieldRule } = {
  name: { required: true, maximumLength: 100 },
  unit: { maximumLength: 20 },
};
const maximumMetrics = 20;
const maximumDecimals = 5;
const maximumValue = 1e15;
const pastMs = 90 * 86_400_000;
const futureMs = 5 * 60_000;

export const metricPath = (pageId: string | null, id: string): RecordPath => [
  [Page, pageId],
  [Metric, id],
];

export function createMetric(write: Writer, pageId: string, input: UpdateMetricInput): Promise<number> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const [row] = await query<{ count: number }>(
      unit.em,
      'select count(*)::integer as count from metric where page_id = $1',
      [page.id],
    );
    if (row!.count >= maximumMetrics)
      throw invalid({ input: [problems.outOfRange(`cannot be saved: a page has at most ${maximumMetrics} metrics`)] });
    const metric = unit.create(Metric, { page, name: '' });
    await saveInput(unit, metric, input, true);
    return metric.id;
  });
}

export function updateMetric(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: UpdateMetricInput,
): Promise<void> {
  return write.transaction(async unit => {
    const metric = await unit.find<Metric>(metricPath(pageId, id), versions);
    await saveInput(unit, metric, input, false);
  });
}

export function deleteMetric(write: Writer, pageId: string, id: string, versions?: number[]): Promise<string> {
  return write.transaction(async unit => {
    unit.em.remove(await unit.find<Metric>(metricPath(pageId, id), versions));
    await unit.save();
    return id;
  });
}

async function saveInput(unit: Unit, metric: Metric, input: UpdateMetricInput, isNew: boolean): Promise<void> {
  const { validation } = unit;
  const { color, decimalPlaces, name, unit: symbol } = input;
  applyFields(metric, { name, unit: symbol }, rules, validation, isNew);
  // A blank field is stored as null, which this column is not.
  metric.unit ??= '';
  if (color !== undefined) {
    const isValid = color === null || /^#[0-9a-f]{6}$/i.test(color);
    if (isValid) metric.color = color ?? '#3b82f6';
    else validation.addError('color', problems.invalid('must be a colour such as #3b82f6'));
  }
  if (decimalPlaces !== undefined) {
    const places = decimalPlaces ?? 0;
    if (places >= 0 && places <= maximumDecimals) metric.decimalPlaces = places;
    else validation.addError('decimalPlaces', problems.outOfRange(`must be from 0 to ${maximumDecimals}`));
  }
  validation.throwIfInvalid();
  await unit.save();
}

/** Adds a point to its 5 minutes, of which the day is drawn, and to its hour, of which week and month are. */
const recordSql = `
  insert into metric_bucket (metric_id, seconds, began_at, sum, count, min, max)
  select id, seconds, to_timestamp(floor(extract(epoch from $2::timestamptz) / seconds) * seconds),
    $3::float8, 1, $3::float8, $3::float8
  from metric cross join (values (300), (3600)) size (seconds) where id = $1
  on conflict (metric_id, seconds, began_at) do update set
    sum = metric_bucket.sum + excluded.sum, count = metric_bucket.count + 1,
    min = least(metric_bucket.min, excluded.min), max = greatest(metric_bucket.max, excluded.max)`;

/**
 * Takes no lock of the page and is no change of it, which would be rendered for each value: it reads new values once a
 * minute. The audit log has changes that people make, and not each value.
 */
export async function recordMetric(write: Writer, pageId: string, id: string, input: RecordMetricInput): Promise<void> {
  // It checks the rights of the caller on the page.
  const metric = await write.readOnly(unit => unit.find<Metric>(metricPath(pageId, id)));
  await write.transaction(async unit => {
    const { validation, now } = unit;
    const at = input.timestamp ?? now;
    if (!(Math.abs(input.value) < maximumValue))
      validation.addError('value', problems.outOfRange('must be a number of at most 15 digits before the point'));
    if (at.getTime() < now.getTime() - pastMs || at.getTime() > now.getTime() + futureMs)
      validation.addError('timestamp', problems.outOfRange('must be within the last 90 days or the next 5 minutes'));
    validation.throwIfInvalid();
    // Waits for a move of the page. A bucket that is there already takes no lock of its metric.
    const lockSql = 'select 1 from metric where page_id = $1 and id = $2 for key share';
    if (!(await query(unit.em, lockSql, [pageId, metric.id])).length) throw notFound('metric');
    await query(unit.em, recordSql, [metric.id, at, input.value]);
  });
}
