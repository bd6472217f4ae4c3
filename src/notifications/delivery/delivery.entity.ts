import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, OneToMany, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Order } from '../../records/select-sql.js';
import { TimestampColumn } from '../../db/timestamped.entity.js';
import { Timestamp } from '../../graphql/scalars.js';
import type { Channel } from '../page-channels/channel-names.js';
import { Page } from '../../pages/page.entity.js';
import { Attempt } from './attempt.entity.js';
import { type DeliveryState, openSql } from './delivery.states.js';
import { Channels, DeliveryStates } from './delivery.enums.js';
import { Publication } from '../publication.entity.js';

/**
 * One message to one recipient: the queue of the workers, and what the operator reads. Page and notice stand here too, so that a claim finds its way by an index;
 * nothing here refers to notices or subscribers, since it is asked who was told after those are gone.
 */
@ObjectType({ description: 'One message of a publication to one recipient.' })
@Entity({ tableName: 'delivery' })
@Unique({ properties: ['publication', 'channel', 'recipientKey'] })
@Index({ properties: ['page', 'id'] })
@Index({
  name: 'delivery_address_index',
  expression: 'create index "delivery_address_index" on "delivery" ("page_id", lower("address"))',
})
@Index({
  name: 'delivery_open_index',
  expression: `create index "delivery_open_index" on "delivery" ("notice_id", "channel", "recipient_key") where ${openSql('state')}`,
})
@Index({
  name: 'delivery_fresh_index',
  expression: `create index "delivery_fresh_index" on "delivery" ("page_id", "id") where state = 'pending'`,
})
@Index({
  name: 'delivery_retry_index',
  expression: `create index "delivery_retry_index" on "delivery" ("due_at") where state = 'retrying'`,
})
@Index({
  name: 'delivery_lease_index',
  expression: `create index "delivery_lease_index" on "delivery" ("leased_until") where state = 'sending'`,
})
@Index({
  name: 'delivery_dead_index',
  expression: `create index "delivery_dead_index" on "delivery" ("page_id", "id") where state = 'dead'`,
})
export class Delivery {
  static readonly word = 'delivery';

  /** Newest first. */
  static readonly order: Order = [{ field: 'id', direction: 'desc' }];

  /** Addresses are compared without case. */
  static readonly caseless = ['address'];

  @Field(() => ID, { description: 'Unique among all deliveries.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  // It goes with its publication, which goes with the page: a second constraint would be looked after with every row.
  @ManyToOne(() => Page, { createForeignKeyConstraint: false, index: false })
  page!: Page;

  @Field(() => Publication, { description: 'What it tells.' })
  @ManyToOne(() => Publication, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  publication!: Publication;

  @Property({ type: 'integer' })
  noticeId!: number;

  @Field(() => Channels, { description: 'By what it goes.' })
  @Property({ type: 'text' })
  channel!: Channel;

  /** The id of the subscriber, or 'page': to whom a publication goes once, whatever their address becomes. */
  @Property({ type: 'text' })
  recipientKey!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The subscriber, who may be deleted by now; null where the recipient is a channel of the page.',
  })
  @Property({ type: 'integer', nullable: true })
  subscriberId: number | null = null;

  @Field(() => String, {
    description: "The address it went to, or is to go to; of a channel of the page the page's name for it.",
  })
  @Property({ type: 'text' })
  address!: string;

  @Field(() => DeliveryStates, { description: 'How it stands.' })
  @Property({ type: 'text', default: 'pending' })
  state: Opt<DeliveryState> = 'pending';

  @Field(() => String, { nullable: true, description: 'Why it is skipped or dead; null in the other states.' })
  @Property({ type: 'text', nullable: true })
  reason: string | null = null;

  @Field(() => Int, { description: 'How often it was tried, the attempt that is under way included.' })
  @Property({ type: 'integer', default: 0 })
  tries: Opt<number> = 0;

  @Field(() => Timestamp, { description: 'When it was made.' })
  @TimestampColumn()
  createdAt!: Date;

  /** When its time began: when it was made, or sent again by hand. */
  @TimestampColumn()
  queuedAt!: Date;

  @Field(() => Timestamp, { description: 'When it may be tried next.' })
  @TimestampColumn()
  dueAt!: Date;

  /** The fence: what a worker writes back counts while the lease is still its own. */
  @Property({ type: 'uuid', nullable: true })
  lease: string | null = null;

  @TimestampColumn({ nullable: true })
  leasedUntil: Date | null = null;

  @Field(() => String, { nullable: true, description: 'The worker that was at it last; null before the first.' })
  @Property({ type: 'text', nullable: true })
  worker: string | null = null;

  @Field(() => String, { description: 'The Message-ID of its mail, the same at every attempt.' })
  @Property({ type: 'text' })
  messageId!: string;

  /** What the other side calls the message, where the next ones of the notice hang on it. */
  @Property({ type: 'text', nullable: true })
  thread: string | null = null;

  @Field(() => Timestamp, { nullable: true, description: 'When the other side took it; null before.' })
  @TimestampColumn({ nullable: true })
  sentAt: Date | null = null;

  @Field(() => [Attempt], { description: 'Every time it was tried, oldest first.' })
  @OneToMany(
    () => Attempt,
    attempt => attempt.delivery,
  )
  attempts = new Collection<Attempt>(this);
}
