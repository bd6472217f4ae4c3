import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { metadataInput } from '../pages/metadata.js';
import { Json, Timestamp } from '../core/scalars.js';
import { Reminders } from '../pages/reminder.enum.js';
import { Impacts, NoticeStates } from './notice.enums.js';
import { nextUpdateBy, shouldPublish } from './updates/update.inputs.js';

const onlyPlanned = 'Refused unless the notice is a maintenance.';

@InputType({ description: 'A component that an incident names, with its impact.' })
export class AffectedComponentInput {
  @Field(() => ID, { description: 'The id of a component of the page.' })
  componentId!: string;

  @Field(() => Impacts as never, { description: 'How the incident affects it.' })
  impact!: string;

  @NullableField(
    () => Boolean,
    'True: the component has recovered as of now, and the incident still names it. False: it is affected. Null or ' +
      'omitted: unchanged; a newly named component is affected.',
  )
  hasRecovered?: boolean | null;
}

/** What a new notice and a changed one take alike, and `setDetails` writes. */
@InputType()
export abstract class NoticeDetails {
  @NullableField(
    () => Boolean,
    'True: the notice is treated as one that names components, although the page does not have them, so that ' +
      'subscribers of components are not notified. Null or omitted: true from the first component that it names.',
  )
  hasNamedComponents?: boolean | null;

  @NullableField(() => Json, metadataInput)
  metadata?: unknown;
}

/** The changes that a notice of any type can get; those that do not belong to its type are refused. */
@InputType()
abstract class NoticeChanges extends NoticeDetails {
  @NullableField(() => String, 'Up to 255 characters. Cannot be blank.')
  subject?: string | null;

  @NullableField(() => String, 'The text of a new update, in Markdown. Up to 65,535 characters. Null: no update.')
  content?: string | null;

  @NullableField(
    () => NoticeStates,
    'A state of the type of the notice. Announcements have none. Null counts as omitted.',
  )
  state?: string | null;

  @NullableField(() => [ID], 'All components that the notice names. Null or an empty list: none.')
  componentIds?: string[] | null;

  @NullableField(
    () => [AffectedComponentInput],
    'The components that the notice names, with the impact on each, in place of `componentIds`. Null or an empty ' +
      'list: none. A component that ' +
      '`componentIds` names keeps its impact; a new one is DEGRADED.',
  )
  affectedComponents?: AffectedComponentInput[] | null;

  @NullableField(() => [String], 'All tags. A value that contains commas is split into several tags. Null clears them.')
  tagList?: string[] | null;

  @NullableField(
    () => Timestamp,
    `${nextUpdateBy} Refused without \`content\` or another \`state\`, and of an announcement.`,
  )
  nextUpdateBy?: Date | null;

  @NullableField(() => Timestamp, `The expected start. Null counts as omitted. ${onlyPlanned}`)
  beginsAt?: Date | null;

  @NullableField(() => Timestamp, `The expected end, after the start. Null counts as omitted. ${onlyPlanned}`)
  endsAt?: Date | null;

  @NullableField(
    () => Boolean,
    `Whether the state changes automatically at the start and the end of the window. ${onlyPlanned}`,
  )
  shouldAutomateSchedule?: boolean | null;

  @NullableField(() => Reminders, `When subscribers are reminded. Null: the setting of the page. ${onlyPlanned}`)
  reminder?: string | null;

  @NullableField(
    () => Timestamp,
    'Back-dates the start. Cannot be in the future, or of an announcement. Null counts as omitted.',
  )
  beganAt?: Date | null;

  @NullableField(
    () => Timestamp,
    'Back-dates the end. Cannot be in the future, before the start, or of an announcement. Null counts as omitted.',
  )
  endedAt?: Date | null;
}

@InputType({ description: 'Changes to a notice. Omitted fields keep their values.' })
export class UpdateNoticeInput extends NoticeChanges {
  @Field(() => Boolean, { description: shouldPublish })
  shouldPublish!: boolean;
}
