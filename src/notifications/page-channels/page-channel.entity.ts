import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import type { Order } from '../../records/select-sql.js';
import { TimestampColumn } from '../../db/timestamped.entity.js';
import { enumeration } from '../../graphql/enum.js';
import { Timestamp } from '../../graphql/scalars.js';
import type { Outcome } from '../channels/channel.js';
import { Channels } from '../delivery/delivery.enums.js';
import { type Channel, channels, configuredSql, switchColumn } from './channel-names.js';
import { Page } from '../../pages/page.entity.js';

export const ChannelTestOutcome = enumeration(
  'ChannelTestOutcome',
  {
    sent: 'The other side took the message.',
    failed: 'It did not go; another time it might.',
    refused: 'As the channel is set, nothing will go.',
  } satisfies Record<Outcome['kind'], string>,
  'How a test of a channel went.',
);

const rows = channels.map(
  (channel, place) =>
    `select p.id as page_id, ${place} as place, '${channel}' as channel, ${configuredSql(channel, 'p.id')} as configured, p.${switchColumn(channel)} as switched from page p`,
);

/** No table: how each of the channels stands on a page. Of a target it shows the host alone; the rest of a webhook's address is its password. */
@ObjectType({ description: 'How a channel stands on a page.' })
@Entity({
  expression: `select c.page_id, c.place, c.channel, c.configured, c.configured and c.switched as active,
      substring(t.target ->> 'url' from '^[a-z]+://([^/?#]+)') as host, t.tested_at, t.test_outcome, t.test_answer
    from (${rows.join(' union all ')}) c left join channel_target t on t.page_id = c.page_id and t.channel = c.channel`,
})
export class PageChannel {
  static readonly key = 'page';

  static readonly order: Order = [{ field: 'place', direction: 'asc' }];

  @ManyToOne(() => Page)
  page!: Page;

  @Property({ type: 'integer' })
  place!: number;

  @Field(() => Channels, { description: 'By what people are told.' })
  @Property({ type: 'text' })
  channel!: Channel;

  @Field(() => Boolean, {
    description:
      'Whether it can be used: e-mail and SMS by the settings of the service, the others by `configureChannel`.',
  })
  @Property({ type: 'boolean' })
  configured!: boolean;

  @Field(() => Boolean, { description: 'Whether it is used: it is configured, and the page has it switched on.' })
  @Property({ type: 'boolean' })
  active!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The host it leads to; null for e-mail and SMS, and where nothing is configured.',
  })
  @Property({ type: 'text', nullable: true })
  host: string | null = null;

  @Field(() => Timestamp, { nullable: true, description: 'When it was last tested; null when it never was.' })
  @TimestampColumn({ nullable: true })
  testedAt: Date | null = null;

  @Field(() => ChannelTestOutcome, { nullable: true, description: 'How the last test went; null when there was none.' })
  @Property({ type: 'text', nullable: true })
  testOutcome: Outcome['kind'] | null = null;

  @Field(() => String, {
    nullable: true,
    description:
      'What the other side said to the last test, or what kept it from being reached; null when there was none.',
  })
  @Property({ type: 'text', nullable: true })
  testAnswer: string | null = null;
}
