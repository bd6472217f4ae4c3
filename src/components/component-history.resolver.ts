import { Arg, Ctx, Extensions, Field, FieldResolver, Float, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { RequiresAccess } from '../auth/access.js';
import { badRequest } from '../core/errors.js';
import { TypicalSize } from '../graphql/connection-field.js';
import type { Context } from '../graphql/context.js';
import { registerEnum } from '../graphql/enum.js';
import { ResolvedFrom } from '../graphql/entity-field-decorators.js';
import { Notice } from '../notices/notice.entity.js';
import {
  type DayState,
  historyLengthDays,
  type PublicDay,
  type PublicState,
  readPublicPage,
} from '../pages/public-page.js';
import { Component } from './component.entity.js';

const states = {
  operational: 'Nothing affects it.',
  maintenance: 'A maintenance affects it, and nothing worse.',
  'partially-degraded': 'An incident affects an ancestor or a descendant.',
  degraded: 'An incident affects it: it is slow, or parts of it fail.',
  'partial-outage': 'An incident with a partial outage affects it.',
  'major-outage': 'An incident with a major outage affects it.',
};
const DayStates = registerEnum(
  'DayState',
  { none: 'Nothing is known: the component did not exist yet.', ...states } satisfies Record<DayState, string>,
  'The worst state of a component on a day.',
);
const DisplayedStates = registerEnum(
  'DisplayedState',
  { unknown: 'It follows an upstream, which does not answer.', ...states } satisfies Record<PublicState, string>,
  'The state of a component as the public page shows it. A manual state counts, too.',
);

@ObjectType({ description: 'A day of a component, as its bar on the public page shows it.' })
class ComponentDay {
  constructor(private readonly day: PublicDay) {}

  @Field(() => String, { description: 'The date in the time zone of the page, such as 2026-11-20.' })
  get date(): string {
    return this.day.date;
  }

  @Field(() => DayStates, { description: 'The worst state of the day.' })
  get state(): DayState {
    return this.day.state;
  }

  @Field(() => Int, {
    description: 'The minutes in a state, or in any state but NONE and OPERATIONAL, for which it is 0.',
  })
  minutes(
    @Arg('state', () => DayStates, { nullable: true, description: 'The state. Null or absent: all of them.' })
    state: DayState | null | undefined,
  ): number {
    const { minutes } = this.day;
    if (state == null) return Object.values(minutes).reduce((sum, one) => sum + one, 0);
    return (minutes as Partial<Record<DayState, number>>)[state] ?? 0;
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
  // It reads what the public page shows.
  @Extensions({ cost: historyLengthDays, isFromMemory: true })
  @FieldResolver(() => DisplayedStates, {
    nullable: true,
    description:
      'The state that the public page shows: with the impact of incidents, a maintenance apart, or a manual state. A ' +
      'statement per page more. Null if the component was deleted while it was read.',
  })
  async displayedState(
    @Root() { id, page }: { id: number; page: string },
    @Ctx() context: Context,
  ): Promise<PublicState | null> {
    return (await readPublicPage(context, page))?.components.get(id)?.displayedState ?? null;
  }

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
  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'The share of the last 90 days without an outage, from 0 to 1. A partial outage counts half, and time under ' +
      'maintenance is left out. Null where the public page shows none: it is switched off, the component has ' +
      'children, or less than seven days are known. A statement per page more.',
  })
  async uptime(@Root() { id, page }: { id: number; page: string }, @Ctx() context: Context): Promise<number | null> {
    return (await readPublicPage(context, page))?.components.get(id)?.uptime ?? null;
  }
}
