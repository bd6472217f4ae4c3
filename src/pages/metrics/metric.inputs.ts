import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { metadataInput } from '../metadata.js';
import { Json, Timestamp } from '../../core/scalars.js';

@InputType({ description: 'Changes to a metric. Omitted fields keep their values.' })
export class UpdateMetricInput {
  @NullableField(() => String, 'Up to 100 characters. Cannot be blank.')
  name?: string | null;

  @NullableField(() => String, 'Such as `ms`; up to 20 characters. Null: none.')
  unit?: string | null;

  @NullableField(() => String, 'As `#rrggbb`, stored as written. Null: blue.')
  color?: string | null;

  @NullableField(() => Int, 'From 0 to 5. Null: 0.')
  decimalPlaces?: number | null;

  @NullableField(() => Boolean, 'Whether the page shows it. Null: it does.')
  isShown?: boolean | null;

  @NullableField(() => Json, metadataInput)
  metadata?: unknown;
}

@InputType({ description: 'A new metric.' })
export class CreateMetricInput extends UpdateMetricInput {
  @Field(() => String, { description: 'Up to 100 characters. Cannot be blank.' })
  declare name: string;
}

@InputType({ description: 'A value of a metric at a time.' })
export class RecordMetricInput {
  @Field(() => Float, { description: 'A finite number of at most 15 digits before the point.' })
  value!: number;

  @NullableField(() => Timestamp, 'When it was measured, up to 90 days ago and 5 minutes ahead. Null or absent: now.')
  timestamp?: Date | null;
}

@InputType({ description: 'A value of one of several metrics.' })
export class MetricValueInput extends RecordMetricInput {
  @Field(() => ID, { description: 'The metric.' })
  metricId!: string;
}

@InputType({ description: 'Values of metrics of a page.' })
export class RecordMetricValuesInput {
  @Field(() => [MetricValueInput], { description: 'The values, up to 3,000.' })
  values!: MetricValueInput[];
}
