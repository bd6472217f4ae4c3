import { Authorized, Ctx, Extensions, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { IdArg, InputArg, WriteMutation } from '../graphql/field-decorators.js';
import { ImportSubscribers } from './import.inputs.js';
import { exportSubscribers, importSubscribers } from './import.service.js';

@ObjectType({ description: 'What is wrong with one cell of a list.' })
class ImportProblem {
  @Field(() => Int, { description: 'The line in which the row begins; the header is line 1.' })
  line!: number;

  @Field(() => String, { description: 'The column, as the header names it.' })
  column!: string;

  @Field(() => String, { description: 'What is wrong, in the words of every validation.' })
  message!: string;
}

@ObjectType({ description: 'What became of the rows of a list, or would: each is counted once, or has problems.' })
class ImportSubscribersPayload {
  @Field(() => Boolean, { description: 'Whether nothing was written.' })
  dryRun!: boolean;

  @Field(() => Int, { description: 'Rows in the list, without the header.' })
  rows!: number;

  @Field(() => Int, { description: 'New subscribers.' })
  added!: number;

  @Field(() => Int, {
    description: 'Known, but not subscribed until now: they had not confirmed, or had left and are subscribed again.',
  })
  renewed!: number;

  @Field(() => Int, { description: 'Subscribed already; they are left as they are.' })
  existing!: number;

  @Field(() => Int, { description: 'Named by an earlier row of the list.' })
  repeated!: number;

  @Field(() => Int, { description: 'Left out because they have unsubscribed.' })
  left!: number;

  @Field(() => [ImportProblem], { description: 'What is wrong with the rows that were left out, by line.' })
  problems!: ImportProblem[];

  @Field(() => [String], { description: 'Columns of the list that mean nothing here.' })
  ignoredColumns!: string[];
}

@Resolver()
export class SubscriberListResolver {
  @WriteMutation(
    () => ImportSubscribersPayload,
    'Subscribes everybody on a list, in one transaction. Rows that are wrong are left out and named.',
  )
  async importSubscribers(
    @IdArg('pageId') pageId: string,
    @InputArg(() => ImportSubscribers) input: ImportSubscribers,
    @Ctx() { write }: Context,
  ) {
    return { dryRun: input.dryRun, ...(await importSubscribers(write, pageId, input)) };
  }

  @Authorized('read')
  @Extensions({ access: 'read' })
  @Query(() => String, {
    description:
      'All who are subscribed to a page, as CSV that `importSubscribers` reads. No cell of it is a formula to a spreadsheet.',
  })
  subscribersCsv(@IdArg('pageId') pageId: string, @Ctx() { write }: Context) {
    return exportSubscribers(write, pageId);
  }
}
