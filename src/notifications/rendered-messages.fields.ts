import { Arg, Field, ObjectType } from 'type-graphql';
import { Channels } from './channels/channel.enums.js';
import { channelByName, type ChannelName, textChannels } from './channels/registry.js';
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

@ObjectType({ description: 'The messages of a publication. Each is rendered only if it is selected.' })
export class RenderedMessages {
  constructor(private readonly snapshot: MessageSnapshot) {}

  @Field(() => PreviewMail, { description: 'The e-mail.' })
  get mail(): PreviewMail {
    const link = (purpose: string) => `${this.snapshot.page.address}/${purpose}/preview`;
    return renderMail(this.snapshot, { preferences: link('preferences'), unsubscribe: link('unsubscribe') });
  }

  @Field(() => String, {
    description: 'The message as the field of that channel returns it; for EMAIL, the plain text part.',
  })
  text(@Arg('channel', () => Channels, { description: 'The channel.' }) channel: ChannelName): string {
    const { preview } = channelByName[channel];
    return preview ? preview.render(this.snapshot) : this.mail.text;
  }
}

for (const { enumName, preview } of textChannels) {
  const name = enumName.toLowerCase();
  Object.defineProperty(RenderedMessages.prototype, name, {
    get(this: { snapshot: MessageSnapshot }) {
      return preview.render(this.snapshot);
    },
  });
  Field(() => String, { description: preview.description })(RenderedMessages.prototype, name);
}
