import { Arg, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { RequiresAccess } from '../auth/access.js';
import type { Context } from '../graphql/context.js';
import { ResolvedFrom } from '../graphql/entity-field-decorators.js';
import { registerEnum } from '../graphql/enum.js';
import { Channels } from '../notifications/channels/channel.enums.js';
import { Page } from '../pages/page.entity.js';
import {
  type ChannelCounts,
  type PeriodStatistics,
  readSubscriberStatistics,
  type StatisticsInterval,
} from './statistics.service.js';

const StatisticsIntervals = registerEnum(
  'StatisticsInterval',
  { day: 'One figure a day.', month: 'One figure a month.' } satisfies Record<StatisticsInterval, string>,
  'The length of the periods of statistics.',
);

@ObjectType({
  description: 'The subscribers of one channel in a period. Who has two addresses counts in both channels.',
})
class ChannelStatistics implements ChannelCounts {
  @Field(() => Channels, {
    description:
      'EMAIL, SMS, PUSH or WEBHOOK. WEBHOOK counts the webhooks and the chat channels that visitors subscribed.',
  })
  channel!: ChannelCounts['channel'];

  @Field(() => Int, {
    description: 'Confirmed subscribers at the end of the period; now, if it has not ended. 0 before the first one.',
  })
  subscribers!: number;

  @Field(() => Int, { description: 'How many subscribed in the period. Somebody who subscribed twice counts twice.' })
  added!: number;

  @Field(() => Int, { description: 'How many unsubscribed or were deleted in the period.' })
  ended!: number;
}

@ObjectType({ description: 'The subscribers of a page in a day or a month.' })
class SubscriberStatistics implements PeriodStatistics {
  @Field(() => String, { description: 'The first day of the period in UTC, such as 2026-11-01.' })
  firstDay!: string;

  @Field(() => [ChannelStatistics], { description: 'The figures of each channel: EMAIL, SMS, PUSH and WEBHOOK.' })
  channels!: ChannelStatistics[];
}

@Resolver(() => Page)
export class SubscriberStatisticsResolver {
  @RequiresAccess('recipients')
  @ResolvedFrom('id')
  @Extensions({ cost: 400 })
  @FieldResolver(() => [SubscriberStatistics], {
    description:
      'How many subscribers the page had over time, oldest first, with a figure for each period up to the present ' +
      'one. Only numbers are stored, so they stay right when subscribers are deleted. Costs one more statement per ' +
      'page.',
  })
  subscriberStatistics(
    @Root() { id }: { id: string },
    @Arg('firstDay', () => String, { description: 'The first day in UTC, such as 2026-11-01.' }) firstDay: string,
    @Arg('lastDay', () => String, { description: 'The last day. At most 400 periods after the first one.' })
    lastDay: string,
    @Arg('interval', () => StatisticsIntervals, { defaultValue: 'day', description: 'The length of the periods.' })
    interval: StatisticsInterval,
    @Ctx() { run }: Context,
  ): Promise<SubscriberStatistics[]> {
    return readSubscriberStatistics(run, id, { firstDay, lastDay, interval });
  }
}
