import { staleAtSql } from './next-update/stale.rules.js';
import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToMany, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import { ComputedField } from '../records/computed-field.js';
import { defineRules } from '../records/record-rules.js';
import { Timestamped, TimestampColumn } from '../core/timestamped.entity.js';
import { RequiresAccess } from '../auth/access.js';
import { type Metadata, metadataDescription } from '../pages/metadata.js';
import { Json, Timestamp } from '../core/scalars.js';
import { BelongsToPage } from '../pages/belongs-to-page.entity.js';
import type { Page } from '../pages/page.entity.js';
import { noticeUrlSql } from '../pages/public-url.js';
import { type Impact, worstImpactSql } from './impact.rules.js';
import { Impacts, NoticeStates, NoticeTypes, TimelineStates } from './notice.enums.js';
import {
  isOpenToAllSql,
  nextStatesSql,
  type NoticeState,
  type NoticeType,
  type TimelineState,
  timelineStateConditions,
  timelineStateSql,
} from './notice.states.js';
import type { Reminder } from '../pages/reminder.js';
import { Reminders } from '../pages/reminder.enum.js';
import { creationOrder } from './notice.order.js';
import { NoticeComponent } from './notice-component.entity.js';
import { NullableField } from '../graphql/nullable-field.js';
import { ConnectionField, TypicalSize } from '../graphql/connection-field.js';
import { NoticeUpdate } from './updates/update.entity.js';

@InterfaceType({
  implements: Timestamped,
  description: 'A report on a page: an incident, a maintenance or an announcement.',
})
@Index({
  name: 'notice_begin_due_index',
  expression: 'create index notice_begin_due_index on notice (begins_at) where begin_armed',
})
@Index({
  name: 'notice_complete_due_index',
  expression: 'create index notice_complete_due_index on notice (ends_at) where complete_armed',
})
@Index({
  name: 'notice_general_index',
  expression: `create index notice_general_index on notice (page_id, ended_at desc, id desc) where type = 'general'`,
})
@Index({
  name: 'notice_over_index',
  expression: `create index notice_over_index on notice (page_id, ended_at)
    where state is null or state not in ('scheduled', 'investigating', 'identified', 'recovering', 'underway')`,
})
@Index({
  name: 'notice_owner_id_index',
  expression: 'create index notice_owner_id_index on notice (owner_id) where owner_id is not null',
})
@Index({ name: 'notice_page_id_began_at_index', properties: ['page', 'beganAt'] })
@Index({ name: 'notice_page_id_id_index', properties: ['page', 'id'] })
@Index({ name: 'notice_page_id_state_id_index', properties: ['page', 'state', 'id'] })
@Index({
  name: 'notice_past_index',
  expression: `create index notice_past_index on notice (page_id, ended_at desc, id desc)
    where type <> 'general' and ended_at is not null`,
})
@Index({
  name: 'notice_present_index',
  expression: `create index notice_present_index on notice (page_id, type desc, began_at desc, id desc)
    where state in ('investigating', 'identified', 'recovering', 'underway')`,
})
@Index({
  name: 'notice_reminder_index',
  expression: `create index notice_reminder_index on notice (begins_at)
    where state = 'scheduled' and last_should_publish`,
})
@Index({
  name: 'notice_scheduled_index',
  expression: `create index notice_scheduled_index on notice (page_id, begins_at, id) where state = 'scheduled'`,
})
@Index({
  name: 'notice_stale_index',
  expression: `create index notice_stale_index on notice (last_update_at)
    where stale_reminders < 2 and state in ('scheduled', 'investigating', 'identified', 'recovering', 'underway')`,
})
@Index({
  name: 'notice_token_index',
  expression: 'create index notice_token_index on notice (page_id, left(path, 16))',
})
@Entity({ tableName: 'notice' })
export class Notice extends Timestamped {
  static readonly rules = defineRules<Notice>({
    recordName: 'notice',
    isPageContent: true,
    discriminator: 'kind',
    order: creationOrder,
    // What automation remembers, and what visitors do not see.
    unversioned: ['beginArmed', 'completeArmed', 'lastShouldPublish', 'ownerId', 'silentUntil', 'staleReminders'],
    visibleWhere: (notice, { caller }) => (caller.kind === 'anonymous' ? isOpenToAllSql(notice) : undefined),
    relationConditions: {
      latestUpdate: (notice, update) =>
        `${update.id} = (select max(u.id) from notice_update u where u.notice_id = ${notice.id})`,
    },
    filterExpressions: {
      // "planned only": filters see null on the other types, whatever the column contains.
      shouldAutomateSchedule: notice =>
        `case when ${notice.type} = 'planned' then ${notice.shouldAutomateSchedule} end`,
    },
    valueConditions: { timelineState: timelineStateConditions },
    filterConditions: {
      /** `filter[for_components]`: the notices that affect these components, through ancestors or descendants too. */
      forComponents: (notice, components) => `${notice.id} in (
        with recursive above as (
          select id, parent_id from component where id = any(${components}::bigint[])
          union select c.id, c.parent_id from component c join above a on c.id = a.parent_id),
        below as (
          select id from component where id = any(${components}::bigint[])
          union select c.id from component c join below b on c.parent_id = b.id)
        select named.notice_id from notice_component named
        where named.component_id in (select id from above union select id from below))`,
    },
  });

  @Field(() => ID, { description: 'Unique among all notices. Later notices have greater ids.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @RequiresAccess('page')
  @BelongsToPage('notices', 'page', () => Notice, 'Notices, newest first.')
  page!: Page;

  /** The GraphQL object type of the notice, which determines its fields. */
  @ComputedField<Notice>(
    notice =>
      `case ${notice.type} when 'planned' then 'PlannedNotice'
       when 'unplanned' then 'UnplannedNotice' else 'GeneralNotice' end`,
    'text',
  )
  kind!: string;

  @Field(() => NoticeTypes, { description: 'Set on creation. Never changes.' })
  @Property({ type: 'text' })
  type!: NoticeType;

  @Field(() => String, { description: 'The title.' })
  @Property({ type: 'text' })
  subject!: string;

  // Stored, since SQL cannot convert Markdown to plain text.
  @Field(() => String, {
    description: 'The text of the first update without markup, and a newline. Empty if there is no update.',
  })
  @Property({ type: 'text', default: '' })
  synopsis: Opt<string> = '';

  @Field(() => TimelineStates, {
    description: 'Computed from the state, `endedAt` and the current time of the database.',
  })
  @ComputedField<Notice>(notice => timelineStateSql({ state: notice.state, endedAt: notice.endedAt }), 'text')
  timelineState!: TimelineState;

  @TimestampColumn({ nullable: true })
  beginsAt: Date | null = null;

  @TimestampColumn({ nullable: true })
  endsAt: Date | null = null;

  @NullableField(
    () => Timestamp,
    'When the notice was opened or went underway. Null if it has not started, or was cancelled before.',
  )
  @TimestampColumn({ nullable: true })
  beganAt: Date | null = null;

  @NullableField(() => Timestamp, 'When the notice was closed or completed. Null while open.')
  @TimestampColumn({ nullable: true })
  endedAt: Date | null = null;

  @NullableField(
    () => Timestamp,
    'By when the next update is due. Each update replaces or clears it. Null: none is due.',
  )
  @TimestampColumn({ nullable: true })
  nextUpdateBy: Date | null = null;

  /** The last text or other state. Null: it was imported. */
  @TimestampColumn({ nullable: true })
  lastUpdateAt: Date | null = null;

  /** The key of the caller who made it: see `Unit.actor`. */
  @Property({ type: 'text', nullable: true })
  lastUpdateBy: string | null = null;

  /** How many mails have asked for an update since the last one. */
  @Property({ type: 'integer', default: 0 })
  staleReminders: Opt<number> = 0;

  @RequiresAccess('viewer')
  @NullableField(
    () => Timestamp,
    'From when on it is stale: open, and without an update for `staleAfterMinutes` of its page, or for half an ' +
      'hour after the end of a maintenance. Null: it is over, has no states, or the page has no such time.',
  )
  @ComputedField<Notice>(
    notice => `(select ${staleAtSql('stale', 'p')} from notice stale join page p on p.id = stale.page_id
      where stale.id = ${notice.id})`,
    'timestamptz',
  )
  staleAt!: Date | null;

  @Property({ type: 'boolean', default: false })
  shouldAutomateSchedule: Opt<boolean> = false;

  /** Whether the automatic state change is still to come. Each happens once. */
  @Property({ type: 'boolean', default: false })
  beginArmed: Opt<boolean> = false;

  @Property({ type: 'boolean', default: false })
  completeArmed: Opt<boolean> = false;

  /** Whether automatic state changes and the reminder are published; see `rememberPublishing`. */
  @Property({ type: 'boolean', default: false })
  lastShouldPublish: Opt<boolean> = false;

  /** Automatic state changes that were due by then are not published: the page was imported after them. */
  @TimestampColumn({ nullable: true })
  silentUntil: Date | null = null;

  /**
   * The state that the installation from which the page came announced last, where none was announced since; of a
   * notice without states 'announced'. Null: none.
   */
  @Property({ type: 'text', nullable: true })
  announcedAs: NoticeState | 'announced' | null = null;

  @Property({ type: 'text', nullable: true })
  reminder: Reminder | null = null;

  /** `<16 random a-z0-9>-<slug>`: the last segment of the link. */
  @Property({ type: 'text' })
  path!: string;

  @Field(() => String, {
    description: 'The permanent URL on the public page. Its slug follows the subject; earlier URLs redirect.',
  })
  @ComputedField<Notice>(noticeUrlSql, 'text')
  link!: string;

  @Field(() => [String], { description: 'The tags, in the order given.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  tagList: Opt<string[]> = [];

  /** Whether the notice named components. Stored apart, since it outlives the components. */
  @Property({ type: 'boolean', default: false })
  namedComponents: Opt<boolean> = false;

  @RequiresAccess('page')
  @ConnectionField(() => NoticeUpdate, 'The updates, oldest first.', 10)
  @OneToMany(
    () => NoticeUpdate,
    update => update.notice,
  )
  updates = new Collection<NoticeUpdate>(this);

  @RequiresAccess('page')
  @NullableField(() => NoticeUpdate, 'The newest update. Null if there is none.')
  @ManyToOne(() => NoticeUpdate, {
    nullable: true,
    persist: false,
    lazy: true,
    createForeignKeyConstraint: false,
  })
  latestUpdate?: NoticeUpdate | null;

  @RequiresAccess('page')
  @ConnectionField(() => Component, 'The components that the notice names, by position.', 10)
  @ManyToMany(
    () => Component,
    component => component.notices,
    { owner: true, pivotEntity: () => NoticeComponent },
  )
  components = new Collection<Component>(this);

  @RequiresAccess('page')
  @TypicalSize(10)
  @Field(() => [NoticeComponent], { description: 'The components that it names, by id, each with its impact.' })
  @OneToMany(
    () => NoticeComponent,
    named => named.notice,
  )
  affectedComponents = new Collection<NoticeComponent>(this);

  @NullableField(
    () => Impacts,
    'The worst impact of an incident on a component; DEGRADED where it names none. Null for other notices.',
  )
  @ComputedField<Notice>(({ id, type }) => worstImpactSql({ id, type }), 'text')
  worstImpact!: Impact | null;

  @Field(() => [ID], {
    description:
      'The ids of all components that the notice names, without paging, as `componentIds` of an input takes them.',
  })
  @ComputedField<Notice>(
    notice => `array(select component_id from notice_component where notice_id = ${notice.id} order by component_id)`,
    'integer[]',
  )
  componentIds!: number[];

  @RequiresAccess('viewer')
  @NullableField(() => ID, 'The person who takes care of it; `assignNotice` sets it. Null: nobody.')
  @Property({ type: 'integer', nullable: true })
  ownerId: number | null = null;

  @RequiresAccess('viewer')
  @NullableField(() => String, 'The e-mail address of that person. Null: nobody.')
  @ComputedField<Notice>(({ ownerId }) => `(select p.email from person p where p.id = ${ownerId})`, 'text')
  owner!: string | null;

  @RequiresAccess('viewer')
  @NullableField(() => Json, metadataDescription)
  @Property({ type: 'json', nullable: true })
  metadata: Metadata | null = null;

  @ComputedField<Notice>(
    notice => `(select o.recurrence_id from occurrence o where o.notice_id = ${notice.id})`,
    'integer',
  )
  recurrenceId!: number | null;

  // After the others: an error of /v1 lists the filter keys in the order of these fields.
  @NullableField(() => NoticeStates, 'A state of its type. Null for announcements.')
  @Property({ type: 'text', nullable: true })
  state: NoticeState | null = null;

  @Field(() => [NoticeStates], {
    description: 'The states that it can move to: the other states of its type. Empty for announcements.',
  })
  @ComputedField<Notice>(notice => nextStatesSql({ type: notice.type, state: notice.state }), 'text[]')
  nextStates!: NoticeState[];
}

@ObjectType({ implements: Notice, description: 'An incident.' })
export class UnplannedNotice extends Notice {
  @Field(() => NoticeStates, { description: 'The state of the incident: one of the unplanned states.' })
  declare state: NoticeState;
}

@ObjectType({ implements: Notice, description: 'A maintenance with a window.' })
export class PlannedNotice extends Notice {
  @Field(() => NoticeStates, { description: 'The state of the maintenance: one of the planned states.' })
  declare state: NoticeState;

  @Field(() => Timestamp, { description: 'The expected start.' })
  declare beginsAt: Date;

  @Field(() => Timestamp, { description: 'The expected end.' })
  declare endsAt: Date;

  @Field(() => Boolean, {
    description: 'Whether the state changes automatically at the start and the end of the window.',
  })
  declare shouldAutomateSchedule: boolean;

  @RequiresAccess('viewer')
  @NullableField(
    () => Reminders,
    'When subscribers are reminded. Null: the setting of the page. Sent only if a change of the notice was ' +
      'published.',
  )
  declare reminder: Reminder | null;

  @RequiresAccess('viewer')
  @NullableField(() => ID, 'The recurring maintenance that it is an occurrence of. Null: none.')
  declare recurrenceId: number | null;
}

@ObjectType({ implements: Notice, description: 'An announcement. It has no state.' })
export class GeneralNotice extends Notice {}
