import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, Info, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../graphql/context.js';
import { Id, Input, Shows, Write } from '../../graphql/field-decorators.js';
import type { Outcome } from '../channels/channel.js';
import { Page } from '../../pages/page.entity.js';
import { ChannelTestOutcome } from './page-channel.entity.js';
import { ConfigureChannel, RemoveChannel, TestChannel } from './page-channel.inputs.js';
import { configureChannel, removeChannel, testChannel } from './page-channel.service.js';

@ObjectType({ description: 'The page of a channel that was written.' })
class PageChannels {
  constructor(readonly pageId: string) {}

  @Shows(() => Page, 'As it is now; its channels are in `channels`.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.pageId]], info);
  }
}

@ObjectType({ description: 'How a test went.' })
class ChannelTest extends PageChannels {
  constructor(pageId: string, outcome: Outcome) {
    super(pageId);
    this.outcome = outcome.kind;
    this.answer = outcome.answer;
  }

  @Field(() => ChannelTestOutcome as never, { description: 'Whether the other side took the message.' })
  outcome: Outcome['kind'];

  @Field(() => String, { description: 'What the other side said, or what kept it from being reached.' })
  answer: string;
}

@Resolver()
export class PageChannelResolver {
  @Write(
    () => PageChannels,
    'Sets where a channel of a page leads, in place of what it led to. Secrets are written here and can be read nowhere.',
  )
  async configureChannel(
    @Id('pageId') pageId: string,
    @Input(() => ConfigureChannel) input: ConfigureChannel,
    @Ctx() { write }: Context,
  ) {
    await configureChannel(write, pageId, input);
    return new PageChannels(pageId);
  }

  @Write(() => PageChannels, 'Takes a channel off a page.')
  async removeChannel(
    @Id('pageId') pageId: string,
    @Input(() => RemoveChannel) input: RemoveChannel,
    @Ctx() { write }: Context,
  ) {
    await removeChannel(write, pageId, input.channel);
    return new PageChannels(pageId);
  }

  @Write(() => ChannelTest, 'Sends a test by a channel at once, and shows what the other side said.')
  async sendTest(
    @Id('pageId') pageId: string,
    @Input(() => TestChannel) input: TestChannel,
    @Ctx() { write }: Context,
  ) {
    return new ChannelTest(pageId, await testChannel(write, pageId, input));
  }
}
