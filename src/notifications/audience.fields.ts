import { Field, Int, ObjectType } from 'type-graphql';
import { RequiresAccess } from '../auth/access.js';
import { Channels } from './channels/channel.enums.js';
import type { ChannelName } from './channels/registry.js';
import { SkipReasons } from './delivery/delivery.enums.js';
import type { SkipReason } from './delivery/delivery.states.js';

@ObjectType()
abstract class Recipients {
  @Field(() => Channels, { description: 'The channel.' })
  channel!: ChannelName;

  @Field(() => Int, { description: 'The number of messages.' })
  count!: number;

  @RequiresAccess('publisher')
  @Field(() => [String], { description: 'Up to five of the addresses.' })
  sample!: string[];

  /** The page on which the addresses require a role. */
  pageId!: string;
}

@ObjectType({ description: 'The recipients on a channel.' })
export class ChannelAudience extends Recipients {
  @Field(() => Int, {
    description:
      'How many of them chose none of the components that the notice names now, and are notified because an earlier ' +
      'message of the notice was sent to them.',
  })
  notifiedEarlierCount!: number;
}

@ObjectType({ description: 'Recipients on a channel who would not be notified, for one reason.' })
export class ExcludedAudience extends Recipients {
  @Field(() => Int, {
    description:
      'How many of them chose none of the components that the notice names now, and would be notified only because ' +
      'an earlier message of the notice was sent to them.',
  })
  notifiedEarlierCount!: number;

  @Field(() => SkipReasons, { description: 'The reason.' })
  reason!: SkipReason;
}
