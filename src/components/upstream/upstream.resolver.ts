import { Ctx, Extensions, Field, ID, ObjectType, Resolver } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import type { Context } from '../../graphql/context.js';
import {
  IdArg,
  IfVersionArg,
  InjectWriter,
  InputArg,
  ParentIdArg,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { Page } from '../../pages/page.entity.js';
import { PageChangePayload } from '../../pages/page-change.payload.js';
import type { Writer } from '../../records/writer.js';
import { Component } from '../component.entity.js';
import { ComponentStatuses } from '../component.enums.js';
import { ComponentPayload } from '../component.resolver.js';
import type { UpstreamComponent, UpstreamFormat } from './formats.js';
import { UpstreamFormats } from './upstream.entity.js';
import { FollowUpstreamInput, ReadUpstreamInput } from './upstream.inputs.js';
import type { UpstreamStatus } from './upstream.rules.js';
import { followUpstream, readUpstreamPage, unfollowUpstream, type UpstreamPage } from './upstream.service.js';

@ObjectType({ description: 'A component of another status page.' })
class RemoteComponent implements Omit<UpstreamComponent, 'id'> {
  @Field(() => ID, { description: 'Its id on the other status page.' })
  remoteId!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @NullableField(() => String, 'The name of its group. Null: it is in none.')
  group!: string | null;

  @Field(() => ComponentStatuses, { description: 'What the status page says about it. Never PARTLY_AFFECTED.' })
  status!: UpstreamStatus;
}

@ObjectType({ description: 'A status page that was read.' })
class ReadUpstreamPayload extends PageChangePayload {
  constructor(pageId: string, upstream: UpstreamPage) {
    super(pageId);
    this.url = upstream.url;
    this.format = upstream.format;
    this.components = upstream.components.map(({ id: remoteId, ...component }) => ({ ...component, remoteId }));
  }

  @Field(() => String, { description: 'Its address, without the path of the format.' })
  url: string;

  @Field(() => UpstreamFormats, { description: 'The format in which it was read.' })
  format: UpstreamFormat;

  @Field(() => [RemoteComponent], { description: 'Its components, one of which a component can follow.' })
  components: RemoteComponent[];
}

@Resolver()
export class UpstreamResolver {
  @WriteMutation(
    () => ReadUpstreamPayload,
    'owner',
    'Reads another status page now, to choose the component that `followUpstream` follows. Stores nothing. Costs as ' +
      'much as 20,000 records.',
    { slow: true },
  )
  @Extensions({ cost: 20_000 })
  async readUpstream(
    @IdArg('pageId') pageId: string,
    @InputArg(() => ReadUpstreamInput, 'The status page.') input: ReadUpstreamInput,
    @Ctx() { write, services }: Context,
  ) {
    return new ReadUpstreamPayload(pageId, await readUpstreamPage(write, services.upstreams, pageId, input));
  }

  @WriteMutation(
    () => ComponentPayload,
    'owner',
    'Lets a component follow one of another status page, in place of the one that it follows. The status page is ' +
      'read now and about once a minute from then on. The worst of two counts: the status of the upstream, and the ' +
      'manual status or, without one, that which follows from notices. A manual status of OPERATIONAL overrides ' +
      'both. Notifies nobody, now and later.',
    { slow: true },
  )
  async followUpstream(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => FollowUpstreamInput) input: FollowUpstreamInput,
    @Ctx() { write, services }: Context,
  ) {
    return new ComponentPayload(await followUpstream(write, services.upstreams, pageId, id, versions, input));
  }

  @WriteMutation(
    () => ComponentPayload,
    'owner',
    'Lets a component follow no other status page. Its history keeps what that has said. Notifies nobody.',
  )
  async unfollowUpstream(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentPayload(await unfollowUpstream(write, pageId, id, versions));
  }
}
