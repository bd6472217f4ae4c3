import type { GraphQLResolveInfo } from 'graphql';
import { Args, Authorized, Ctx, Info, Query, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { filterOf } from '../graphql/filters.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Id, Read } from '../graphql/field-decorators.js';
import { TimeZone } from './time-zone.entity.js';
import { nameOfZone } from './time-zones.js';

const TimeZoneList = listOf(TimeZone);
const TimeZoneArguments = listArguments(TimeZone, filterOf(TimeZone, { except: ['zone', 'offsetMinutes'] }), [
  'name',
  'offset',
]);

@Resolver()
export class TimeZoneResolver {
  @Read(() => TimeZone, 'read', 'One time zone, by its name or its id in the tz database.')
  timezone(
    @Id('id', 'Its name, or its id in the tz database.') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one([[TimeZone, nameOfZone(id) ?? id]], info);
  }

  @Read(() => TimeZoneList, 'read', 'The time zones that a page may be set to, by offset.')
  timezones(@Args(() => TimeZoneArguments) list: ListArgs, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.list([], TimeZone, info, list);
  }

  @Authorized('read')
  @Query(() => String, { description: 'A greeting: the service is there and the token is good.' })
  hello(): string {
    return 'Hello from All Clear';
  }
}
