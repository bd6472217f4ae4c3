import { Arg, Ctx, Extensions, Field, FieldResolver, Float, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { RequiresAccess } from '../auth/access.js';
import { badRequest } from '../core/errors.js';
import { NullableField } from '../graphql/nullable-field.js';
import { TypicalSize } from '../graphql/connection-field.js';
import type { Context } from '../graphql/context.js';
import { ResolvedFrom } from '../graphql/entity-field-decorators.js';
import { Notice } from '../notices/notice.entity.js';
import { type ComponentStatus, historyLengthDays, type PublicDay, readPublicPage } from '../pages/public-page.js';
import { Component } from './component.entity.js';
import { ComponentStatuses } from './component.enums.js';

@ObjectType({ description: 'A day of a component, as its bar on the public page shows it.' })
class ComponentDay {
  constructor(private readonly day: PublicDay) {}

  @Field(() => String, { description: 'The date in the time zone of the page, such as 2026-11-20.' })
  get date(): string {
    return this.day.date;
  }

  @NullableField(() => ComponentStatuses, 'The worst status of the day. Null: the component did not exist yet.')
  get status(): ComponentStatus | null {
    return this.day.state === 'none' ? null : this.day.state;
  }

  @Field(() => Int, {
    description: 'The minutes with a status, or with any but OPERATIONAL, for which it is 0.',
  })
  minutes(
    @Arg('status', () => ComponentStatuses, { nullable: true, description: 'The status. Null or absent: all of them.' })
    status: ComponentStatus | null | undefined,
  ): number {
    const { minutes } = this.day;
    if (status == null) return Object.values(minutes).reduce((sum, one) => sum + one, 0);
    return (minutes as Partial<Record<ComponentStatus, number>>)[status] ?? 0;
  }

  @Field(() => Int, { description: 'The number of notices that affected it on this day.' })
  get noticeCount(): number {
    return this.day.noticeCount;
  }

  // Most days have none.
  @TypicalSize(1)
  @Field(() => [Notice], { description: 'The first three of these notices, newest first.' })
  notices(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo): Promise<unknown[]> {
    return read.batches.load(Notice, this.day.noticeIds, info);
  }
}

@Resolver(() => Component)
export class ComponentHistoryResolver {
  @RequiresAccess('page')
  @ResolvedFrom('id', 'page')
  @TypicalSize(historyLengthDays)
  @Extensions({ isFromMemory: true })
  @FieldResolver(() => [ComponentDay], {
    description:
      'The last days, oldest first, the last of which is today: the bars of the public page. A statement per page ' +
      'more.',
  })
  async history(
    @Root() { id, page }: { id: number; page: string },
    @Arg('days', () => Int, {
      defaultValue: historyLengthDays,
      description: `The number of days, from 1 to ${historyLengthDays}.`,
    })
    days: number,
    @Ctx() context: Context,
  ): Promise<ComponentDay[]> {
    if (days < 1 || days > historyLengthDays)
      throw badRequest(`\`days\` of history must be from 1 to ${historyLengthDays}.`);
    // The component can have been deleted since it was read.
    const shown = (await readPublicPage(context, page))?.components.get(id);
    const last = (shown?.days ?? []).slice(-days);
    context.fromMemory.objects += last.length;
    return last.map(day => new ComponentDay(day));
  }

  @RequiresAccess('page')
  @ResolvedFrom('id', 'page')
  // It reads what the public page shows.
  @Extensions({ cost: historyLengthDays, isFromMemory: true })
  @FieldResolver(() => ComponentStatuses, {
    description:
      'What the public page shows of it. A manual status of OPERATIONAL overrides everything else. Otherwise it is ' +
      'the worst of two: the status of its upstream, and its manual status or, without one, that which follows from ' +
      'notices. Costs one more statement per page.',
  })
  async status(@Root() { id, page }: { id: number; page: string }, @Ctx() context: Context): Promise<ComponentStatus> {
    return (await readPublicPage(context, page))?.components.get(id)?.status ?? 'operational';
  }

  @RequiresAccess('page')
  @ResolvedFrom('id', 'page')
  // It reads what the public page shows.
  @Extensions({ cost: historyLengthDays, isFromMemory: true })
  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'The share of the last 90 days without an outage, from 0 to 1. A partial outage counts half, and time under ' +
      'maintenance is left out. Null where the public page shows none: it is switched off, the component has ' +
      'children, or less than seven days are known. Costs one more statement per page.',
  })
  async uptime(@Root() { id, page }: { id: number; page: string }, @Ctx() context: Context): Promise<number | null> {
    return (await readPublicPage(context, page))?.components.get(id)?.uptime ?? null;
  }
}
