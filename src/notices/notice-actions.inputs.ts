import { Field, ID, InputType } from 'type-graphql';
import { Timestamp } from '../graphql/scalars.js';
import { NoticeStates } from './notice.entity.js';
import { Reminders } from './reminder.enum.js';

/** What a kind of notice takes, and nothing of the other kinds: `CreateNotice` has the fields of all, as `/v1` needs them. */
@InputType()
abstract class Opening {
  @Field(() => String, { description: '255 characters at most; never blank.' })
  subject!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The text of its first update, in Markdown; 65,535 characters at most.',
  })
  initialComment?: string | null;

  @Field(() => [ID], { nullable: true, description: 'The components it names; null and absent: none.' })
  componentIds?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Its tags; a text with commas is several.' })
  tagList?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is sent out through the channels. Default: false.' })
  shouldPublish?: boolean | null;
}

@InputType({ description: 'A new incident.' })
export class OpenIncident extends Opening {
  @Field(() => NoticeStates as never, { nullable: true, description: 'A state of incidents. Default: INVESTIGATING.' })
  state?: string | null;

  @Field(() => Timestamp, {
    nullable: true,
    description: 'When it began, where that was earlier; not in the future. Null counts as absent: now.',
  })
  beganAt?: Date | null;
}

@InputType({ description: 'A new maintenance.' })
export class ScheduleMaintenance extends Opening {
  @Field(() => Timestamp, { description: 'The expected start.' })
  beginsAt!: Date;

  @Field(() => Timestamp, { description: 'The expected end, after the start.' })
  endsAt!: Date;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Go underway and complete by itself at these times. Default: false.',
  })
  shouldAutomateSchedule?: boolean | null;

  @Field(() => Reminders as never, {
    nullable: true,
    description: 'When people are reminded of it. Null and absent go by the page.',
  })
  reminder?: string | null;
}

@InputType({ description: 'A new announcement.' })
export class Announce extends Opening {}

@InputType({ description: 'The next step of an incident or a maintenance.' })
export class AdvanceNotice {
  @Field(() => NoticeStates as never, {
    description: 'Any state of its type; the one that it has already changes nothing.',
  })
  state!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The text of a new update, in Markdown; 65,535 characters at most.',
  })
  additionalComment?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is sent out through the channels. Default: false.' })
  shouldPublish?: boolean | null;
}
