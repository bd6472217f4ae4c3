import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field, Info, Int, ObjectType, Resolver } from 'type-graphql';
import type { Place } from '../records/record-path.js';
import type { Context } from '../graphql/context.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Computes, Id, Input, Read, Shows, Write } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Delivery } from './delivery/delivery.entity.js';
import { previewPublication } from './preview/preview.service.js';
import { PublicationPreview } from './preview/preview.fields.js';
import { PreviewPublication } from './preview/preview.inputs.js';
import { Publication } from './publication.entity.js';
import { DeliveryFilter, PublicationFilter } from './publication.filter.js';
import { resendDeadDeliveries, resendDelivery } from './delivery/resend.service.js';

const PublicationList = listOf(Publication);
const PublicationArguments = listArguments(Publication, PublicationFilter, ['id', 'createdAt']);
const DeliveryList = listOf(Delivery);
const DeliveryArguments = listArguments(Delivery, DeliveryFilter, ['id', 'createdAt', 'dueAt']);

const publicationAt = (pageId: string, id: string): Place => [
  [Page, pageId],
  [Publication, id],
];
const deliveryAt = (pageId: string, id: string | number): Place => [
  [Page, pageId],
  [Delivery, id],
];

@ObjectType({ description: 'A delivery that is to be sent again.' })
class DeliveryPayload {
  constructor(
    readonly pageId: string,
    readonly id: number,
  ) {}

  @Shows(() => Delivery, 'As it is now.')
  delivery(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(deliveryAt(this.pageId, this.id), info);
  }
}

@ObjectType({ description: 'Deliveries that are to be sent again.' })
class ResentDeliveries {
  @Field(() => Int, { description: 'How many there are.' })
  count!: number;
}

@Resolver()
export class PublicationResolver {
  @Read(() => Publication, 'read', 'One change that people were told of.')
  publication(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one(publicationAt(pageId, id), info);
  }

  @Read(() => PublicationList, 'read', 'The changes of a page that people were told of, newest first.')
  publications(
    @Id('pageId') pageId: string,
    @Args(() => PublicationArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list([[Page, pageId]], Publication, info, list);
  }

  @Read(() => Delivery, 'read', 'One message to one recipient.')
  delivery(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one(deliveryAt(pageId, id), info);
  }

  @Read(
    () => DeliveryList,
    'read',
    'The messages of a page, newest first: what somebody got by `filter: { address: { eq: "..." } }`, what went wrong by `state`.',
  )
  deliveries(
    @Id('pageId') pageId: string,
    @Args(() => DeliveryArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list([[Page, pageId]], Delivery, info, list);
  }

  @Computes(
    () => PublicationPreview,
    'read',
    'What would be told, and to whom, if this were written. Nothing is written, and nobody is told.',
  )
  previewPublication(
    @Id('pageId') pageId: string,
    @Input(() => PreviewPublication, 'The values that would be written.') input: PreviewPublication,
    @Ctx() { write }: Context,
  ) {
    return previewPublication(write, pageId, input);
  }

  @Write(() => DeliveryPayload, 'Sends a dead delivery again.')
  async resendDelivery(@Id('pageId') pageId: string, @Id('id') id: string, @Ctx() { write }: Context) {
    return new DeliveryPayload(pageId, await resendDelivery(write, pageId, id));
  }

  @Write(() => ResentDeliveries, 'Sends all dead deliveries of a page again.')
  async resendDeadDeliveries(@Id('pageId') pageId: string, @Ctx() { write }: Context) {
    return { count: await resendDeadDeliveries(write, pageId) };
  }
}
