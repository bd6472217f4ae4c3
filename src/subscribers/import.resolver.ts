import { Arg, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { RequiresAccess } from '../auth/access.js';
import type { Context } from '../graphql/context.js';
import { HasOwnMaximum } from '../graphql/count-returned.js';
import { ResolvedFrom } from '../graphql/entity-field-decorators.js';
import { IdArg, InjectReader, InjectWriter, InputArg, WriteMutation } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { PageChangePayload } from '../pages/page-change.payload.js';
import { ImportSubscribersInput } from './import.inputs.js';
import { exportSubscribers, importSubscribers } from './import.service.js';
import type { FieldReader } from '../records/field-reader.js';
import type { Filter } from '../records/filter-sql.js';
import type { Writer } from '../records/writer.js';
import { Subscriber } from './subscriber.entity.js';
import { SubscriberFilter } from './subscriber.filter.js';

@ObjectType({ description: 'A validation error of one cell of a list.' })
class ImportProblem {
  @Field(() => Int, { description: 'The line in which the row begins; the header is line 1.' })
  line!: number;

  @Field(() => String, { description: 'The column, as the header names it.' })
  column!: string;

  @Field(() => String, { description: 'The validation message.' })
  message!: string;
}

@ObjectType({ description: 'The result of an import, or of a dry run. Each row is counted once, or has problems.' })
class ImportSubscribersPayload extends PageChangePayload {
  @Field(() => Boolean, { description: 'Whether nothing was written.' })
  dryRun!: boolean;

  @Field(() => Int, { description: 'Rows in the list, without the header.' })
  rows!: number;

  @Field(() => Int, { description: 'New subscribers.' })
  added!: number;

  @Field(() => Int, {
    description: 'Known, but not subscribed until now: they had not confirmed, or had unsubscribed.',
  })
  renewed!: number;

  @Field(() => Int, { description: 'Already subscribed, and unchanged.' })
  existing!: number;

  @Field(() => Int, { description: 'Duplicates of an earlier row.' })
  repeated!: number;

  @Field(() => Int, { description: 'Skipped because they have unsubscribed.' })
  left!: number;

  @Field(() => [ImportProblem], { description: 'The errors of the skipped rows, by line: the first 10,000.' })
  problems!: ImportProblem[];

  @Field(() => [String], { description: 'Unknown columns of the list.' })
  ignoredColumns!: string[];
}

@Resolver(() => Page)
export class SubscriberListResolver {
  @WriteMutation(
    () => ImportSubscribersPayload,
    'publisher',
    'Subscribes everybody on a list. Invalid rows are skipped and reported. It writes in batches of at most 500 ' +
      'rows, each a transaction, so that other writes to the page need not wait. If it fails half-way, send it ' +
      'again: the rows that were written count as existing then. Costs as much as 20,000 records, since its problems ' +
      'can have several MB.',
    { slow: true },
  )
  @Extensions({ cost: 20_000 })
  async importSubscribers(
    @IdArg('pageId') pageId: string,
    @Arg('dryRun', () => Boolean, {
      defaultValue: true,
      description: 'Whether to report the result without writing anything.',
    })
    dryRun: boolean,
    @InputArg(() => ImportSubscribersInput) input: ImportSubscribersInput,
    @InjectWriter() write: Writer,
  ) {
    return { pageId, dryRun, ...(await importSubscribers(write, pageId, { ...input, dryRun })) };
  }

  @RequiresAccess('recipients')
  @ResolvedFrom('id')
  @Extensions({ cost: 5000, slow: true })
  @HasOwnMaximum()
  @FieldResolver(() => String, {
    description:
      'The subscribers as CSV for `importSubscribers`. Spreadsheets execute no cell of it as a formula. Costs as ' +
      'much as 5,000 records. BAD_REQUEST where the lists of a response would have more than 16 million characters.',
  })
  subscribersCsv(
    @Root() { id }: { id: string },
    @Arg('filter', () => SubscriberFilter, {
      nullable: true,
      description: 'Which subscribers. Null or absent: all confirmed ones.',
    })
    filter: Filter | null | undefined,
    @InjectReader() read: FieldReader,
    @InjectWriter() write: Writer,
    @Ctx() { inOrder, reports }: Context,
  ) {
    const ids = read.compileIds(Subscriber, [[Page, id]], filter ?? {});
    return inOrder.add(() => exportSubscribers(write, id, ids, reports));
  }
}
