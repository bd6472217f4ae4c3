import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ComponentStates } from '../../components/component.entity.js';
import type { ComponentState } from '../../components/component.states.js';
import { enumeration } from '../../graphql/enum.js';
import { NoticeStates } from '../../notices/notice.entity.js';
import type { NoticeState } from '../../notices/notice.states.js';
import type { Channel } from '../page-channels/channel-names.js';
import { skipReasons } from '../delivery/delivery.states.js';
import { Channels } from '../delivery/delivery.enums.js';
import type { PublicationEvent } from '../message-snapshot.js';
import { PublicationEvents } from '../publication.entity.js';
import type { WarningCode } from './warnings.js';

const WarningCodes = enumeration(
  'WarningCode',
  {
    window_past: 'The window has begun already.',
    summer_time: 'The clocks of the page change within the window.',
    everybody: 'No component is named, so that all subscribers hear.',
    covered: 'An open notice names one of the components already, or one above or below.',
    unchanged: 'Nothing changes, so that nothing is told.',
  } satisfies Record<WarningCode, string>,
  'What somebody may have overlooked.',
);

@ObjectType({ description: 'Something that may have been overlooked.' })
export class Warning {
  @Field(() => WarningCodes, { description: 'What it is.' })
  code!: WarningCode;

  @Field(() => String, { description: 'The same as a sentence.' })
  text!: string;
}

@ObjectType({ description: 'Whom a channel reaches.' })
export class AudiencePart {
  @Field(() => Channels, { description: 'By what they are told.' })
  channel!: Channel;

  @Field(() => Int, { description: 'How many messages go there.' })
  count!: number;

  @Field(() => [String], { description: 'Some of the addresses: five at most.' })
  sample!: string[];
}

const { channelOff, notOnChannel, unsubscribed, unconfirmed, outOfScope } = skipReasons;

@ObjectType({ description: 'Whom a channel would reach, and who is left out.' })
export class LeftOutPart extends AudiencePart {
  @Field(() => String, {
    description: `Why: ${[channelOff, notOnChannel, unsubscribed, unconfirmed, outOfScope].join(', ')}. A channel that was never set up is off.`,
  })
  reason!: string;
}

@ObjectType({ description: 'A component whose state would move.' })
export class MovedComponent {
  @Field(() => ID, { description: 'Its id.' })
  id!: number;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => ComponentStates, { description: 'Its state now.' })
  before!: ComponentState;

  @Field(() => ComponentStates, { description: 'Its state then.' })
  after!: ComponentState;
}

@ObjectType({
  description:
    'A mail as a subscriber would get it; its links to leave and to change choices lead nowhere, since they are made for each.',
})
export class PreviewMail {
  @Field(() => String, { description: 'The subject.' })
  subject!: string;

  @Field(() => String, { description: 'The text.' })
  text!: string;

  @Field(() => String, { description: 'The same as HTML.' })
  html!: string;
}

@ObjectType({ description: 'The messages that would be sent.' })
export class PreviewMessages {
  @Field(() => String, { description: 'The public page as it would be, in the standard look: a whole HTML document.' })
  page!: string;

  @Field(() => PreviewMail, { description: 'The mail.' })
  mail!: PreviewMail;

  @Field(() => String, { description: 'The SMS.' })
  sms!: string;

  @Field(() => String, { description: 'What is sent to Slack, as JSON.' })
  chatA!: string;

  @Field(() => String, { description: 'What is sent to Microsoft Teams, as JSON.' })
  chatB!: string;

  @Field(() => String, { description: 'The status on Mastodon.' })
  social!: string;
}

@ObjectType({ description: 'What would be told, and to whom.' })
export class PublicationPreview {
  @Field(() => PublicationEvents, {
    nullable: true,
    description: 'What would have happened; null where nothing changes.',
  })
  event!: PublicationEvent | null;

  @Field(() => String, { nullable: true, description: 'What would be said, in Markdown; null where nothing changes.' })
  text!: string | null;

  @Field(() => [AudiencePart], { description: 'Who would be told, by channel.' })
  audience!: AudiencePart[];

  @Field(() => [LeftOutPart], { description: 'Who would not be told, by channel and reason.' })
  leftOut!: LeftOutPart[];

  @Field(() => NoticeStates, { nullable: true, description: 'The state of the notice then; null for announcements.' })
  noticeState!: NoticeState | null;

  @Field(() => ComponentStates, { description: 'The state of the page then.' })
  pageState!: string;

  @Field(() => [MovedComponent], { description: 'The components whose state would move, by position.' })
  components!: MovedComponent[];

  @Field(() => [Warning], { description: 'What may have been overlooked.' })
  warnings!: Warning[];

  @Field(() => PreviewMessages, {
    nullable: true,
    description: 'The messages, as they would be written; null where nothing changes.',
  })
  messages!: PreviewMessages | null;
}
