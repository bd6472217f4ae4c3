import { Args, Field, Int, ObjectType, Resolver } from 'type-graphql';
import { createConnectionType, createListArguments } from '../../graphql/connection-types.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  OptionalIdArg,
  ParentIdArg,
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { createFilterType } from '../../graphql/filters.js';
import { DeletedRecord, PageChangePayload } from '../page-change.payload.js';
import { Page } from '../page.entity.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { ListArguments } from '../../records/list-arguments.js';
import type { Writer } from '../../records/writer.js';
import { Metric } from './metric.entity.js';
import { CreateMetricInput, RecordMetricInput, RecordMetricValuesInput, UpdateMetricInput } from './metric.inputs.js';
import { recordMetricValues, recordMetric } from './metric-values.service.js';
import { createMetric, deleteMetric, metricPath, updateMetric } from './metric.service.js';

const MetricConnection = createConnectionType(Metric);
const MetricArguments = createListArguments(
  Metric,
  createFilterType(Metric, {
    except: ['unit', 'color', 'decimalPlaces', 'isShown', 'metadata', 'latestValue', 'latestAt'],
  }),
  ['id', 'name'],
);

@ObjectType({ description: 'A metric that was changed.' })
class MetricPayload extends PageChangePayload {
  constructor(
    pageId: string,
    private readonly id: string | number,
  ) {
    super(pageId);
  }

  @ReadField(() => Metric, 'The metric, after the change.')
  metric(@InjectReader() read: FieldReader) {
    return read.one(metricPath(this.pageId, String(this.id)));
  }
}

@ObjectType({ description: 'Values that were recorded.' })
class MetricValuesPayload extends PageChangePayload {
  constructor(pageId: string, recorded: number) {
    super(pageId);
    this.count = recorded;
  }

  @Field(() => Int, { description: 'The number of values that were recorded.' })
  count: number;
}

@Resolver()
export class MetricResolver {
  @ReadQuery(() => Metric, 'viewer', 'A metric.')
  metric(@OptionalIdArg('pageId') pageId: string | null, @IdArg('id') id: string, @InjectReader() read: FieldReader) {
    return read.one(metricPath(pageId, id));
  }

  @ReadQuery(() => MetricConnection, 'viewer', 'The metrics of a page, in the order of creation.')
  metrics(
    @IdArg('pageId') pageId: string,
    @Args(() => MetricArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], Metric, list);
  }

  @WriteMutation(() => MetricPayload, 'owner', 'Creates a metric, which the page shows. A page has at most 20.')
  async createMetric(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateMetricInput) input: CreateMetricInput,
    @InjectWriter() write: Writer,
  ) {
    return new MetricPayload(pageId, await createMetric(write, pageId, input));
  }

  @WriteMutation(() => MetricPayload, 'owner', 'Updates a metric.')
  async updateMetric(
    @ParentIdArg('pageId', Page, Metric) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateMetricInput) input: UpdateMetricInput,
    @InjectWriter() write: Writer,
  ) {
    await updateMetric(write, pageId, id, versions, input);
    return new MetricPayload(pageId, id);
  }

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
    () => MetricValuesPayload,
    'publisher',
    'Records up to 3,000 values of metrics of a page, as `recordMetric` does: all of them, or none.',
    { waits: true },
  )
  async recordMetricValues(
    @IdArg('pageId') pageId: string,
    @InputArg(() => RecordMetricValuesInput) { values }: RecordMetricValuesInput,
    @InjectWriter() write: Writer,
  ) {
    return new MetricValuesPayload(pageId, await recordMetricValues(write, pageId, values));
  }

  @WriteMutation(() => DeletedRecord, 'owner', 'Deletes a metric with its data.')
  async deleteMetric(
    @ParentIdArg('pageId', Page, Metric) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeletedRecord(pageId, Metric, await deleteMetric(write, pageId, id, versions));
  }
}
