import { problems } from '../../core/problems.js';
import { invalid } from '../../core/errors.js';
import { setMetadata } from '../metadata.js';
import { applyFields, type FieldRule } from '../../core/validation.js';
import { query } from '../../db/prepared-statements.js';
import { Page } from '../page.entity.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { pageRecordPath } from '../page-record-path.js';
import { Metric } from './metric.entity.js';
import type { UpdateMetricInput } from './metric.inputs.js';

const rules: { [field in keyof Metric]?: FieldRule } = {
  name: { required: true, maxLength: 100 },
  unit: { maxLength: 20 },
  color: {
    normalize: color => (/^#[0-9a-f]{6}$/i.test(color) ? color : null),
    form: 'a colour such as #3b82f6',
    fallback: '#3b82f6',
  },
  decimalPlaces: { between: [0, 5], fallback: 0 },
  isShown: { fallback: true },
};
const maxMetrics = 20;

export function createMetric(write: Writer, pageId: string, input: UpdateMetricInput): Promise<number> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const [row] = await query<{ count: number }>(
      unit.em,
      'select count(*)::integer as count from metric where page_id = $1',
      [page.id],
    );
    if (row!.count >= maxMetrics)
      throw invalid({ input: [problems.outOfRange(`cannot be saved: a page has at most ${maxMetrics} metrics`)] });
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
    const metric = await unit.find<Metric>(pageRecordPath(pageId, Metric, id), versions);
    await saveInput(unit, metric, input, false);
  });
}

export function deleteMetric(write: Writer, pageId: string, id: string, versions?: number[]): Promise<string> {
  return write.transaction(async unit => {
    unit.em.remove(await unit.find<Metric>(pageRecordPath(pageId, Metric, id), versions));
    await unit.save();
    return id;
  });
}

async function saveInput(unit: Unit, metric: Metric, input: UpdateMetricInput, isNew: boolean): Promise<void> {
  applyFields(metric, input, rules, unit.validation, isNew);
  setMetadata(metric, input.metadata, unit.validation);
  unit.validation.throwIfInvalid();
  await unit.save();
}
