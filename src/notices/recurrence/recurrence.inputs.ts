import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { Timestamp } from '../../core/scalars.js';
import { Reminders } from '../../pages/reminder.enum.js';
import { MissingHours } from './clock-changes.enums.js';
import type { MissingHour } from './recurrence.rules.js';

@InputType({ description: 'A further window of a maintenance, besides those of its rule.' })
export class MaintenanceWindowInput {
  @Field(() => Timestamp, { description: 'Its start, after that of the first window.' })
  beginsAt!: Date;

  @Field(() => Timestamp, { description: 'Its end.' })
  endsAt!: Date;
}

@InputType({ description: 'When a maintenance repeats: by a rule, in further windows, or both.' })
export class RecurrenceInput {
  @NullableField(
    () => String,
    'An RRULE of RFC 5545, such as `FREQ=MONTHLY;BYDAY=1TU`, with FREQ, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTH, ' +
      'BYMONTHDAY, BYSETPOS and WKST. The first occurrence is `beginsAt`, which must fit it. Null: only `windows`.',
  )
  rule?: string | null;

  @NullableField(() => [MaintenanceWindowInput], 'Further windows, up to 100, each an occurrence of its own length.')
  windows?: MaintenanceWindowInput[] | null;

  @NullableField(
    () => String,
    'The time zone whose wall time every occurrence has, by its identifier in the tz database or its name. ' +
      'Null: that of the page.',
  )
  timezone?: string | null;

  @NullableField(
    () => MissingHours,
    'What becomes of an occurrence whose time of day a change to summer time leaves out. Null: SKIP.',
  )
  onMissingHour?: MissingHour | null;

  @NullableField(
    () => Boolean,
    'Whether subscribers are notified of each later occurrence when it is planned. Null: as `shouldPublish`.',
  )
  shouldPublish?: boolean | null;
}

@InputType({ description: 'The occurrence that is left out.' })
export class SkipOccurrenceInput {
  @Field(() => Timestamp, { description: 'Its start by the rule.' })
  occursAt!: Date;

  @Field(() => Boolean, { description: 'Whether to send notifications.' })
  shouldPublish!: boolean;
}

@InputType({ description: 'Where one occurrence is moved to.' })
export class MoveOccurrenceInput extends SkipOccurrenceInput {
  @Field(() => Timestamp, { description: 'Its new start.' })
  beginsAt!: Date;

  @Field(() => Timestamp, { description: 'Its new end.' })
  endsAt!: Date;
}

@InputType({ description: 'Changes of all occurrences that are still to begin. Omitted fields keep their values.' })
export class UpdateRecurrenceInput {
  @NullableField(() => String, 'An RRULE, as in `RecurrenceInput`.')
  rule?: string | null;

  @NullableField(
    () => [MaintenanceWindowInput],
    'All further windows, as in `RecurrenceInput`. Omitted: with `beginsAt`, those after the first change.',
  )
  windows?: MaintenanceWindowInput[] | null;

  @NullableField(() => String, 'The time zone, as in `RecurrenceInput`.')
  timezone?: string | null;

  @NullableField(() => MissingHours, 'As in `RecurrenceInput`.')
  onMissingHour?: MissingHour | null;

  @NullableField(
    () => Timestamp,
    'The start by the rule of the first occurrence that is changed: the earlier ones, which are notices, stay. ' +
      'Null: the next one. With it, a new `rule` or `timezone` requires `beginsAt`.',
  )
  fromOccurrence?: Date | null;

  @NullableField(
    () => Timestamp,
    'The start of the first changed occurrence, from which the rule counts. `endsAt` is required with it.',
  )
  beginsAt?: Date | null;

  @NullableField(() => Timestamp, 'The end of that occurrence.')
  endsAt?: Date | null;

  @NullableField(() => String, 'Up to 255 characters. Cannot be blank.')
  subject?: string | null;

  @NullableField(
    () => String,
    'The text of the first update of later notices, and of a new update of those that are planned.',
  )
  content?: string | null;

  @NullableField(() => [ID], 'The components that the notices name.')
  componentIds?: string[] | null;

  @NullableField(() => Boolean, 'Whether their state changes automatically.')
  shouldAutomateSchedule?: boolean | null;

  @NullableField(() => Reminders, 'When subscribers are reminded.')
  reminder?: string | null;

  @Field(() => Boolean, {
    description:
      'Whether subscribers are notified of this change: once, by a message of the first notice that it changes.',
  })
  shouldPublish!: boolean;

  @NullableField(
    () => Boolean,
    'Whether they are notified of each later occurrence when it is planned. Omitted: as before.',
  )
  shouldPublishLater?: boolean | null;
}
