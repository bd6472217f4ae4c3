import { Arg, Field, ObjectType } from 'type-graphql';
import { Channels } from './channels/channel.enums.js';
import { channelByName, type ChannelName } from './channels/registry.js';
import { renderMail } from './messages/mail.js';
import type { MessageSnapshot } from './messages/message-snapshot.js';

@ObjectType({
  description:
    'The e-mail as a subscriber would receive it. Its unsubscribe and preferences links are placeholders, since they ' +
    'differ for each subscriber.',
})
class PreviewMail {
  @Field(() => String, { description: 'The subject.' })
  subject!: string;

  @Field(() => String, { description: 'The plain text part.' })
  text!: string;

  @Field(() => String, { description: 'The HTML part.' })
  html!: string;
}

/** The messages of a publication. Each is rendered only if it is selected. */
@ObjectType()
export abstract class RenderedMessages {
  /** A query can ask for each a hundred times. */
  private renderedMail?: PreviewMail;
  private readonly renderedTexts = new Map<ChannelName, string>();

  constructor(protected readonly snapshot: MessageSnapshot) {}

  @Field(() => PreviewMail, { description: 'The e-mail.' })
  mail(): PreviewMail {
    const link = (purpose: string) => `${this.snapshot.page.address}/${purpose}/preview`;
    const links = { preferences: link('preferences'), unsubscribe: link('unsubscribe') };
    this.renderedMail ??= renderMail(this.snapshot, links);
    return this.renderedMail;
  }

  @Field(() => String, {
    description: 'The message as the field of that channel returns it; for EMAIL, the plain text part.',
  })
  text(@Arg('channel', () => Channels, { description: 'The channel.' }) channel: ChannelName): string {
    const { preview } = channelByName[channel];
    const text = this.renderedTexts.get(channel) ?? preview?.render(this.snapshot) ?? this.mail().text;
    this.renderedTexts.set(channel, text);
    return text;
  }
}
