import { Args, Query, Resolver } from 'type-graphql';
import { RequiresAccess } from '../auth/access.js';
import { createFilterType } from '../graphql/filters.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import type { ListArguments } from '../records/list-arguments.js';
import { IdArg, InjectReader, ReadQuery } from '../graphql/field-decorators.js';
import { TimeZone } from './time-zone.entity.js';
import { findTimeZoneName } from './time-zone-names.js';
import type { FieldReader } from '../records/field-reader.js';

const TimeZoneConnection = createConnectionType(TimeZone);
const TimeZoneArguments = createListArguments(
  TimeZone,
  createFilterType(TimeZone, { except: ['id', 'offsetMinutes'] }),
  ['id', 'name', 'offset'],
);

@Resolver()
export class TimeZoneResolver {
  @ReadQuery(() => TimeZone, 'viewer', 'Returns a time zone by its name or its identifier in the tz database.')
  timezone(
    @IdArg('id', 'The name, or the identifier in the tz database.') id: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.one([[TimeZone, findTimeZoneName(id) ?? id]]);
  }

  @ReadQuery(() => TimeZoneConnection, 'viewer', 'Lists the time zones that a page can use, by offset.')
  timezones(@Args(() => TimeZoneArguments) list: ListArguments, @InjectReader() read: FieldReader) {
    return read.list([], TimeZone, list);
  }

  @RequiresAccess('viewer')
  @Query(() => String, {
    description: 'Returns a greeting, to check that the service is running and the token is valid.',
  })
  hello(): string {
    return 'Hello from All Clear';
  }
}
