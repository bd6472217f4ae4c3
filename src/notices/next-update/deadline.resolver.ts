import { Arg, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { badRequest } from '../../core/errors.js';
import { Timestamp } from '../../core/scalars.js';
import { TimeWithoutOffset } from '../../core/timestamp.js';
import type { Context } from '../../graphql/context.js';
import { ResolvedFrom } from '../../graphql/entity-field-decorators.js';
import { Page } from '../../pages/page.entity.js';
import { countPromises } from './update-promise.service.js';

@ObjectType({ description: 'How the promises of next updates were kept. `made` is the sum of the others.' })
export class UpdatePromises {
  @Field(() => Int, { description: 'The number of promises.' })
  made!: number;

  @Field(() => Int, { description: 'The update came, or the notice ended, by the promised time.' })
  onTime!: number;

  @Field(() => Int, { description: 'The update came after the promised time, or has not come although it is past.' })
  late!: number;

  @Field(() => Int, { description: 'The promised time has not come, and neither has the update.' })
  open!: number;
}

@Resolver(() => Page)
export class UpdatePromiseResolver {
  @RequiresAccess('viewer')
  @ResolvedFrom('id')
  @Extensions({ cost: 100 })
  @FieldResolver(() => UpdatePromises, {
    description:
      'The record of kept promises: each `nextUpdateBy` that was set on a notice of the page is a promise, which the ' +
      'next update settles, by any author and over any interface; an update is a text or another state. A promise ' +
      'belongs to the period in which its time lies. Promises of deleted notices do not count. A statement per page ' +
      'more.',
  })
  updatePromises(
    @Root() { id }: { id: string },
    @Arg('from', () => Timestamp, { nullable: true, description: 'The begin of the period. Null: 90 days ago.' })
    from: Date | null | undefined,
    @Arg('to', () => Timestamp, { nullable: true, description: 'The end of the period, excluded. Null: no end.' })
    to: Date | null | undefined,
    @Ctx() { database }: Context,
  ): Promise<UpdatePromises> {
    for (const time of [from, to])
      if (time instanceof TimeWithoutOffset)
        throw badRequest(`A time of \`updatePromises\` must have an offset, as in ${time.toISOString()}.`);
    return countPromises(database, id, from ?? null, to ?? null);
  }
}
