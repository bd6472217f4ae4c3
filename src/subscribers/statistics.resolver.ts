import { Arg, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { RequiresAccess } from '../auth/access.js';
import { TypicalSize } from '../graphql/connection-field.js';
import { registerEnum } from '../graphql/enum.js';
import { IdArg, InjectWriter } from '../graphql/field-decorators.js';
import type { Writer } from '../records/writer.js';
import { type StatisticsInterval, readSubscriberStatistics } from './statistics.service.js';

const StatisticsIntervals = registerEnum(
  'StatisticsInterval',
  { day: 'One figure a day.', month: 'One figure a month.' } satisfies Record<StatisticsInterval, string>,
  'The length of the periods of statistics.',
);

@ObjectType({
  description: 'The subscribers of one channel in a period. Who has two addresses counts in both channels.',
})
class ChannelStatistics {
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
class SubscriberStatistics {
  @Field(() => String, { description: 'The first day of the period in UTC, such as 2026-11-01.' })
  firstDay!: string;

  @Field(() => ChannelStatistics, { description: 'Those with an e-mail address.' })
  email!: ChannelStatistics;

  @Field(() => ChannelStatistics, { description: 'Those with a phone number.' })
  sms!: ChannelStatistics;

  @Field(() => ChannelStatistics, { description: 'Programs and channels of chats that visitors subscribed.' })
  webhook!: ChannelStatistics;

  @Field(() => ChannelStatistics, { description: 'Browsers that get push messages.' })
  push!: ChannelStatistics;
}

@Resolver()
export class SubscriberStatisticsResolver {
  @RequiresAccess('publisher')
  @TypicalSize(90)
  @Query(() => [SubscriberStatistics], {
    description:
      'How many subscribers a page had over time, oldest first, with a figure for each period up to the present one. ' +
      'Only numbers are stored, so they stay right when subscribers are deleted.',
  })
  subscriberStatistics(
    @IdArg('pageId') pageId: string,
    @Arg('from', () => String, { description: 'The first day, such as 2026-11-01.' }) from: string,
    @Arg('to', () => String, { description: 'The last day. At most 400 periods after the first one.' }) to: string,
    @Arg('interval', () => StatisticsIntervals, { defaultValue: 'day', description: 'The length of the periods.' })
    interval: StatisticsInterval,
    @InjectWriter() write: Writer,
  ): Promise<SubscriberStatistics[]> {
    return readSubscriberStatistics(write, pageId, { from, to, interval });
  }
}
