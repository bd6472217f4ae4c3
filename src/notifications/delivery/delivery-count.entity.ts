import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { defineRules } from '../../records/record-rules.js';
import { TypicalSize } from '../../graphql/connection-field.js';
import { InverseCollection } from '../../records/inverse-relation.js';
import { DeliveryStates } from './delivery.enums.js';
import { Publication } from '../publication.entity.js';
import type { DeliveryState } from './delivery.states.js';
import { Channels } from '../channels/channel.enums.js';
import type { ChannelName } from '../channels/registry.js';

/** A view, not a table: counted when it is queried. Deliveries that were deleted are counted, too. */
@ObjectType({ description: 'The number of deliveries of a publication on one channel and in one state.' })
@Entity({
  expression: `
    select publication_id, channel, state, sum("count")::integer as "count" from (
      select publication_id, channel, state, count(*) as "count" from delivery group by publication_id, channel, state
      union all select publication_id, channel, state, "count" from deleted_delivery_count
    ) counts group by publication_id, channel, state`,
})
export class DeliveryCount {
  static readonly rules = defineRules<DeliveryCount>({
    key: 'publication',
    order: [
      { field: 'channel', direction: 'asc' },
      { field: 'state', direction: 'asc' },
    ],
  });

  @ManyToOne(() => Publication)
  @InverseCollection(
    Publication,
    'counts',
    TypicalSize(10),
    Field(() => [DeliveryCount], { description: 'The number of its deliveries, by channel and state.' }),
  )
  publication!: Publication;

  @Field(() => Channels, { description: 'Their channel.' })
  @Property({ type: 'text' })
  channel!: ChannelName;

  @Field(() => DeliveryStates, { description: 'Their state.' })
  @Property({ type: 'text' })
  state!: DeliveryState;

  @Field(() => Int, { description: 'The number of deliveries.' })
  @Property({ type: 'integer' })
  count!: number;
}
