import { Args, ObjectType, Resolver } from 'type-graphql';
import type { RecordPath } from '../records/record-path.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import type { ListArguments } from '../records/list-arguments.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  OptionalIdArg,
  ParentIdArg,
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { DeletedRecord, PageChangePayload } from '../pages/page-change.payload.js';
import { Subscriber } from './subscriber.entity.js';
import { SubscriberFilter } from './subscriber.filter.js';
import { CreateSubscriberInput, UpdateSubscriberInput } from './subscriber.inputs.js';
import { createSubscriber, deleteSubscriber, updateSubscriber } from './subscriber.service.js';
import type { FieldReader } from '../records/field-reader.js';
import type { Writer } from '../records/writer.js';

const SubscriberConnection = createConnectionType(Subscriber);
const SubscriberArguments = createListArguments(Subscriber, SubscriberFilter, ['id', 'createdAt', 'updatedAt']);

const toPath = (pageId: string | null, id: string | number): RecordPath => [
  [Page, pageId],
  [Subscriber, id],
];

@ObjectType({ description: 'The result of writing a subscriber.' })
class SubscriberPayload extends PageChangePayload {
  constructor(
    pageId: string,
    readonly id: number,
  ) {
    super(pageId);
  }

  @ReadField(() => Subscriber, 'The subscriber after the change.')
  subscriber(@InjectReader() read: FieldReader) {
    return read.one(toPath(this.pageId, this.id));
  }
}

@Resolver()
export class SubscriberResolver {
  @ReadQuery(() => Subscriber, 'publisher', 'One subscriber of a page.')
  subscriber(
    @OptionalIdArg('pageId') pageId: string | null,
    @IdArg('id') id: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.one(toPath(pageId, id));
  }

  @ReadQuery(() => SubscriberConnection, 'publisher', 'The confirmed subscribers of a page, in order of creation.')
  subscribers(
    @IdArg('pageId') pageId: string,
    @Args(() => SubscriberArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], Subscriber, list);
  }

  @WriteMutation(() => SubscriberPayload, 'publisher', 'Creates a subscriber, who must have consented.')
  async createSubscriber(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateSubscriberInput) input: CreateSubscriberInput,
    @InjectWriter() write: Writer,
  ) {
    return new SubscriberPayload(pageId, await createSubscriber(write, pageId, input));
  }

  @WriteMutation(() => SubscriberPayload, 'publisher', 'Updates a subscriber.')
  async updateSubscriber(
    @ParentIdArg('pageId', Page, Subscriber) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateSubscriberInput) input: UpdateSubscriberInput,
    @InjectWriter() write: Writer,
  ) {
    return new SubscriberPayload(pageId, await updateSubscriber(write, pageId, id, versions, input));
  }

  @WriteMutation(() => DeletedRecord, 'publisher', 'Deletes a subscriber.')
  async deleteSubscriber(
    @ParentIdArg('pageId', Page, Subscriber) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeletedRecord(pageId, Subscriber, await deleteSubscriber(write, pageId, id, versions));
  }
}
