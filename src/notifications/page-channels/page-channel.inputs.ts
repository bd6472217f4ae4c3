import { Field, InputType } from 'type-graphql';
import { Channels } from '../delivery/delivery.enums.js';
import type { Channel } from './channel-names.js';

@InputType({ description: 'What a channel needs to be reached. It is never shown again.' })
export class ConfigureChannel {
  @Field(() => Channels, {
    description:
      'CHAT_A (Slack), CHAT_B (Microsoft Teams) or SOCIAL (Mastodon): e-mail and SMS are set for the whole service. It is switched on, unless its send switch of the page is off.',
  })
  channel!: Channel;

  @Field(() => String, { description: 'The https address of the incoming webhook; of the server for SOCIAL.' })
  url!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Only for SOCIAL: an access token with the right to write statuses. What is absent stays, as long as the server is the same.',
  })
  token?: string | null;
}

@InputType({ description: 'The channel to remove.' })
export class RemoveChannel {
  @Field(() => Channels, { description: 'CHAT_A, CHAT_B or SOCIAL.' })
  channel!: Channel;
}

@InputType({ description: 'The channel to try out.' })
export class TestChannel {
  @Field(() => Channels, { description: 'One that is configured.' })
  channel!: Channel;

  @Field(() => String, {
    nullable: true,
    description: 'Whom the test goes to: an e-mail address for EMAIL, a phone number for SMS; not used by the others.',
  })
  to?: string | null;
}
