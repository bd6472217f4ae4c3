import { Field, ID, InputType, Int } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { Timestamp } from '../core/scalars.js';
import { NoticeStateEvents, NoticeStates, NoticeTypes } from './notice.enums.js';

/** The inputs of /v1 alone, with its second spellings. Their order is that of the OpenAPI document. */
@InputType()
abstract class NoticeV1 {
  @NullableField(
    () => NoticeStates,
    'A state of the type of the notice. General notices have none. Null counts as omitted.',
  )
  state?: string | null;

  @NullableField(
    () => NoticeStateEvents,
    'CLOSE resolves an incident or completes a maintenance; one that is over stays as it is. Takes precedence over ' +
      '`state`. Null counts as omitted.',
  )
  stateEvent?: string | null;

  @NullableField(() => Boolean, 'Whether to send notifications through the channels. Default: false.')
  shouldPublish?: boolean | null;

  @NullableField(() => [ID], 'All components that the notice names. Null or an empty list: none.')
  componentIds?: string[] | null;

  @NullableField(() => [String], 'All tags. A value that contains commas is split into several tags. Null clears them.')
  tagList?: string[] | null;

  @NullableField(
    () => Boolean,
    'Planned only: whether the state changes automatically at the start and the end of the window. Default: false.',
  )
  shouldAutomateSchedule?: boolean | null;

  @NullableField(() => Timestamp, 'Planned only: the expected start. Null counts as omitted.')
  beginsAt?: Date | null;

  @NullableField(() => Timestamp, 'Planned only: the expected end. Null counts as omitted.')
  endsAt?: Date | null;

  @NullableField(
    () => String,
    'Planned only: the date of the start, YYYY-MM-DD in UTC. Takes precedence over `beginsAt`.',
  )
  beginsAtDate?: string | null;

  @NullableField(
    () => String,
    'Planned only: the time of the start, HH:MM:SS or HH:MM in UTC. Takes precedence over `beginsAt`.',
  )
  beginsAtTime?: string | null;

  @NullableField(() => Int, 'Planned only: the duration in minutes, greater than 0. Takes precedence over `endsAt`.')
  durationInMinutes?: number | null;

  @NullableField(() => Timestamp, 'Back-dates the start. Cannot be in the future. Null counts as omitted.')
  beganAt?: Date | null;

  @NullableField(
    () => Timestamp,
    'Back-dates the end. Cannot be in the future or before the start. Null counts as omitted.',
  )
  endedAt?: Date | null;
}

@InputType({ description: 'A new notice.' })
export class CreateNoticeV1 extends NoticeV1 {
  @NullableField(() => NoticeTypes, 'Default: UNPLANNED. Cannot be changed later.')
  type?: string | null;

  @NullableField(
    () => String,
    'Up to 255 characters. Null or blank: the first line of `initialComment` without markup, up to 100 characters; ' +
      'one of them is required.',
  )
  subject?: string | null;

  @NullableField(() => String, 'The text of the first update, in Markdown. Up to 65,535 characters.')
  initialComment?: string | null;
}

@InputType({ description: 'Changes to a notice. Omitted fields keep their values.' })
export class UpdateNoticeV1 extends NoticeV1 {
  @NullableField(() => String, 'Up to 255 characters. Cannot be blank.')
  subject?: string | null;

  @NullableField(() => String, 'The text of a new update, in Markdown. Up to 65,535 characters.')
  additionalComment?: string | null;
}

@InputType({ description: 'A new update of a notice.' })
export class CreateNoticeUpdateV1 {
  @Field(() => String, { description: 'The text, in Markdown. Up to 65,535 characters. Cannot be blank.' })
  content!: string;

  @NullableField(() => Boolean, 'Whether to send notifications through the channels. Default: true.')
  shouldPublish?: boolean | null;
}

@InputType({ description: 'Changes to a template. Omitted fields keep their values.' })
export class UpdateNoticeTemplateV1 {
  @NullableField(() => String, 'Up to 255 characters. Cannot be blank.')
  name?: string | null;

  @NullableField(() => String, 'Up to 255 characters. Null clears it.')
  subject?: string | null;

  @NullableField(() => String, 'Up to 65,535 characters. Null clears it.')
  initialComment?: string | null;

  @NullableField(() => String, 'The earlier name of `initialComment`, which takes precedence.')
  content?: string | null;

  @NullableField(() => ID, 'The component of the template. Null: the template is for the whole page.')
  componentId?: string | null;
}

@InputType({ description: 'A new template.' })
export class CreateNoticeTemplateV1 extends UpdateNoticeTemplateV1 {
  @Field(() => String, { description: 'Up to 255 characters. Cannot be blank.' })
  declare name: string;
}
