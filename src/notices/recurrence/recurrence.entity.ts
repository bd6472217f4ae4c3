import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { Timestamp } from '../../core/scalars.js';
import { Timestamped, TimestampColumn } from '../../core/timestamped.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { ConvertedField, ReferenceField } from '../../graphql/entity-field-decorators.js';
import { StoredInputField } from '../../graphql/stored-input.js';
import { BelongsToPage } from '../../pages/belongs-to-page.entity.js';
import type { Page } from '../../pages/page.entity.js';
import type { Reminder } from '../../pages/reminder.js';
import { findZone } from '../../pages/time-zones.js';
import { Reminders } from '../../pages/reminder.enum.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';
import { Component } from '../../components/component.entity.js';
import { Notice, PlannedNotice } from '../notice.entity.js';
import { MissingHours } from './clock-changes.enums.js';
import { MaintenanceWindowInput } from './recurrence.inputs.js';
import type { FurtherWindow, MissingHour } from './recurrence.rules.js';

@ObjectType({
  implements: Timestamped,
  description: 'A maintenance that repeats. Each occurrence becomes a notice of its own before it begins.',
})
@Index({
  name: 'recurrence_due_at_index',
  expression: 'create index recurrence_due_at_index on recurrence (due_at) where due_at is not null',
})
@Index({ name: 'recurrence_page_id_id_index', properties: ['page', 'id'] })
@Entity({ tableName: 'recurrence' })
export class Recurrence extends Timestamped {
  static readonly rules = defineRules<Recurrence>({
    recordName: 'recurring maintenance',
    isPageContent: true,
    unversioned: ['nextOccurrenceAt', 'nextNoticeAt', 'announcedUntil'],
  });

  @Field(() => ID, { description: 'Unique among all recurrences.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @BelongsToPage('recurrences', 'viewer', () => Recurrence, 'The maintenance that repeats, in the order of creation.')
  page!: Page;

  @NullableField(() => String, 'When it repeats: an RRULE of RFC 5545. Null: it has further windows only.')
  @Property({ type: 'text', nullable: true })
  rule: string | null = null;

  @ConvertedField(
    'timezoneName',
    findZone,
    () => String,
    'The identifier in the tz database of the time zone whose wall time every occurrence has.',
  )
  readonly timezone!: string;

  @Field(() => String, { description: 'The display name of its `timezone`.' })
  @Property({ type: 'text', fieldName: 'timezone' })
  timezoneName!: string;

  @Field(() => MissingHours as never, {
    description: 'What becomes of an occurrence whose time of day a change to summer time leaves out.',
  })
  @Property({ type: 'text', default: 'skip' })
  onMissingHour: Opt<MissingHour> = 'skip';

  @Field(() => Timestamp, { description: 'The start of its first occurrence, from which the rule counts.' })
  @TimestampColumn()
  beginsAt!: Date;

  @Field(() => Timestamp, { description: 'The end of its first occurrence. All of the rule last equally long.' })
  @TimestampColumn()
  endsAt!: Date;

  @StoredInputField(() => MaintenanceWindowInput, { description: 'Its further windows, in order.', isList: true })
  @Property({ type: 'json', defaultRaw: "'[]'" })
  windows: Opt<FurtherWindow[]> = [];

  @Field(() => String, { description: 'The subject of its notices.' })
  @Property({ type: 'text' })
  subject!: string;

  @NullableField(() => String, 'The text of their first update. Null: they have none.')
  @Property({ type: 'text', nullable: true })
  content: string | null = null;

  @Field(() => [ID], { description: 'The components that they name.' })
  @Property({ type: 'integer[]', columnType: 'int[]', defaultRaw: "'{}'" })
  componentIds: Opt<number[]> = [];

  @ReferenceField(() => Component, 'componentIds', { typicalSize: 5, description: 'The components of `componentIds`.' })
  components?: Component[];

  @Field(() => [String], { description: 'Their tags.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  tagList: Opt<string[]> = [];

  @Field(() => Boolean, { description: 'Whether their state changes automatically at start and end.' })
  @Property({ type: 'boolean', default: false })
  shouldAutomateSchedule: Opt<boolean> = false;

  @NullableField(() => Reminders, 'When subscribers are reminded. Null: as the page says.')
  @Property({ type: 'text', nullable: true })
  reminder: Reminder | null = null;

  @Field(() => Boolean, { description: 'Whether subscribers are notified of each occurrence when it is planned.' })
  @Property({ type: 'boolean', default: false })
  shouldPublish: Opt<boolean> = false;

  @NullableField(() => Timestamp, 'The start of the next occurrence that becomes a notice. Null: there is none.')
  @TimestampColumn({ nullable: true, fieldName: 'next_at' })
  nextOccurrenceAt: Date | null = null;

  @NullableField(() => Timestamp, 'When that occurrence becomes a notice. Null: there is none.')
  @TimestampColumn({ nullable: true, fieldName: 'due_at' })
  nextNoticeAt: Date | null = null;

  /** The start of the last occurrence that a message about the series named. Null: there was none. */
  @TimestampColumn({ nullable: true })
  announcedUntil: Date | null = null;

  @Field(() => [ID], { description: 'The ids of its notices that are still to begin, earliest first.' })
  @ComputedField<Recurrence>(
    ({ id }) => `array(select n.id from occurrence o join notice n on n.id = o.notice_id
      where o.recurrence_id = ${id} and n.state = 'scheduled' order by o.occurs_at)`,
    'integer[]',
  )
  plannedNoticeIds!: number[];

  @ReferenceField(() => Notice, 'plannedNoticeIds', {
    typicalSize: 3,
    description: 'Its notices that are still to begin, earliest first.',
  })
  plannedNotices?: Notice[];
}

RequiresAccess('viewer')(PlannedNotice.prototype, 'recurrence');
ReferenceField(() => Recurrence, 'recurrenceId', {
  description: 'The recurring maintenance whose occurrence it is. Null: none.',
})(PlannedNotice.prototype, 'recurrence');
