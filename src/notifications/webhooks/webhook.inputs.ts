import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import type { WebhookFormat } from '../channels/webhook-formats.js';
import { WebhookFormats } from './webhook.entity.js';

@InputType({ description: 'Changes to a webhook. Omitted fields keep their values.' })
export class UpdateWebhookInput {
  @NullableField(() => String, 'An https URL on the public internet. Owners read it by `webhookUrls`.')
  url?: string | null;

  @NullableField(() => WebhookFormats, 'Default: STANDARD.')
  format?: WebhookFormat | null;

  @NullableField(() => [ID], 'The components whose notices it is sent. Null or an empty list: all notices.')
  componentIds?: string[] | null;

  @NullableField(
    () => String,
    'The e-mail address of the person who runs the receiver, for your information: failures are reported to ' +
      'the owners.',
  )
  contact?: string | null;
}

@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput extends UpdateWebhookInput {
  @Field(() => String, { description: 'An https URL on the public internet. Owners read it by `webhookUrls`.' })
  declare url: string;
}
