import { Field, InputType } from 'type-graphql';
import { Channels } from '../delivery/delivery.enums.js';
import type { Channel } from './channel-names.js';

@InputType({ description: 'The credentials of a channel. They cannot be read back.' })
export class ConfigureChannel {
  @Field(() => Channels, {
    description:
      'CHAT_A (Slack), CHAT_B (Microsoft Teams) or SOCIAL (Mastodon); e-mail and SMS are configured for the whole ' +
      'service. The channel is used at once, unless its switch on the page is off.',
  })
  channel!: Channel;

  @Field(() => String, { description: 'The https URL of the incoming webhook; for SOCIAL, of the server.' })
  url!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'For SOCIAL only: an access token with the scope `write:statuses`. If absent, the current token is kept, as ' +
      'long as the server is the same.',
  })
  token?: string | null;
}

@InputType({ description: 'The channel to remove.' })
export class RemoveChannel {
  @Field(() => Channels, { description: 'CHAT_A, CHAT_B or SOCIAL.' })
  channel!: Channel;
}

@InputType({ description: 'The channel to test.' })
export class TestChannel {
  @Field(() => Channels, { description: 'A configured channel.' })
  channel!: Channel;

  @Field(() => String, {
    nullable: true,
    description: 'The recipient: an e-mail address for EMAIL, a phone number for SMS; ignored for the others.',
  })
  to?: string | null;
}
