import { Field, Int, ObjectType, Resolver } from 'type-graphql';
import { IdArg, InjectWriter, InputArg, ParentIdArg, WriteMutation } from '../../graphql/field-decorators.js';
import { createFilterType } from '../../graphql/filters.js';
import { PageChangePayload } from '../page-change.payload.js';
import { Page } from '../page.entity.js';
import type { Writer } from '../../records/writer.js';
import { createRecordPayload } from '../page-change.payload.js';
import { createRecordResolver } from '../page-record.resolver.js';
import { Metric } from './metric.entity.js';
import { CreateMetricInput, RecordMetricInput, RecordMetricValuesInput, UpdateMetricInput } from './metric.inputs.js';
import { recordMetricValues, recordMetric } from './metric-values.service.js';
import { createMetric, deleteMetric, updateMetric } from './metric.service.js';

const MetricFilter = createFilterType(Metric, {
  except: ['unit', 'color', 'decimalPlaces', 'isShown', 'metadata', 'latestValue', 'latestValueAt'],
});

@ObjectType({ description: 'A metric that was changed.' })
class MetricPayload extends createRecordPayload(Metric, 'The metric, after the change.') {}

@ObjectType({ description: 'Values that were recorded.' })
class RecordMetricValuesPayload extends PageChangePayload {
  constructor(pageId: string, recorded: number) {
    super(pageId);
    this.count = recorded;
  }

  @Field(() => Int, { description: 'The number of values that were recorded.' })
  count: number;
}

const RecordResolver = createRecordResolver(
  Metric,
  {
    access: 'viewer',
    one: 'A metric.',
    list: 'The metrics of a page, in the order of creation.',
    filter: MetricFilter,
    orderBy: ['id', 'name', 'createdAt', 'updatedAt'],
  },
  {
    access: 'owner',
    payload: MetricPayload,
    create: {
      description: 'Creates a metric, which the page shows. A page has at most 20.',
      input: CreateMetricInput,
      run: createMetric,
    },
    update: { description: 'Updates a metric.', input: UpdateMetricInput, run: updateMetric },
    delete: { description: 'Deletes a metric with its data.', run: deleteMetric },
  },
);

@Resolver()
export class MetricResolver extends RecordResolver {
  @WriteMutation(
    () => MetricPayload,
    'publisher',
    'Records a value of a metric. Values within 5 minutes are averaged. The page shows it within a minute or so.',
    { waits: true },
  )
  async recordMetric(
    @ParentIdArg('pageId', Page, Metric) pageId: string,
    @IdArg('id') id: string,
    @InputArg(() => RecordMetricInput) input: RecordMetricInput,
    @InjectWriter() write: Writer,
  ) {
    await recordMetric(write, pageId, id, input);
    return new MetricPayload(pageId, id);
  }

  @WriteMutation(
    () => RecordMetricValuesPayload,
    'publisher',
    'Records up to 3,000 values of metrics of a page, as `recordMetric` does: all of them, or none.',
    { waits: true },
  )
  async recordMetricValues(
    @IdArg('pageId') pageId: string,
    @InputArg(() => RecordMetricValuesInput) { values }: RecordMetricValuesInput,
    @InjectWriter() write: Writer,
  ) {
    return new RecordMetricValuesPayload(pageId, await recordMetricValues(write, pageId, values));
  }
}
