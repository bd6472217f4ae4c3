import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToMany, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import { Derived } from '../records/computed-field.js';
import { literal } from '../core/sql-literal.js';
import type { Order } from '../records/select-sql.js';
import { Stamped, TimestampColumn } from '../db/timestamped.entity.js';
import { Asks, type Caller } from '../auth/access.js';
import { enumeration } from '../graphql/enum.js';
import { Timestamp } from '../graphql/scalars.js';
import { Page } from '../pages/page.entity.js';
import { publicAddressSql } from '../pages/public-url.js';
import {
  type NoticeState,
  type NoticeType,
  presentSql,
  type TimelineState,
  timelineStateSql,
} from './notice.states.js';
import type { Reminder } from './reminder.js';
import { Reminders } from './reminder.enum.js';
import { NoticeComponent } from './notice-component.entity.js';
import { NoticeUpdate } from './update.entity.js';

export const NoticeTypes = enumeration(
  'NoticeType',
  {
    unplanned: 'An incident.',
    planned: 'A maintenance with a window.',
    general: 'An announcement, marked as in development.',
  } satisfies Record<NoticeType, string>,
  'What a notice is about; it decides which states and fields the notice has.',
);
export const NoticeStates = enumeration(
  'NoticeState',
  {
    investigating: 'Unplanned; ongoing: the cause is looked for. The first state of an incident.',
    identified: 'Unplanned; ongoing: the cause is known.',
    recovering: 'Unplanned; ongoing: it is getting better.',
    resolved: 'Unplanned; over.',
    false_alarm: 'Unplanned; over: there was nothing.',
    scheduled: 'Planned; not started. The first state of a maintenance.',
    cancelled: 'Planned; over: it does not take place, or was broken off.',
    underway: 'Planned; ongoing.',
    complete: 'Planned; over.',
  } satisfies Record<NoticeState, string>,
  'How a notice stands. Any state of its type may follow any other; general notices have none.',
);
export const TimelineStates = enumeration(
  'TimelineState',
  {
    future: 'Not started.',
    present: 'Ongoing.',
    past_recent: 'Over since 7 days at most.',
    past_distant: 'Over since more than 7 days.',
  } satisfies Record<TimelineState, string>,
  'Where a notice stands in time.',
);

@InterfaceType({
  implements: Stamped,
  description: 'Something a page tells: an incident, a maintenance or an announcement.',
})
@Entity({ tableName: 'notice' })
@Index({ properties: ['page', 'id'] })
@Index({
  name: 'notice_present_index',
  expression: `create index "notice_present_index" on "notice" ("page_id") where ${presentSql('state')}`,
})
@Index({
  name: 'notice_begin_due_index',
  expression: 'create index "notice_begin_due_index" on "notice" ("begins_at") where begin_armed',
})
@Index({
  name: 'notice_reminder_index',
  expression: `create index "notice_reminder_index" on "notice" ("begins_at") where state = 'scheduled' and last_should_publish`,
})
@Index({
  name: 'notice_complete_due_index',
  expression: 'create index "notice_complete_due_index" on "notice" ("ends_at") where complete_armed',
})
export class Notice extends Stamped {
  static readonly word = 'notice';

  /** Newest first. */
  static readonly order: Order = [{ field: 'id', direction: 'desc' }];

  @Field(() => ID, { description: 'Unique among all notices; a later one is greater.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  /** The name of the type in the graph: which fields a notice has. */
  @Derived<Notice>(
    notice =>
      `case ${notice.type} when 'planned' then 'PlannedNotice' when 'unplanned' then 'UnplannedNotice' else 'GeneralNotice' end`,
    'text',
  )
  kind!: string;

  @Field(() => NoticeTypes, { description: 'Set at creation; never changes.' })
  @Property({ type: 'text' })
  type!: NoticeType;

  @Field(() => String, { description: 'The title.' })
  @Property({ type: 'text' })
  subject!: string;

  // Stored: SQL cannot take Markdown away.
  @Field(() => String, {
    description: 'The text of the first update without its markup, and a newline; empty when there is no update.',
  })
  @Property({ type: 'text', default: '' })
  synopsis: Opt<string> = '';

  @Property({ type: 'text', nullable: true })
  state: NoticeState | null = null;

  @Field(() => TimelineStates, { description: "Follows from the state, ended_at and the database's clock." })
  @Derived<Notice>(notice => timelineStateSql({ state: notice.state, endedAt: notice.endedAt }), 'text')
  timelineState!: TimelineState;

  @TimestampColumn({ nullable: true })
  beginsAt: Date | null = null;

  @TimestampColumn({ nullable: true })
  endsAt: Date | null = null;

  @Field(() => Timestamp, {
    nullable: true,
    description:
      'When it was opened or went underway; null while scheduled, and of what was cancelled before it began.',
  })
  @TimestampColumn({ nullable: true })
  beganAt: Date | null = null;

  @Field(() => Timestamp, { nullable: true, description: 'When it was closed or completed; null while open.' })
  @TimestampColumn({ nullable: true })
  endedAt: Date | null = null;

  @Property({ type: 'boolean', default: false })
  shouldAutomateSchedule: Opt<boolean> = false;

  /** Whether the move is still to come; each fires once. */
  @Property({ type: 'boolean', default: false })
  beginArmed: Opt<boolean> = false;

  @Property({ type: 'boolean', default: false })
  completeArmed: Opt<boolean> = false;

  /** What the last request that carried should_publish said; an automatic move follows it. */
  @Property({ type: 'boolean', default: false })
  lastShouldPublish: Opt<boolean> = false;

  @Property({ type: 'text', nullable: true })
  reminder: Reminder | null = null;

  /** `<16 random a-z0-9>-<slug>`: the last part of the link. */
  @Property({ type: 'text' })
  path!: string;

  @Field(() => String, {
    description: 'The permanent address on the public page; its last part follows the subject, and old ones redirect.',
  })
  @Derived<Notice>(notice => `${publicAddressSql(notice.page)} || ${literal('/notices/')} || ${notice.path}`, 'text')
  link!: string;

  @Field(() => [String], { description: 'Tags, in the order given; empty when there are none.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  tagList: Opt<string[]> = [];

  /** That a notice named components is a fact of its own: it outlives the components. */
  @Property({ type: 'boolean', default: false })
  namedComponents: Opt<boolean> = false;

  @Asks('page')
  @Field(() => [NoticeUpdate], { description: 'Oldest first.' })
  @OneToMany(
    () => NoticeUpdate,
    update => update.notice,
  )
  updates = new Collection<NoticeUpdate>(this);

  @Asks('page')
  @Field(() => [Component], { description: 'The components it names, by position.' })
  @ManyToMany(
    () => Component,
    component => component.notices,
    { owner: true, pivotEntity: () => NoticeComponent },
  )
  components = new Collection<Component>(this);

  @Field(() => [ID], {
    description: 'The ids of all the components that it names, however many; what `componentIds` of an input takes.',
  })
  @Derived<Notice>(
    notice => `array(select component_id from notice_component where notice_id = ${notice.id} order by component_id)`,
    'integer[]',
  )
  componentIds!: number[];

  /** "planned only": on the others it is absent, which is null to a filter, whatever the column says. */
  static readonly compared = {
    shouldAutomateSchedule: (notice: Record<string, string>) =>
      `case when ${notice.type} = 'planned' then ${notice.shouldAutomateSchedule} end`,
  };

  /** `filter[for_components]`: what somebody who depends on these wants to hear of. */
  static readonly conditions = {
    forComponents: (notice: Record<string, string>, components: string) => `${notice.id} in (
      with recursive above as (
        select id, parent_id from component where id = any(${components}::bigint[])
        union select c.id, c.parent_id from component c join above a on c.id = a.parent_id),
      below as (select id from component where id = any(${components}::bigint[]) union select c.id from component c join below b on c.parent_id = b.id)
      select named.notice_id from notice_component named where named.component_id in (select id from above union select id from below))`,
  };

  /** Without a token no notice of the distant past is shown. */
  static visible(notice: { state: string; endedAt: string }, caller: Caller): string | undefined {
    return caller.kind === 'anonymous' ? `${timelineStateSql(notice)} <> 'past_distant'` : undefined;
  }
}

@ObjectType({ implements: Notice, description: 'An incident.' })
export class UnplannedNotice extends Notice {
  @Field(() => NoticeStates, { description: 'How the incident stands; one of the unplanned states.' })
  declare state: NoticeState;
}

@ObjectType({ implements: Notice, description: 'A maintenance with a window.' })
export class PlannedNotice extends Notice {
  @Field(() => NoticeStates, { description: 'How the maintenance stands; one of the planned states.' })
  declare state: NoticeState;

  @Field(() => Timestamp, { description: 'The expected start.' })
  declare beginsAt: Date;

  @Field(() => Timestamp, { description: 'The expected end.' })
  declare endsAt: Date;

  @Field(() => Boolean, { description: 'Whether it goes underway and completes by itself at the times of its window.' })
  declare shouldAutomateSchedule: boolean;

  @Field(() => Reminders, {
    nullable: true,
    description:
      'When people are reminded of it; null goes by the page. Only while the last request that said so wanted people told.',
  })
  declare reminder: Reminder | null;
}

@ObjectType({ implements: Notice, description: 'An announcement; it has no state.' })
export class GeneralNotice extends Notice {}
