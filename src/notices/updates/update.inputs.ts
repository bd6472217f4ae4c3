import { Field, InputType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
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

  @NullableField(() => Timestamp, `${nextUpdateBy} Refused with \`postedAt\`.`)
  nextUpdateBy?: Date | null;

  @NullableField(() => UpdateKinds, 'POSTMORTEM for a notice with states that is over and has none yet. Null: UPDATE.')
  kind?: string | null;

  @NullableField(
    () => Timestamp,
    'Back-dates the update, to move history in: nobody is notified. Cannot be in the future or before the notice ' +
      'began. Null: now.',
  )
  postedAt?: Date | null;

  @NullableField(
    () => NoticeStates,
    'The state that the notice had at `postedAt`, with which it is given only; the state of the notice stays. ' +
      'Null: that of the update before it, or the first state of its type.',
  )
  state?: string | null;
}

@InputType({ description: 'Changes to an update.' })
export class UpdateNoticeUpdateInput {
  @NullableField(() => String, 'The text, in Markdown. Up to 65,535 characters. Cannot be blank.')
  content?: string | null;
}
