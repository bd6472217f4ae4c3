import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { Timestamp } from '../core/scalars.js';
import { IncidentStates, MaintenanceStates, NoticeStates } from './notice.enums.js';
import { AffectedComponentInput, NoticeDetails } from './notice.inputs.js';
import { nextUpdateBy } from './updates/update.inputs.js';
import { Reminders } from '../pages/reminder.enum.js';
import { RecurrenceInput } from './recurrence/recurrence.inputs.js';

/** The fields of all actions. An action has only the fields of its type. */
@InputType()
abstract class NoticeActionInput extends NoticeDetails {
  @NullableField(
    () => ID,
    'A template. It fills in subject, content, components and state where they are null or omitted.',
  )
  templateId?: string | null;

  @NullableField(
    () => String,
    'Up to 255 characters. Null or blank: the first line of `content` without markup, up to 100 characters; ' +
      'one of them is required.',
  )
  subject?: string | null;

  @NullableField(() => String, 'The text of the first update, in Markdown. Up to 65,535 characters.')
  content?: string | null;

  @NullableField(() => [ID], 'The components that the notice names. Null or omitted: none.')
  componentIds?: string[] | null;

  @NullableField(() => [String], 'The tags. A value that contains commas is split into several tags.')
  tagList?: string[] | null;

  @Field(() => Boolean, { description: 'Whether to send notifications through the channels.' })
  shouldPublish!: boolean;
}

@InputType({ description: 'A new incident.' })
export class OpenIncidentInput extends NoticeActionInput {
  @NullableField(
    () => [AffectedComponentInput],
    'The components with the impact on each, in place of `componentIds`, whose impact is DEGRADED.',
  )
  affectedComponents?: AffectedComponentInput[] | null;

  @NullableField(() => IncidentStates, 'Default: INVESTIGATING.')
  state?: string | null;

  @NullableField(
    () => Timestamp,
    'When the incident began, if earlier than now. Cannot be in the future. Null counts as omitted.',
  )
  beganAt?: Date | null;

  @NullableField(
    () => Timestamp,
    'When an incident that is over ended. Cannot be in the future or before `beganAt`. Null: now.',
  )
  endedAt?: Date | null;

  @NullableField(() => Timestamp, nextUpdateBy)
  nextUpdateBy?: Date | null;
}

@InputType({ description: 'A new maintenance.' })
export class ScheduleMaintenanceInput extends NoticeActionInput {
  @Field(() => Timestamp, { description: 'The expected start.' })
  beginsAt!: Date;

  @Field(() => Timestamp, { description: 'The expected end. Must be after the start.' })
  endsAt!: Date;

  @NullableField(() => MaintenanceStates, 'Default: SCHEDULED.')
  state?: string | null;

  @NullableField(() => Timestamp, 'When a maintenance that has begun began. Cannot be in the future. Null: now.')
  beganAt?: Date | null;

  @NullableField(
    () => Timestamp,
    'When a maintenance that is over ended. Cannot be in the future or before `beganAt`. Null: now.',
  )
  endedAt?: Date | null;

  @NullableField(
    () => Boolean,
    'Whether the state changes to UNDERWAY and COMPLETE automatically at these times. Default: false.',
  )
  shouldAutomateSchedule?: boolean | null;

  @NullableField(() => Reminders, 'When subscribers are reminded. Null or omitted: the setting of the page.')
  reminder?: string | null;

  @NullableField(() => RecurrenceInput, 'When it repeats. Null: it does not.')
  recurrence?: RecurrenceInput | null;

  @NullableField(() => Timestamp, nextUpdateBy)
  nextUpdateBy?: Date | null;
}

@InputType({ description: 'A new announcement.' })
export class AnnounceInput extends NoticeActionInput {}

@InputType({ description: 'The next state of an incident or a maintenance.' })
export class AdvanceNoticeInput {
  @Field(() => NoticeStates as never, {
    description: 'Any state of its type. The current state changes nothing.',
  })
  state!: string;

  @NullableField(() => String, 'The text of a new update, in Markdown. Up to 65,535 characters.')
  content?: string | null;

  @NullableField(() => Timestamp, nextUpdateBy)
  nextUpdateBy?: Date | null;

  @Field(() => Boolean, { description: 'Whether to send notifications through the channels.' })
  shouldPublish!: boolean;
}
