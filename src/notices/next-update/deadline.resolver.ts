import { Arg, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { badRequest } from '../../core/errors.js';
import { Timestamp } from '../../core/scalars.js';
import { TimeWithoutOffset } from '../../core/timestamp.js';
import { createRowQuery } from '../../db/prepared-statements.js';
import type { Context } from '../../graphql/context.js';
import { ResolvedFrom } from '../../graphql/entity-field-decorators.js';
import { Page } from '../../pages/page.entity.js';
import { countDeadlines } from './deadline.service.js';

@ObjectType({ description: 'How the deadlines of next updates were kept. `made` is the sum of the others.' })
export class NextUpdateDeadlines {
  @Field(() => Int, { description: 'The number of deadlines.' })
  made!: number;

  @Field(() => Int, { description: 'The update came, or the notice ended, by its deadline.' })
  onTime!: number;

  @Field(() => Int, { description: 'The update came after its deadline, or has not come although that is past.' })
  late!: number;

  @Field(() => Int, { description: 'Neither the deadline nor the update has come.' })
  open!: number;
}

@Resolver(() => Page)
export class NextUpdateDeadlineResolver {
  @RequiresAccess('viewer')
  @ResolvedFrom('id')
  @Extensions({ cost: 100 })
  @FieldResolver(() => NextUpdateDeadlines, {
    description:
      'How the deadlines of next updates were kept: each `nextUpdateBy` that was set on a notice of the page is one, ' +
      'which the next update settles, by any author and over any interface; an update is a text or another state. A ' +
      'deadline belongs to the period in which it lies. Those of deleted notices do not count. A statement per page ' +
      'more.',
  })
  nextUpdateDeadlines(
    @Root() { id }: { id: string },
    @Arg('beginsAt', () => Timestamp, {
      nullable: true,
      description: 'The beginning of the period. Null: 90 days ago.',
    })
    beginsAt: Date | null | undefined,
    @Arg('endsAt', () => Timestamp, { nullable: true, description: 'The end of the period, excluded. Null: no end.' })
    endsAt: Date | null | undefined,
    @Ctx() { run }: Context,
  ): Promise<NextUpdateDeadlines> {
    for (const time of [beginsAt, endsAt])
      if (time instanceof TimeWithoutOffset)
        throw badRequest(`A time of \`nextUpdateDeadlines\` must have an offset, as in ${time.toISOString()}.`);
    return countDeadlines(createRowQuery(run), id, beginsAt ?? null, endsAt ?? null);
  }
}
