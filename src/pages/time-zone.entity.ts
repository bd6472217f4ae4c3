import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../core/node.entity.js';
import { quoteLiteral } from '../core/sql-literal.js';
import { defineRules } from '../records/record-rules.js';
import { listTimeZones } from './time-zones.js';

const values = listTimeZones(new Date().getUTCFullYear()).map(
  ({ name, zone, offset, offsetMinutes }, position) =>
    `(${quoteLiteral(name)}, ${quoteLiteral(zone)}, ${quoteLiteral(offset)}, ${offsetMinutes}, ${position})`,
);

/** Has no table: the list is part of the code, so the statement contains its rows. */
@ObjectType({ implements: Node, description: 'A time zone that a page can use.' })
@Entity({
  expression: `select * from (values ${values.join(', ')})
    as time_zone (name, zone, "offset", offset_minutes, "position")`,
})
export class TimeZone {
  static readonly rules = defineRules<TimeZone>({
    recordName: 'time zone',
    key: 'name',
    // By offset, then by name.
    order: [{ field: 'position', direction: 'asc' }],
  });

  @Field(() => String, { description: 'The display name, as in `timezoneName` of a page.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => ID, {
    description: 'The identifier in the tz database, such as `Europe/London`, as in `timezone` of a page.',
  })
  @Property({ type: 'text', fieldName: 'zone' })
  id!: string;

  @Field(() => String, {
    description: 'The offset from UTC without summer time and the name: `(GMT+HH:MM) name`.',
  })
  @Property({ type: 'text' })
  offset!: string;

  @Field(() => Int, { description: 'The offset from UTC without summer time, in minutes.' })
  @Property({ type: 'integer' })
  offsetMinutes!: number;

  @Property({ type: 'integer' })
  position!: number;
}
