import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { literal } from '../core/sql-literal.js';
import type { Order } from '../records/select-sql.js';
import { listTimeZones } from './time-zones.js';

const values = listTimeZones(new Date().getUTCFullYear()).map(
  ({ name, zone, offset, offsetMinutes }, position) =>
    `(${literal(name)}, ${literal(zone)}, ${literal(offset)}, ${offsetMinutes}, ${position})`,
);

/** No table: the list is ours, and stands in the statement. */
@ObjectType({ description: 'A time zone that a page may be set to.' })
@Entity({
  expression: `select * from (values ${values.join(', ')}) as time_zone (name, zone, "offset", offset_minutes, "position")`,
})
export class TimeZone {
  static readonly word = 'time zone';

  /** What it is known by; an entity without a table has no primary key. */
  static readonly key = 'name';

  /** By offset, then by name. */
  static readonly order: Order = [{ field: 'position', direction: 'asc' }];

  @Field(() => String, { description: "The friendly name; the value of a page's `timezone`." })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => ID, { description: 'The id in the tz database: Europe/London.' })
  @Property({ type: 'text' })
  zone!: string;

  @Field(() => String, {
    description: 'The standard offset from UTC, without summer time, as (GMT+HH:MM) and the name.',
  })
  @Property({ type: 'text' })
  offset!: string;

  @Field(() => Int, { description: 'The same in minutes.' })
  @Property({ type: 'integer' })
  offsetMinutes!: number;

  @Property({ type: 'integer' })
  position!: number;
}
