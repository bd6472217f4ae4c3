import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import type { Context } from '../../graphql/context.js';
import { IdArg } from '../../graphql/field-decorators.js';
import { findImported } from './source-ids.js';

@ObjectType({ description: 'A record that was imported from another product.' })
class ImportedRecord {
  @Field(() => ID, { description: 'The id that the other product gave it.' })
  sourceId!: string;

  @Field(() => ID, { description: 'The id of the component or notice that it became.' })
  recordId!: number;
}

@Resolver()
export class ImportedRecordResolver {
  @RequiresAccess('viewer')
  @Query(() => [ImportedRecord], {
    description:
      'The components and notices that were imported with these ids of another product, of which the first 100 are ' +
      'read. Ids that no import knows are left out.',
  })
  importedRecords(
    @IdArg('pageId') pageId: string,
    @Arg('sourceIds', () => [ID], { description: 'Ids of the other product.' }) sourceIds: string[],
    @Ctx() { write }: Context,
  ) {
    return findImported(write, pageId, sourceIds.slice(0, 100));
  }
}
