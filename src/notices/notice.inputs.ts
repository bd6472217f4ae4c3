import { Field, ID, InputType, Int } from 'type-graphql';
import { Timestamp } from '../graphql/scalars.js';
import { Reminders } from './reminder.enum.js';
import { NoticeStates, NoticeTypes } from './notice.entity.js';

@InputType()
export abstract class NoticeInput {
  @Field(() => NoticeStates as never, {
    nullable: true,
    description: 'A state of its type; general notices have none. Null counts as absent.',
  })
  state?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the change is sent out through the channels. Default: false.',
  })
  shouldPublish?: boolean | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'The components it names, all of them; absent keeps, null and an empty list name none.',
  })
  componentIds?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'All its tags; a text with commas is several. Absent keeps, null clears.',
  })
  tagList?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Planned only: go underway and complete by itself at the times of the window. Default: false.',
  })
  shouldAutomateSchedule?: boolean | null;

  @Field(() => Timestamp, { nullable: true, description: 'Planned only: the expected start. Null counts as absent.' })
  beginsAt?: Date | null;

  @Field(() => Timestamp, { nullable: true, description: 'Planned only: the expected end. Null counts as absent.' })
  endsAt?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Planned only: the day of the start, YYYY-MM-DD in UTC; goes before `beginsAt`.',
  })
  beginsAtDate?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Planned only: the time of the start, HH:MM:SS or HH:MM in UTC; goes before `beginsAt`.',
  })
  beginsAtTime?: string | null;

  @Field(() => Int, { nullable: true, description: 'Planned only: minutes, more than 0; goes before `endsAt`.' })
  durationInMinutes?: number | null;

  @Field(() => Reminders as never, {
    nullable: true,
    description: 'Planned only: when people are reminded of it. Null goes by the page.',
  })
  reminder?: string | null;

  @Field(() => Timestamp, {
    nullable: true,
    description: 'Back-dates the opening; not in the future. Null counts as absent.',
  })
  beganAt?: Date | null;

  @Field(() => Timestamp, {
    nullable: true,
    description: 'Back-dates the close; not in the future, not before the opening. Null counts as absent.',
  })
  endedAt?: Date | null;
}

@InputType({ description: 'A new notice.' })
export class CreateNotice extends NoticeInput {
  @Field(() => NoticeTypes as never, { nullable: true, description: 'Default: UNPLANNED. It never changes.' })
  type?: string | null;

  @Field(() => String, { description: '255 characters at most; never blank.' })
  subject!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The text of its first update, in Markdown; 65,535 characters at most.',
  })
  initialComment?: string | null;
}

@InputType({ description: 'What may be set of a notice. What is absent stays.' })
export class UpdateNotice extends NoticeInput {
  @Field(() => String, { nullable: true, description: '255 characters at most; never blank.' })
  subject?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The text of a new update, in Markdown; 65,535 characters at most.',
  })
  additionalComment?: string | null;
}

@InputType({ description: 'A new update of a notice.' })
export class CreateNoticeUpdate {
  @Field(() => String, { description: 'Markdown; 65,535 characters at most; never blank.' })
  content!: string;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is sent out through the channels. Default: true.' })
  shouldPublish?: boolean | null;
}

@InputType({ description: 'What may be set of an update.' })
export class UpdateNoticeUpdate {
  @Field(() => String, { nullable: true, description: 'Markdown; 65,535 characters at most; never blank.' })
  content?: string | null;
}
