import { Ctx, Field, Int, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../graphql/context.js';
import { IdArg, InjectWriter, InputArg, WriteMutation } from '../../graphql/field-decorators.js';
import type { Outcome } from '../channels/channel.js';
import { ChannelTestOutcome } from '../channels/test-outcome.enum.js';
import { PageChangePayload } from '../../pages/page-change.payload.js';
import {
  ConfigureChannelInput,
  LiftSuspensionInput,
  LiftSuspensionsInput,
  RemoveChannelInput,
  TestChannelInput,
} from './page-channel.inputs.js';
import {
  configureChannel,
  removeChannel,
  resumeRecipient,
  resumeRecipients,
  testChannel,
} from './page-channel.service.js';
import type { Writer } from '../../records/writer.js';

@ObjectType({ description: 'The page whose channel was changed.' })
class PageChannelsPayload extends PageChangePayload {}

@ObjectType({ description: 'The result of a channel test.' })
class TestChannelPayload extends PageChannelsPayload {
  constructor(pageId: string, outcome: Outcome) {
    super(pageId);
    this.outcome = outcome.kind;
    this.response = outcome.response;
  }

  @Field(() => ChannelTestOutcome as never, { description: 'Whether the provider accepted the message.' })
  outcome: Outcome['kind'];

  @Field(() => String, { description: 'The response of the provider, or the connection error.' })
  response: string;
}

@ObjectType({ description: 'The page, and how many of its recipients are notified again.' })
class LiftSuspensionsPayload extends PageChannelsPayload {
  constructor(pageId: string, count: number) {
    super(pageId);
    this.count = count;
  }

  @Field(() => Int, { description: 'How many suspensions were lifted.' })
  count: number;
}

@Resolver()
export class PageChannelResolver {
  @WriteMutation(
    () => PageChannelsPayload,
    'owner',
    'Sets or replaces the credentials of a channel of a page. They cannot be read back.',
  )
  async configureChannel(
    @IdArg('pageId') pageId: string,
    @InputArg(() => ConfigureChannelInput) input: ConfigureChannelInput,
    @Ctx() { write, settings }: Context,
  ) {
    await configureChannel(write, pageId, input, settings);
    return new PageChannelsPayload(pageId);
  }

  @WriteMutation(() => PageChannelsPayload, 'owner', 'Removes a channel from a page.')
  async removeChannel(
    @IdArg('pageId') pageId: string,
    @InputArg(() => RemoveChannelInput) input: RemoveChannelInput,
    @InjectWriter() write: Writer,
  ) {
    await removeChannel(write, pageId, input.channel);
    return new PageChannelsPayload(pageId);
  }

  @WriteMutation(
    () => PageChannelsPayload,
    'publisher',
    'Lifts the suspension of a channel of the page or of a subscriber, who is notified again from the next ' +
      'publication on.',
  )
  async liftSuspension(
    @IdArg('pageId') pageId: string,
    @InputArg(() => LiftSuspensionInput, 'The recipient.') input: LiftSuspensionInput,
    @InjectWriter() write: Writer,
  ) {
    await resumeRecipient(write, pageId, input);
    return new PageChannelsPayload(pageId);
  }

  @WriteMutation(
    () => LiftSuspensionsPayload,
    'publisher',
    'Lifts the suspensions of all subscribers and channels of a page, or of those whose server gave the same answer. ' +
      'They are notified again from the next publication on.',
  )
  async liftSuspensions(
    @IdArg('pageId') pageId: string,
    @InputArg(() => LiftSuspensionsInput) input: LiftSuspensionsInput,
    @InjectWriter() write: Writer,
  ) {
    return new LiftSuspensionsPayload(pageId, await resumeRecipients(write, pageId, input));
  }

  @WriteMutation(
    () => TestChannelPayload,
    'owner',
    'Sends a test message over a channel and returns the response of the provider.',
    { slow: true },
  )
  async testChannel(
    @IdArg('pageId') pageId: string,
    @InputArg(() => TestChannelInput) input: TestChannelInput,
    @Ctx() { write, services, settings }: Context,
  ) {
    const sender = { send: services.sendTestMessage, settings };
    return new TestChannelPayload(pageId, await testChannel(write, sender, pageId, input));
  }
}
