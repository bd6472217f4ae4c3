import { Arg, Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import { TypicalSize } from '../../graphql/connection-field.js';
import type { Context } from '../../graphql/context.js';
import { ResolvedFrom } from '../../graphql/entity-field-decorators.js';
import { registerEnum } from '../../graphql/enum.js';
import { Metric } from './metric.entity.js';
import { type MetricPeriod, metricPeriods, type MetricStep, pagePointsSql } from './metric-points.js';

const MetricPeriods = registerEnum(
  'MetricPeriod',
  {
    day: 'The last 24 hours, a point for each 15 minutes.',
    week: 'The last 7 days, a point for each 2 hours.',
    month: 'The last 30 days, a point for each 8 hours.',
  } satisfies Record<MetricPeriod, string>,
  'A period that the page draws of a metric.',
);

@ObjectType({ description: 'The values of a metric in a step of a period.' })
class MetricPoint {
  @Field(() => Timestamp, { description: 'When the step began.' })
  beganAt!: Date;

  @Field(() => Float, { description: 'The average of the values.' })
  average!: number;

  @Field(() => Float, { description: 'The lowest value.' })
  minimum!: number;

  @Field(() => Float, { description: 'The highest value.' })
  maximum!: number;

  @Field(() => Int, { description: 'The number of values.' })
  count!: number;
}

@Resolver(() => Metric)
export class MetricPointsResolver {
  @ResolvedFrom('id', 'page')
  @TypicalSize(96)
  @FieldResolver(() => [MetricPoint], {
    description: 'The steps of a period that have values, in the order of time. A statement per page and period more.',
  })
  async points(
    @Root() { id, page }: { id: number; page: string },
    @Arg('period', () => MetricPeriods as never, { defaultValue: 'day', description: 'The period.' })
    period: MetricPeriod,
    @Ctx() { run, readOnce }: Context,
  ): Promise<MetricPoint[]> {
    const row = await readOnce(`metric points ${page} ${period}`, () => run(pagePointsSql(period), [page]));
    const steps = (JSON.parse(row?.body ?? '{}') as Record<string, MetricStep[] | null>)[id] ?? [];
    const { stepSeconds } = metricPeriods[period];
    return steps.map(([slot, sum, count, minimum, maximum]) => ({
      beganAt: new Date(slot * stepSeconds * 1000),
      average: sum / count,
      minimum,
      maximum,
      count,
    }));
  }
}
