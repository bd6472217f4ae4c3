import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { defineRules } from '../../records/record-rules.js';
import { RequiresAccess } from '../../auth/access.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { ConnectionField } from '../../graphql/connection-field.js';
import { InverseCollection } from '../../records/inverse-relation.js';
import { Node } from '../../core/node.entity.js';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { Timestamp } from '../../core/scalars.js';
import { Channels } from '../channels/channel.enums.js';
import type { ChannelName } from '../channels/registry.js';
import { Page } from '../../pages/page.entity.js';
import type { DeliveryReason, DeliveryState } from './delivery.states.js';
import { DeliveryReasons, DeliveryStates } from './delivery.enums.js';
import { Webhook } from '../webhooks/webhook.entity.js';
import { Publication } from '../publication.entity.js';
import { Subscriber } from '../../subscribers/subscriber.entity.js';

/**
 * One message to one recipient: the queue of the workers and the log of the operator. Page and notice are repeated
 * here, so that a lease can use an index. There is no foreign key to notices or subscribers: the log outlives them.
 */
@ObjectType({ implements: Node, description: 'One message of a publication to one recipient.' })
@Index({
  name: 'delivery_address_index',
  expression: 'create index delivery_address_index on delivery (page_id, lower(address))',
})
@Index({
  name: 'delivery_dead_index',
  expression: `create index delivery_dead_index on delivery (page_id, id) where state = 'dead'`,
})
@Index({
  name: 'delivery_fresh_index',
  expression: `create index delivery_fresh_index on delivery (page_id, channel, is_untrusted, id)
    where state = 'pending'`,
})
@Index({
  name: 'delivery_fresh_target_index',
  expression: `create index delivery_fresh_target_index on delivery (page_id, channel, is_untrusted, webhook_id, id)
    where state = 'pending' and webhook_id is not null`,
})
@Index({
  name: 'delivery_lease_index',
  expression: `create index delivery_lease_index on delivery (leased_until) where state = 'sending'`,
})
@Index({
  name: 'delivery_open_index',
  expression: `create index delivery_open_index on delivery (notice_id, channel, recipient_key)
    where state in ('pending', 'sending', 'retrying')`,
})
@Index({ name: 'delivery_page_id_id_index', properties: ['page', 'id'] })
@Unique({
  name: 'delivery_publication_id_channel_recipient_key_unique',
  properties: ['publication', 'channel', 'recipientKey'],
})
@Index({
  name: 'delivery_retry_index',
  expression: `create index delivery_retry_index on delivery (due_at) where state = 'retrying'`,
})
@Index({
  name: 'delivery_subscriber_index',
  expression: 'create index delivery_subscriber_index on delivery (subscriber_id, id) where subscriber_id is not null',
})
@Index({
  name: 'delivery_webhook_index',
  expression: 'create index delivery_webhook_index on delivery (webhook_id, id) where webhook_id is not null',
})
@Entity({ tableName: 'delivery' })
export class Delivery {
  static readonly rules = defineRules<Delivery>({
    recordName: 'delivery',
    // Newest first.
    order: [{ field: 'id', direction: 'desc' }],
    caseInsensitive: ['address'],
  });

  @Field(() => ID, { description: 'Unique among all deliveries.' })
  @PrimaryKey({ type: 'bigint', runtimeType: 'string' })
  id!: string;

  // Deleted with its publication, which is deleted with the page: a second constraint would be checked for every row.
  @Field(() => Page, { description: 'The page it belongs to.' })
  @ManyToOne(() => Page, { createForeignKeyConstraint: false })
  @InverseCollection(
    Page,
    'deliveries',
    RequiresAccess('recipients'),
    ConnectionField(() => Delivery, 'The deliveries, newest first.'),
  )
  page!: Page;

  @Field(() => Publication, { description: 'The publication it belongs to.' })
  @ManyToOne(() => Publication, { deleteRule: 'cascade', updateRule: 'no action' })
  @InverseCollection(
    Publication,
    'deliveries',
    RequiresAccess('recipients'),
    ConnectionField(() => Delivery, 'Its deliveries, newest first.'),
  )
  publication!: Publication;

  @Property({ type: 'integer' })
  noticeId!: number;

  @Field(() => Channels, { description: 'The channel.' })
  @Property({ type: 'text' })
  channel!: ChannelName;

  /** The id of the subscriber, 'page' or 'webhook 12'. A publication goes to it once, also if the address changes. */
  @Property({ type: 'text' })
  recipientKey!: string;

  @NullableField(
    () => ID,
    'The subscriber, who may have been deleted since; null for a channel of the page and for operators.',
  )
  @Property({ type: 'integer', nullable: true })
  subscriberId: number | null = null;

  @NullableField(
    () => Subscriber,
    'Null for a channel of the page, and if the subscriber has been deleted or has unsubscribed since.',
  )
  @ManyToOne(() => Subscriber, {
    nullable: true,
    persist: false,
    fieldName: 'subscriber_id',
    createForeignKeyConstraint: false,
  })
  @InverseCollection(
    Subscriber,
    'deliveries',
    ConnectionField(() => Delivery, 'The deliveries to the subscriber, newest first.'),
  )
  subscriber?: Subscriber | null;

  /** Like a subscriber, it may have been deleted since. */
  @ManyToOne(() => Webhook, { nullable: true, createForeignKeyConstraint: false })
  @InverseCollection(
    Webhook,
    'deliveries',
    ConnectionField(() => Delivery, 'The deliveries to the webhook, newest first.'),
  )
  webhook: Webhook | null = null;

  @Field(() => String, {
    description:
      'The address of the recipient; for a channel of the page, the name of the provider; for a webhook, its host.',
  })
  @Property({ type: 'text' })
  address!: string;

  @Field(() => DeliveryStates, { description: 'Its state.' })
  @Property({ type: 'text', default: 'pending' })
  state: Opt<DeliveryState> = 'pending';

  @NullableField(() => DeliveryReasons, 'Why it was skipped or is dead; null in the other states.')
  @Property({ type: 'text', nullable: true })
  reason: DeliveryReason | null = null;

  @Field(() => Boolean, {
    description:
      'Whether the recipient chose none of the components that the notice named, and was notified because an earlier ' +
      'message of the notice was sent to it.',
  })
  @Property({ type: 'boolean', default: false, fieldName: 'notified_earlier' })
  isDueToEarlierMessage: Opt<boolean> = false;

  /** Whether it goes to a host that anybody may run: `isUntrustedSql`. */
  @Property({ type: 'boolean', default: false })
  isUntrusted: Opt<boolean> = false;

  @Field(() => Int, { description: 'How many attempts were made, including one in progress.' })
  @Property({ type: 'integer', default: 0, fieldName: 'tries' })
  attemptCount: Opt<number> = 0;

  @Field(() => Timestamp, { description: 'When it was created.' })
  @TimestampColumn()
  createdAt!: Date;

  /** The start of its retry period: when it was created, or resent by an operator. */
  @TimestampColumn()
  queuedAt!: Date;

  @Field(() => Timestamp, { description: 'When it may be tried next.' })
  @TimestampColumn({ fieldName: 'due_at' })
  nextAttemptAt!: Date;

  /** The fencing token: a worker's outcome counts only while this is its lease. */
  @Property({ type: 'uuid', nullable: true })
  lease: string | null = null;

  @TimestampColumn({ nullable: true })
  leasedUntil: Date | null = null;

  @NullableField(() => String, 'The worker that leased it last; null before that.')
  @Property({ type: 'text', nullable: true })
  worker: string | null = null;

  @Field(() => String, { description: 'The Message-ID of its e-mail, the same in every attempt.' })
  @Property({ type: 'text' })
  messageId!: string;

  /** The id of the message at the provider, to which the next messages of the notice reply. */
  @Property({ type: 'text', nullable: true })
  thread: string | null = null;

  @NullableField(() => Timestamp, 'When the server or provider accepted it; null before.')
  @TimestampColumn({ nullable: true })
  sentAt: Date | null = null;
}
