import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, ID, Info, ObjectType, Resolver } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import type { Place } from '../records/record-path.js';
import type { Context } from '../graphql/context.js';
import { filterOf } from '../graphql/filters.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Deleted, Id, IfVersion, Input, Read, Shows, Write } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Subscriber } from './subscriber.entity.js';
import { CreateSubscriber, UpdateSubscriber } from './subscriber.inputs.js';
import { createSubscriber, deleteSubscriber, updateSubscriber } from './subscriber.service.js';

const SubscriberList = listOf(Subscriber);
const SubscriberFilter = filterOf(Subscriber, {
  except: ['tagText', 'kinds', 'componentIds'],
  more: {
    forComponent: { type: ID, description: 'Those who chose that component, and those who hear of everything.' },
  },
  through: { components: ComponentFilter },
});
const SubscriberArguments = listArguments(Subscriber, SubscriberFilter, ['id', 'createdAt', 'updatedAt']);

const subscriberAt = (pageId: string, id: string | number): Place => [
  [Page, pageId],
  [Subscriber, id],
];

@ObjectType({ description: 'A subscriber who was written.' })
class SubscriberPayload {
  constructor(
    readonly pageId: string,
    readonly id: number,
  ) {}

  @Shows(() => Subscriber, 'As it is now.')
  subscriber(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(subscriberAt(this.pageId, this.id), info);
  }
}

@Resolver()
export class SubscriberResolver {
  @Read(() => Subscriber, 'read', 'One subscriber of a page.')
  subscriber(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one(subscriberAt(pageId, id), info);
  }

  @Read(() => SubscriberList, 'read', 'The confirmed subscribers of a page, in the order of their creation.')
  subscribers(
    @Id('pageId') pageId: string,
    @Args(() => SubscriberArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list([[Page, pageId]], Subscriber, info, list);
  }

  @Write(() => SubscriberPayload, 'Subscribes somebody who has consented.')
  async createSubscriber(
    @Id('pageId') pageId: string,
    @Input(() => CreateSubscriber) input: CreateSubscriber,
    @Ctx() { write }: Context,
  ) {
    return new SubscriberPayload(pageId, await createSubscriber(write, pageId, input));
  }

  @Write(() => SubscriberPayload, 'Changes a subscriber.')
  async updateSubscriber(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => UpdateSubscriber) input: UpdateSubscriber,
    @Ctx() { write }: Context,
  ) {
    return new SubscriberPayload(pageId, await updateSubscriber(write, pageId, id, versions, input));
  }

  @Write(() => Deleted, 'Deletes a subscriber.')
  async deleteSubscriber(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    return { id: await deleteSubscriber(write, pageId, id, versions) };
  }
}
