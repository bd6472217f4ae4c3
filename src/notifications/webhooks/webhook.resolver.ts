import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import type { Context } from '../../graphql/context.js';
import { ReferenceField } from '../../graphql/entity-field-decorators.js';
import { createFilterType } from '../../graphql/filters.js';
import {
  IdArg,
  IfVersionArg,
  InjectWriter,
  InputArg,
  ParentIdArg,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { Page } from '../../pages/page.entity.js';
import { createRecordPayload } from '../../pages/page-change.payload.js';
import { createRecordResolver } from '../../pages/page-record.resolver.js';
import type { Writer } from '../../records/writer.js';
import type { Outcome } from '../channels/channel.js';
import { ChannelTestOutcome } from '../channels/test-outcome.enum.js';
import { Webhook } from './webhook.entity.js';
import { CreateWebhookInput, UpdateWebhookInput } from './webhook.inputs.js';
import {
  createWebhook,
  deleteWebhook,
  listWebhookUrls,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhook.service.js';

@ObjectType({ description: 'A created or updated webhook.' })
class WebhookPayload extends createRecordPayload(Webhook, 'The webhook, after the change.') {}

@ObjectType({ description: 'A webhook with a new secret.' })
class WebhookSecretPayload extends WebhookPayload {
  constructor(pageId: string, { id, secret }: { id: number; secret: string }) {
    super(pageId, id);
    this.secret = secret;
  }

  @Field(() => String, {
    description: 'By which its `v1` signatures are verified: `whsec_...`. It cannot be read again.',
  })
  secret: string;
}

@ObjectType({ description: 'The result of a test of a webhook.' })
class TestWebhookPayload extends WebhookPayload {
  constructor(pageId: string, id: string, outcome: Outcome) {
    super(pageId, id);
    this.outcome = outcome.kind;
    this.response = outcome.response;
  }

  @Field(() => ChannelTestOutcome as never, { description: 'Whether the receiver accepted the message.' })
  outcome: Outcome['kind'];

  @Field(() => String, { description: 'The response of the receiver, or the connection error.' })
  response: string;
}

@ObjectType({ description: 'The URL of a webhook.' })
class WebhookUrl {
  @Field(() => ID, { description: 'The id of the webhook.' })
  webhookId!: number;

  @ReferenceField(() => Webhook, 'webhookId', { description: 'The webhook. Null: it is deleted.' })
  webhook?: Webhook;

  @Field(() => String, { description: 'The URL.' })
  url!: string;
}

const RecordResolver = createRecordResolver(
  Webhook,
  {
    access: 'owner',
    one: 'Returns a webhook of a page.',
    list: 'Lists the webhooks of a page, in the order of creation.',
    filter: createFilterType(Webhook, { except: ['componentIds', 'publicKey', 'testResponse', 'suspensionReason'] }),
    orderBy: ['id', 'createdAt', 'updatedAt'],
  },
  {
    access: 'owner',
    payload: WebhookPayload,
    update: {
      description: 'Updates a webhook. Another URL lifts its suspension.',
      input: UpdateWebhookInput,
      run: updateWebhook,
    },
    delete: { description: 'Deletes a webhook: nothing more is sent to it.', run: deleteWebhook },
  },
);

@Resolver()
export class WebhookResolver extends RecordResolver {
  @RequiresAccess('owner')
  @Query(() => [WebhookUrl], {
    description:
      'The URLs of these webhooks of a page, as far as they have the format STANDARD or STATUSPAGE. That of a chat ' +
      'is a credential, and that of a visitor is theirs: neither is returned.',
  })
  webhookUrls(
    @IdArg('pageId') pageId: string,
    @Arg('ids', () => [ID], { description: 'The ids of up to 100 webhooks. Those that are not found are left out.' })
    ids: string[],
    @Ctx() { write, settings }: Context,
  ) {
    return listWebhookUrls(write, settings, pageId, ids);
  }

  @WriteMutation(
    () => WebhookSecretPayload,
    'owner',
    'Creates a webhook of a page. Its secret is in this response only, so the request takes no Idempotency-Key.',
    { isSecret: true },
  )
  async createWebhook(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateWebhookInput) input: CreateWebhookInput,
    @Ctx() { write, settings }: Context,
  ) {
    return new WebhookSecretPayload(pageId, await createWebhook(write, settings, pageId, input));
  }

  @WriteMutation(
    () => WebhookSecretPayload,
    'owner',
    'Replaces the secret of a webhook. The earlier one signs, too, for another day. The new one is in this response ' +
      'only, so the request takes no Idempotency-Key.',
    { isSecret: true },
  )
  async rotateWebhookSecret(
    @ParentIdArg('pageId', Page, Webhook) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @Ctx() { write, settings }: Context,
  ) {
    return new WebhookSecretPayload(pageId, await rotateWebhookSecret(write, settings, pageId, id, versions));
  }

  @WriteMutation(() => TestWebhookPayload, 'owner', 'Sends a test message to a webhook, and returns the response.', {
    slow: true,
  })
  async testWebhook(
    @ParentIdArg('pageId', Page, Webhook) pageId: string,
    @IdArg('id') id: string,
    @Ctx() { write, services, settings }: Context,
  ) {
    const sender = { send: services.sendTestMessage, settings };
    return new TestWebhookPayload(pageId, id, await testWebhook(write, sender, pageId, id));
  }

  @WriteMutation(() => WebhookPayload, 'owner', 'Sends to a suspended webhook again, from the next publication on.')
  async resumeWebhook(
    @ParentIdArg('pageId', Page, Webhook) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new WebhookPayload(pageId, await resumeWebhook(write, pageId, id, versions));
  }
}
