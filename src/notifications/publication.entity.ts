import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ComputedField } from '../records/computed-field.js';
import { defineRules } from '../records/record-rules.js';
import { Node } from '../core/node.entity.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { NullableField } from '../graphql/nullable-field.js';
import { registerEnum } from '../graphql/enum.js';
import { Timestamp } from '../core/scalars.js';
import { NoticeTypes } from '../notices/notice.enums.js';
import type { NoticeType } from '../notices/notice.states.js';
import { Notice } from '../notices/notice.entity.js';
import { NoticeUpdate } from '../notices/updates/update.entity.js';
import { BelongsToPage } from '../pages/belongs-to-page.entity.js';
import type { Page } from '../pages/page.entity.js';
import { type Actor, ActorField } from '../people/actor.fields.js';
import type { PublicationEvent, MessageSnapshot } from './messages/message-snapshot.js';

export const PublicationEvents = registerEnum(
  'PublicationEvent',
  {
    opened: 'An incident was opened, or opened again.',
    scheduled: 'A maintenance was scheduled.',
    begun: 'A maintenance began.',
    updated: 'A notice was updated or changed in between.',
    completed: 'A maintenance was completed.',
    cancelled: 'A maintenance was cancelled.',
    closed: 'An incident was closed.',
    postmortem: 'The post-mortem of a notice was posted.',
    correction: 'The text of an update was corrected. Only those who were sent the wrong text are notified.',
    announced: 'An announcement was published.',
    reminder: 'A maintenance was about to begin.',
    update_due: 'The next update was due. Its author was reminded, and nobody else.',
  } satisfies Record<PublicationEvent, string>,
  'The event in the life of a notice that a publication is about.',
);

/**
 * A published change. It is written in the transaction of the change, so that it exists exactly when the change does,
 * and is never modified. The worker creates its deliveries, one for each channel and recipient. It belongs to the page
 * and outlives its notice, as the record of who was notified.
 */
@ObjectType({ implements: Node, description: 'A change of a notice, about which recipients are notified.' })
@Index({ name: 'publication_notice_id_created_at_index', properties: ['noticeId', 'createdAt'] })
@Index({ name: 'publication_notice_id_id_index', properties: ['noticeId', 'id'] })
@Index({ name: 'publication_page_id_id_index', properties: ['page', 'id'] })
@Index({
  name: 'publication_preview_hash_index',
  expression:
    'create index publication_preview_hash_index on publication (preview_hash) where preview_hash is not null',
})
@Index({
  name: 'publication_stopping_index',
  expression: `create index publication_stopping_index on publication (id)
    where stopped_at is not null and skipped_at is null`,
})
@Index({
  name: 'publication_not_fanned_out_index',
  expression: 'create index publication_not_fanned_out_index on publication (id) where fanned_out_at is null',
})
@Entity({ tableName: 'publication' })
export class Publication {
  static readonly rules = defineRules<Publication>({
    recordName: 'publication',
    // Newest first.
    order: [{ field: 'id', direction: 'desc' }],
  });

  @Field(() => ID, { description: 'Unique among all publications; a later one is greater.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @BelongsToPage('publications', 'viewer', () => Publication, 'The publications, newest first.')
  page!: Page;

  @Field(() => ID, { description: 'The notice, which may have been deleted since.' })
  @Property({ type: 'integer' })
  noticeId!: number;

  @NullableField(() => Notice, 'The notice; null if it has been deleted since.')
  @ManyToOne(() => Notice, {
    nullable: true,
    persist: false,
    fieldName: 'notice_id',
    createForeignKeyConstraint: false,
  })
  notice?: Notice | null;

  @NullableField(() => ID, 'The update, which may have been deleted since; null for a change without an update.')
  @Property({ type: 'integer', nullable: true })
  updateId: number | null = null;

  @NullableField(
    () => NoticeUpdate,
    'The update; null if it has been deleted since, and for a change without an update.',
  )
  @ManyToOne(() => NoticeUpdate, {
    nullable: true,
    persist: false,
    fieldName: 'update_id',
    createForeignKeyConstraint: false,
  })
  update?: NoticeUpdate | null;

  @Field(() => NoticeTypes, { description: 'The type of the notice.' })
  @Property({ type: 'text' })
  noticeType!: NoticeType;

  @Field(() => PublicationEvents, { description: 'The event.' })
  @Property({ type: 'text' })
  event!: PublicationEvent;

  /** One of `ActorKinds`. */
  @Property({ type: 'text', default: 'automation' })
  madeByKind!: string;

  /** What it is called: the address of the person, label and id of the token, or the part of the service. */
  @Property({ type: 'text' })
  madeBy!: string;

  @ActorField<Publication>(({ madeByKind, madeBy }) => ({ kind: madeByKind, label: madeBy }), {
    description: 'Who made the change that it is about.',
  })
  publishedBy?: Actor;

  @Property({ type: 'json' })
  messageSnapshot!: MessageSnapshot;

  @Field(() => String, { description: 'The subject of the notice at that time.' })
  @ComputedField<Publication>(publication => `${publication.messageSnapshot} #>> '{notice,subject}'`, 'text')
  subject!: string;

  @Field(() => String, { description: 'The text of the message, as Markdown: that of the update, or what changed.' })
  @ComputedField<Publication>(publication => `${publication.messageSnapshot} ->> 'text'`, 'text')
  text!: string;

  /** The components named, with ancestors and descendants, whose subscribers are notified. Null: all subscribers. */
  @Property({ type: 'integer[]', columnType: 'int[]', nullable: true })
  scope: number[] | null = null;

  /** Of a correction: the publications with the wrong text, to whose recipients alone it goes. */
  @Property({ type: 'integer[]', columnType: 'int[]', nullable: true })
  corrects: number[] | null = null;

  /** Of the preview that its author confirmed, which is published once in a minute. */
  @Property({ type: 'text', nullable: true })
  previewHash: string | null = null;

  @Field(() => Timestamp, { description: 'When the change was made.' })
  @TimestampColumn()
  createdAt!: Date;

  @NullableField(
    () => Timestamp,
    'Until when its messages wait, by `holdSeconds` of the page. Null: they wait only for earlier ones of the notice.',
  )
  @TimestampColumn({ nullable: true })
  heldUntil: Date | null = null;

  @NullableField(
    () => Timestamp,
    'When `stopPublication` stopped it. What had not been sent is skipped. Null: it was not.',
  )
  @TimestampColumn({ nullable: true })
  stoppedAt: Date | null = null;

  /** When all that was not sent of a stopped publication had been skipped. */
  @TimestampColumn({ nullable: true })
  skippedAt: Date | null = null;

  /** The id of the last subscriber that the fan-out has processed. */
  @Property({ type: 'integer', default: 0 })
  fannedOutThrough!: number;

  @NullableField(() => Timestamp, 'When all its deliveries had been created; null before.')
  @TimestampColumn({ nullable: true })
  fannedOutAt: Date | null = null;
}
