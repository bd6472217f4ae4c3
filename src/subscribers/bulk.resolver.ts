import { Field, ID, Int, ObjectType, Resolver } from 'type-graphql';
import { IdArg, InjectReader, InjectWriter, InputArg, WriteMutation } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { PageChangePayload } from '../pages/page-change.payload.js';
import type { Filter } from '../records/filter-sql.js';
import type { FieldReader } from '../records/field-reader.js';
import { createNodeId } from '../records/node-id.js';
import type { Writer } from '../records/writer.js';
import { ExpectedCountArg, SubscribersArg, UpdateSubscribersInput } from './bulk.inputs.js';
import { deleteAll, unsubscribeAll, updateAll } from './bulk.service.js';
import { Subscriber } from './subscriber.entity.js';

@ObjectType()
abstract class ManySubscribersPayload extends PageChangePayload {
  constructor(
    pageId: string,
    protected readonly changed: readonly number[],
  ) {
    super(pageId);
  }
}

@ObjectType({ description: 'The result of a change of many subscribers.' })
class SubscribersPayload extends ManySubscribersPayload {
  @Field(() => Int, { description: 'How many subscribers were changed. The others were as requested already.' })
  get count(): number {
    return this.changed.length;
  }

  @Field(() => [ID], { description: 'The ids of those that were changed.' })
  get ids(): readonly number[] {
    return this.changed;
  }

  @Field(() => [ID], { description: 'Their `nodeId`s.' })
  get nodeIds(): string[] {
    return this.changed.map(id => createNodeId(Subscriber.name, id));
  }
}

@ObjectType({ description: 'The result of the deletion of many subscribers.' })
class DeleteSubscribersPayload extends ManySubscribersPayload {
  @Field(() => Int, { description: 'How many subscribers were deleted. The others had been deleted before.' })
  get count(): number {
    return this.changed.length;
  }

  @Field(() => [ID], { description: 'The ids of the deleted subscribers.' })
  get deletedIds(): readonly number[] {
    return this.changed;
  }

  @Field(() => [ID], { description: 'Their `nodeId`s, such as for `@deleteRecord` of Relay.' })
  get deletedNodeIds(): string[] {
    return this.changed.map(id => createNodeId(Subscriber.name, id));
  }
}

const inBatches =
  'It writes in batches of at most 500, each a transaction, so that other writes to the page need not wait; the ' +
  'audit log has one entry. If it fails half-way, count again and send it again.';

@Resolver()
export class BulkSubscribersResolver {
  @WriteMutation(
    () => SubscribersPayload,
    'publisher',
    `Unsubscribes many subscribers: imports skip them from now on. ${inBatches}`,
    { slow: true },
  )
  async unsubscribeSubscribers(
    @IdArg('pageId') pageId: string,
    @SubscribersArg() filter: Filter,
    @ExpectedCountArg() expectedCount: number,
    @InjectReader() read: FieldReader,
    @InjectWriter() write: Writer,
  ) {
    return new SubscribersPayload(pageId, await unsubscribeAll(write, toBulk(pageId, { filter, expectedCount }, read)));
  }

  @WriteMutation(() => DeleteSubscribersPayload, 'publisher', `Deletes many subscribers. ${inBatches}`, { slow: true })
  async deleteSubscribers(
    @IdArg('pageId') pageId: string,
    @SubscribersArg() filter: Filter,
    @ExpectedCountArg() expectedCount: number,
    @InjectReader() read: FieldReader,
    @InjectWriter() write: Writer,
  ) {
    return new DeleteSubscribersPayload(
      pageId,
      await deleteAll(write, toBulk(pageId, { filter, expectedCount }, read)),
    );
  }

  @WriteMutation(
    () => SubscribersPayload,
    'publisher',
    'Adds components to and removes them from the choices of many subscribers, a million in all. Those who are ' +
      `notified about everything stay so. ${inBatches}`,
    { slow: true },
  )
  async updateSubscribers(
    @IdArg('pageId') pageId: string,
    @SubscribersArg() filter: Filter,
    @ExpectedCountArg() expectedCount: number,
    @InputArg(() => UpdateSubscribersInput) input: UpdateSubscribersInput,
    @InjectReader() read: FieldReader,
    @InjectWriter() write: Writer,
  ) {
    return new SubscribersPayload(
      pageId,
      await updateAll(write, toBulk(pageId, { filter, expectedCount }, read), input),
    );
  }
}

const toBulk = (
  pageId: string,
  { filter, expectedCount }: { filter: Filter; expectedCount: number },
  read: FieldReader,
) => ({
  pageId,
  filter,
  expectedCount,
  selection: read.compileIds(Subscriber, [[Page, pageId]], filter),
});
