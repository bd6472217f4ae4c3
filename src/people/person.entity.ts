import { Collection } from '@mikro-orm/core';
import { Entity, Index, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { defineRules } from '../records/record-rules.js';
import { Session } from './session.entity.js';

@ObjectType({ description: 'Somebody who signs in.' })
@Entity({ tableName: 'person' })
@Index({
  name: 'person_email_unique',
  expression: 'create unique index person_email_unique on person (lower(email))',
})
export class Person {
  static readonly rules = defineRules<Person>({ recordName: 'person' });

  @Field(() => ID, { description: 'The id of the person.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'The e-mail address, by which a person is invited.' })
  @Property({ type: 'text' })
  email!: string;

  @Field(() => Timestamp, { description: 'When the person was first invited.' })
  @TimestampColumn()
  createdAt!: Date;

  /** A disabled person cannot sign in, and has no session. */
  @TimestampColumn({ nullable: true })
  disabledAt: Date | null = null;

  @Field(() => [Session], { description: 'The sessions that have not ended, oldest first.' })
  @OneToMany(
    () => Session,
    session => session.person,
  )
  sessions = new Collection<Session>(this);
}
