import { Field, InputType } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import { NoticeStates, UpdateKinds } from '../notice.enums.js';

export const shouldPublish = 'Whether to send notifications through the channels.';
export const nextUpdateBy =
  'By when the next update is due: the time is shown, and its author is reminded of it. In the future. Null or ' +
  'omitted: none is due.';

@InputType({ description: 'A new update of a notice.' })
export class CreateNoticeUpdateInput {
  @Field(() => String, { description: 'The text, in Markdown. Up to 65,535 characters. Cannot be blank.' })
  content!: string;

  @Field(() => Boolean, { description: `${shouldPublish} Must be false with \`postedAt\`.` })
  shouldPublish!: boolean;

  @Field(() => Timestamp, { nullable: true, description: `${nextUpdateBy} Refused with \`postedAt\`.` })
  nextUpdateBy?: Date | null;

  @Field(() => UpdateKinds as never, {
    nullable: true,
    description: 'POSTMORTEM for a notice with states that is over and has none yet. Null: UPDATE.',
  })
  kind?: string | null;

  @Field(() => Timestamp, {
    nullable: true,
    description:
      'Back-dates the update, to move history in: nobody is notified. Cannot be in the future or before the notice ' +
      'began. Null: now.',
  })
  postedAt?: Date | null;

  @Field(() => NoticeStates as never, {
    nullable: true,
    description:
      'The state that the notice had at `postedAt`, with which it is given only; the state of the notice stays. ' +
      'Null: that of the update before it, or the first state of its type.',
  })
  state?: string | null;
}

@InputType({ description: 'Changes to an update.' })
export class UpdateNoticeUpdateInput {
  @Field(() => String, {
    nullable: true,
    description: 'The text, in Markdown. Up to 65,535 characters. Cannot be blank.',
  })
  content?: string | null;
}
