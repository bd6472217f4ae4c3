import { Collection } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Derived } from '../records/computed-field.js';
import type { Order } from '../records/select-sql.js';
import { TimestampColumn } from '../db/timestamped.entity.js';
import { enumeration } from '../graphql/enum.js';
import { Timestamp } from '../graphql/scalars.js';
import { NoticeTypes } from '../notices/notice.entity.js';
import type { NoticeType } from '../notices/notice.states.js';
import { Page } from '../pages/page.entity.js';
import { DeliveryCount } from './delivery/delivery-count.entity.js';
import { Delivery } from './delivery/delivery.entity.js';
import type { PublicationEvent, PublicationPicture } from './message-snapshot.js';

export const PublicationEvents = enumeration(
  'PublicationEvent',
  {
    opened: 'An incident was opened, or opened again.',
    scheduled: 'A maintenance was scheduled.',
    begun: 'A maintenance went underway.',
    updated: 'Something was said, or changed, in between.',
    completed: 'A maintenance was completed.',
    cancelled: 'A maintenance was cancelled.',
    closed: 'An incident was closed.',
    announced: 'Something was announced.',
    reminder: 'A maintenance was near.',
  } satisfies Record<PublicationEvent, string>,
  'What happened in the life of a notice, so that people are told.',
);

/**
 * A change that is to be told: written in the transaction of the change and never changed, so that it is there exactly when the change is. The worker makes
 * deliveries of it, one for each channel and recipient. It belongs to the page and outlives its notice: who was told is asked afterwards, too.
 */
@ObjectType({ description: 'A change that people were told, or are being told.' })
@Entity({ tableName: 'publication' })
@Index({ properties: ['page', 'id'] })
@Index({ properties: ['noticeId', 'createdAt'] })
@Index({
  name: 'publication_unspread_index',
  expression: 'create index "publication_unspread_index" on "publication" ("id") where spread_at is null',
})
export class Publication {
  static readonly word = 'publication';

  /** Newest first. */
  static readonly order: Order = [{ field: 'id', direction: 'desc' }];

  @Field(() => ID, { description: 'Unique among all publications; a later one is greater.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  @Field(() => ID, { description: 'The notice it tells of, which may be deleted by now.' })
  @Property({ type: 'integer' })
  noticeId!: number;

  @Field(() => ID, {
    nullable: true,
    description: 'The update it tells of; null where there was no comment. It may be deleted by now.',
  })
  @Property({ type: 'integer', nullable: true })
  updateId: number | null = null;

  @Field(() => NoticeTypes, { description: 'What the notice is about.' })
  @Property({ type: 'text' })
  noticeType!: NoticeType;

  @Field(() => PublicationEvents, { description: 'What happened.' })
  @Property({ type: 'text' })
  event!: PublicationEvent;

  @Field(() => String, {
    description: 'Who made the change: the label and the id of the token, or what in the service did.',
  })
  @Property({ type: 'text', fieldName: 'made_by' })
  by!: string;

  @Property({ type: 'json' })
  picture!: PublicationPicture;

  @Field(() => String, { description: 'The subject of the notice at that time.' })
  @Derived<Publication>(publication => `${publication.picture} #>> '{notice,subject}'`, 'text')
  subject!: string;

  @Field(() => String, { description: 'What is said, in Markdown: the comment, else what changed, in words.' })
  @Derived<Publication>(publication => `${publication.picture} ->> 'text'`, 'text')
  text!: string;

  /** The components whose subscribers hear of it: those named, what they are part of and what is part of them, as it was. Null: everybody does. */
  @Property({ type: 'integer[]', columnType: 'int[]', nullable: true })
  scope: number[] | null = null;

  @Field(() => Timestamp, { description: 'When the change was made.' })
  @TimestampColumn()
  createdAt!: Date;

  /** The last subscriber whom the worker has looked at. */
  @Property({ type: 'integer', default: 0 })
  spreadThrough!: number;

  @Field(() => Timestamp, { nullable: true, description: 'When all its deliveries had been made; null before.' })
  @TimestampColumn({ nullable: true })
  spreadAt: Date | null = null;

  @Field(() => [Delivery], { description: 'In the order in which they were made.' })
  @OneToMany(
    () => Delivery,
    delivery => delivery.publication,
  )
  deliveries = new Collection<Delivery>(this);

  @Field(() => [DeliveryCount], { description: 'How many deliveries it has, by channel and state.' })
  @OneToMany(
    () => DeliveryCount,
    count => count.publication,
  )
  counts = new Collection<DeliveryCount>(this);
}
