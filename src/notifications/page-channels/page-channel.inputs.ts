import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { Channels } from '../channels/channel.enums.js';
import { type ChannelName, pageChannels } from '../channels/registry.js';

/** SLACK (Slack), TEAMS (Microsoft Teams) or MASTODON (Mastodon) */
const pageChannelList = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  pageChannels.map(({ enumName, label }) => `${enumName} (${label})`),
);

@InputType({ description: 'The credentials of a channel. They cannot be read back.' })
export class ConfigureChannelInput {
  @Field(() => Channels, {
    description:
      `${pageChannelList}; the other channels are configured for the whole service. ` +
      'The channel is used at once, unless its switch on the page is off.',
  })
  channel!: ChannelName;

  @Field(() => String, { description: 'The https URL of the incoming webhook; for MASTODON, of the server.' })
  url!: string;

  @NullableField(
    () => String,
    'For MASTODON only: an access token with the scope `write:statuses`. If absent, the current token is kept, as ' +
      'long as the server is the same.',
  )
  token?: string | null;
}

@InputType({ description: 'The channel to remove.' })
export class RemoveChannelInput {
  @Field(() => Channels, { description: `${pageChannelList}.` })
  channel!: ChannelName;
}

@InputType({ description: 'The channel to test.' })
export class TestChannelInput {
  @Field(() => Channels, {
    description: 'A configured channel, and neither WEBHOOK, of which `testWebhook` tests one, nor PUSH.',
  })
  channel!: ChannelName;

  @NullableField(
    () => String,
    'The recipient: an e-mail address for EMAIL, a phone number for SMS; ignored for channels of the page.',
  )
  to?: string | null;
}

@InputType({ description: 'A suspended recipient: a channel of the page, or a subscriber.' })
export class LiftSuspensionInput {
  @Field(() => Channels, { description: `${pageChannelList}; EMAIL for a subscriber.` })
  channel!: ChannelName;

  @NullableField(() => ID, 'The subscriber; required for EMAIL, and for no other channel.')
  subscriberId?: string | null;
}

@InputType({ description: 'Which suspended recipients: subscribers and channels of the page, not its webhooks.' })
export class LiftSuspensionsInput {
  @NullableField(() => Channels, 'Those on this channel. Default: on all.')
  channel?: ChannelName | null;

  @NullableField(
    () => String,
    'Those whose `suspensionReason` is this, but for addresses and words with digits, which differ between ' +
      'recipients. Default: all.',
  )
  response?: string | null;
}
