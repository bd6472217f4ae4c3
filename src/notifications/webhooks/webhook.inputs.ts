import { Field, ID, InputType } from 'type-graphql';
import type { WebhookFormat } from '../channels/webhook-formats.js';
import { WebhookFormats } from './webhook.entity.js';

@InputType({ description: 'Changes to a webhook. Omitted fields keep their values.' })
export class UpdateWebhookInput {
  @Field(() => String, {
    nullable: true,
    description: 'An https URL on the public internet. Owners read it by `webhookUrls`.',
  })
  url?: string | null;

  @Field(() => WebhookFormats, { nullable: true, description: 'Default: STANDARD.' })
  format?: WebhookFormat | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'The components whose notices it is sent. Null or an empty list: all notices.',
  })
  componentIds?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The e-mail address of the person who runs the receiver, for your information: failures are reported to ' +
      'the owners.',
  })
  contact?: string | null;
}

@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput extends UpdateWebhookInput {
  @Field(() => String, { description: 'An https URL on the public internet. Owners read it by `webhookUrls`.' })
  declare url: string;
}
