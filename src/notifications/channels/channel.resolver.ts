import { Field, ObjectType, Query, Resolver } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { registerEnum } from '../../graphql/enum.js';
import type { ChannelDefinition } from './channel.js';
import { Channels } from './channel.enums.js';
import { push } from './push.js';
import { type ChannelName, channels } from './registry.js';

const addresses = {
  emailAddress: 'The e-mail address of each subscriber.',
  phoneNumber: 'The phone number of each subscriber.',
  webhook: 'A webhook of the page.',
  server: 'A server, with an access token of the page for it.',
  webhooks: 'The webhooks of the page, by `createWebhook`.',
  browsers: 'The browsers that visitors subscribed on the page.',
};
type ChannelAddress = keyof typeof addresses;
const ChannelAddresses = registerEnum('ChannelAddress', addresses, 'Where the messages of a channel go.');

@ObjectType({ description: 'A channel that the service has, and how it is configured.' })
class ChannelDescription {
  constructor(private readonly definition: ChannelDefinition) {}

  @Field(() => Channels, { description: 'The channel.' })
  get channel(): ChannelName {
    return this.definition.name as ChannelName;
  }

  @Field(() => String, { description: 'Its name, for people.' })
  get label(): string {
    return this.definition.label;
  }

  @Field(() => ChannelAddresses, { description: 'Where its messages go.' })
  get address(): ChannelAddress {
    const { definition } = this;
    if (definition.name === push.name) return 'browsers';
    if (definition.recipients === 'webhooks') return 'webhooks';
    if (definition.recipients === 'page') return definition.credentials === 'webhook' ? 'webhook' : 'server';
    return definition.addressColumn === 'email' ? 'emailAddress' : 'phoneNumber';
  }

  @Field(() => [String], {
    description: 'The settings of the service that configure it; none if each page does.',
  })
  get settings(): readonly string[] {
    return this.definition.recipients === 'subscribers' ? this.definition.settings : [];
  }

  @NullableField(
    () => String,
    'Where an owner finds the URL for `configureChannel`; null if that does not configure the channel.',
  )
  get urlHint(): string | null {
    return this.definition.recipients === 'page' ? this.definition.urlHint : null;
  }
}

@Resolver()
export class ChannelResolver {
  @RequiresAccess('everyone')
  @Query(() => [ChannelDescription], {
    description: 'Returns the channels that this version of the service has. Open to everyone.',
  })
  channels(): ChannelDescription[] {
    return channels.map(channel => new ChannelDescription(channel));
  }
}
