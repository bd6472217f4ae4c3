import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../core/node.entity.js';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { NullableField } from '../graphql/nullable-field.js';
import { registerEnum } from '../graphql/enum.js';
import { Draft } from '../notices/drafts/draft.entity.js';
import { Notice } from '../notices/notice.entity.js';
import { BelongsToPage } from '../pages/belongs-to-page.entity.js';
import type { Page } from '../pages/page.entity.js';
import { ComputedField } from '../records/computed-field.js';
import { defineRules } from '../records/record-rules.js';
import type { GroupState } from './alert.rules.js';
import { AlertSource } from './alert-source.entity.js';

const AlertGroupStates = registerEnum(
  'AlertGroupState',
  {
    new: 'Nothing was made of it yet.',
    open: 'A draft or a notice was made of it, and one of its alerts is not over.',
    resolved: 'All of its alerts are over.',
  } satisfies Record<GroupState, string>,
  'The state of a group of alerts.',
);

@ObjectType({ implements: Node, description: 'Alerts that their sender groups: one draft is made of them.' })
@Index({ name: 'alert_group_last_received_at_index', properties: ['lastReceivedAt'] })
@Index({ name: 'alert_group_latest_draft_id_index', properties: ['latestDraftId'] })
@Index({ name: 'alert_group_page_id_last_received_at_id_index', properties: ['page', 'lastReceivedAt', 'id'] })
@Unique({ name: 'alert_group_source_id_key_unique', properties: ['source', 'key'] })
@Index({
  name: 'alert_group_notice_id_index',
  expression: 'create index alert_group_notice_id_index on alert_group (notice_id) where notice_id is not null',
})
@Index({
  name: 'alert_group_unpushed_index',
  expression: `create index alert_group_unpushed_index on alert_group (id)
    where latest_draft_id is not null and pushed_draft_id is distinct from latest_draft_id`,
})
@Index({
  name: 'alert_group_unreported_index',
  expression: `create index alert_group_unreported_index on alert_group (id)
    where latest_draft_id is not null and reported_draft_id is distinct from latest_draft_id`,
})
@Entity({ tableName: 'alert_group' })
export class AlertGroup {
  static readonly rules = defineRules<AlertGroup>({
    recordName: 'alert group',
    order: [
      { field: 'lastReceivedAt', direction: 'desc' },
      { field: 'id', direction: 'desc' },
    ],
    relationConditions: {
      draft: (group, draft) => `${draft.id} = ${group.latestDraftId}`,
      notice: (group, notice) => `${notice.id} = ${group.noticeId}`,
    },
  });

  @Field(() => ID, { description: 'Unique among all groups of alerts.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @BelongsToPage('alertGroups', 'publisher', () => AlertGroup, 'The groups of alerts of the last 7 days, latest first.')
  page!: Page;

  @Field(() => AlertSource, { description: 'The source.' })
  @ManyToOne(() => AlertSource, { deleteRule: 'cascade', updateRule: 'no action' })
  source!: AlertSource;

  @Field(() => ID, { description: 'The id of the source.' })
  @Property({ type: 'integer', persist: false, fieldName: 'source_id' })
  sourceId!: number;

  /** What its sender calls it. */
  @Property({ type: 'text' })
  key!: string;

  @Field(() => String, { description: 'The title of its first alert.' })
  @Property({ type: 'text' })
  title!: string;

  @Field(() => AlertGroupStates, { description: 'Its state.' })
  @Property({ type: 'text' })
  state!: GroupState;

  @Field(() => Int, { description: 'How many alerts it has received, repeated ones included.' })
  @Property({ type: 'integer' })
  receivedCount!: number;

  @Field(() => Int, { description: 'How many of its alerts are not over.' })
  @ComputedField<AlertGroup>(
    ({ id }) => `(select count(*)::integer from alert a where a.group_id = ${id} and a.status = 'firing')`,
    'integer',
  )
  firingCount!: number;

  @Field(() => Timestamp, {
    description:
      'When its first alert was received. Set again when a draft or notice is made, or its draft is reported again.',
  })
  @TimestampColumn()
  firstReceivedAt!: Date;

  @Field(() => Timestamp, { description: 'When its latest alert was received.' })
  @TimestampColumn()
  lastReceivedAt!: Date;

  /** The latest beginning of its alerts, as their sender says; see `KnownGroup`. */
  @TimestampColumn({ nullable: true })
  startsAt: Date | null = null;

  @Property({ type: 'integer', nullable: true })
  latestDraftId: number | null = null;

  /** The draft of which people were notified by mail. */
  @Property({ type: 'integer', nullable: true })
  reportedDraftId: number | null = null;

  /** The draft of which browsers of people got a push message. */
  @Property({ type: 'integer', nullable: true })
  pushedDraftId: number | null = null;

  @NullableField(() => ID, 'The id of the draft that waits for a publisher. Null: none does.')
  @ComputedField<AlertGroup>(
    ({ latestDraftId }) => `(select d.id::text from draft d where d.id = ${latestDraftId})`,
    'text',
  )
  draftId: string | null = null;

  @NullableField(() => Draft, 'The draft that waits for a publisher. Null: none does.')
  @ManyToOne(() => Draft, { nullable: true, persist: false, lazy: true, createForeignKeyConstraint: false })
  draft?: Draft | null;

  @NullableField(() => ID, 'The id of the notice that was published of it. Null: none was.')
  @Property({ type: 'integer', nullable: true })
  noticeId: number | null = null;

  @NullableField(() => Notice, 'The notice that was published of it. Null: none was, or it is deleted.')
  @ManyToOne(() => Notice, {
    nullable: true,
    persist: false,
    lazy: true,
    fieldName: 'notice_id',
    createForeignKeyConstraint: false,
  })
  notice?: Notice | null;

  @NullableField(() => String, 'Why no draft could be made of it. Null: one was, or will be.')
  @Property({ type: 'text', nullable: true, fieldName: 'error' })
  failure: string | null = null;
}
