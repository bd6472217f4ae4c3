import { Ctx, Field, InputType, ObjectType, Resolver } from 'type-graphql';
import { requirePerson } from '../auth/access.js';
import type { Context } from '../graphql/context.js';
import { InputArg, WriteMutation } from '../graphql/field-decorators.js';
import { loadPushKey } from '../notifications/webhooks/push-key.js';
import { addAlertBrowser, deleteAlertBrowser } from './browser.service.js';

@InputType({ description: 'A push subscription of a browser.' })
class DisableAlertPushInput {
  @Field(() => String, { description: 'Its endpoint: the address at its push service.' })
  url!: string;
}

@InputType({ description: 'A push subscription of a browser, as `PushSubscription.toJSON()` has it.' })
class EnableAlertPushInput extends DisableAlertPushInput {
  @Field(() => String, { description: 'Its public key, base64url.' })
  p256dh!: string;

  @Field(() => String, { description: 'Its authentication secret, base64url.' })
  auth!: string;
}

@ObjectType({ description: 'How a browser subscribes to push messages about drafts of alerts.' })
class AlertPushPayload {
  @Field(() => String, { description: 'The `applicationServerKey` of subscriptions, base64url.' })
  publicKey!: string;
}

@Resolver()
export class AlertBrowserResolver {
  @WriteMutation(
    () => AlertPushPayload,
    'everyone',
    'Returns the key with which a browser of a signed-in person subscribes to push messages about drafts of alerts.',
    { waits: true },
  )
  requestAlertPush(@Ctx() context: Context): Promise<AlertPushPayload> {
    requirePerson(context.caller);
    return toPayload(context);
  }

  @WriteMutation(
    () => AlertPushPayload,
    'everyone',
    'Sends a push message about each draft that alerts make to a browser of the signed-in person, on pages where ' +
      'that person may publish. Up to 20 browsers; one whose push service answers 404 or 410 is removed.',
  )
  async enableAlertPush(
    @InputArg(() => EnableAlertPushInput) input: EnableAlertPushInput,
    @Ctx() context: Context,
  ): Promise<AlertPushPayload> {
    await addAlertBrowser(context.write, context.settings, requirePerson(context.caller), input);
    return toPayload(context);
  }

  @WriteMutation(
    () => AlertPushPayload,
    'everyone',
    'Ends the push messages to a browser of the signed-in person. An unknown one is not an error.',
  )
  async disableAlertPush(
    @InputArg(() => DisableAlertPushInput, 'The subscription.') { url }: DisableAlertPushInput,
    @Ctx() context: Context,
  ): Promise<AlertPushPayload> {
    await deleteAlertBrowser(context.write, requirePerson(context.caller), url);
    return toPayload(context);
  }
}

const toPayload = async ({ database, settings }: Context): Promise<AlertPushPayload> => ({
  publicKey: (await loadPushKey(database.query, settings)).publicKey,
});
