import { Collection } from '@mikro-orm/core';
import { Entity, Index, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { TypicalSize } from '../graphql/connection-field.js';
import { defineRules } from '../records/record-rules.js';
import { compileAdministered } from './administered.js';
import { Membership } from './membership.entity.js';
import { Passkey } from '../sign-in/passkey.entity.js';
import { Session } from './session.entity.js';

const isMemberSql = (person: string, condition: string) =>
  `exists (select 1 from membership m where m.person_id = ${person} and ${condition})`;

@ObjectType({ description: 'Somebody who signs in.' })
@Entity({ tableName: 'person' })
@Index({
  name: 'person_email_unique',
  expression: 'create unique index person_email_unique on person (lower(email))',
})
export class Person {
  static readonly rules = defineRules<Person>({
    recordName: 'person',
    visibleWhere: ({ id }, viewer) =>
      compileAdministered(viewer, id, pages => isMemberSql(id, `m.page_id = any(${pages})`)),
    belongsToPage: ({ id }, page) => isMemberSql(id, `m.page_id = ${page}`),
  });

  @Field(() => ID, { description: 'The id of the person.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'The e-mail address, by which a person is invited.' })
  @Property({ type: 'text' })
  email!: string;

  @Field(() => Timestamp, { description: 'When the person was first invited.' })
  @TimestampColumn()
  createdAt!: Date;

  @Field(() => Timestamp, {
    nullable: true,
    description: 'Since when the person cannot sign in, and has neither sessions nor roles. Null: the person can.',
  })
  @TimestampColumn({ nullable: true })
  disabledAt: Date | null = null;

  @TypicalSize(3)
  @Field(() => [Membership], {
    description:
      'The roles: all of them for the person who asks and for an OWNER of all pages, else those on pages that the ' +
      'caller owns.',
  })
  @OneToMany(
    () => Membership,
    membership => membership.person,
  )
  memberships = new Collection<Membership>(this);

  @TypicalSize(3)
  @Field(() => [Session], {
    description:
      'The sessions that have not ended, oldest first. Those of others are listed for an OWNER of all pages alone.',
  })
  @OneToMany(
    () => Session,
    session => session.person,
  )
  sessions = new Collection<Session>(this);

  @TypicalSize(3)
  @Field(() => [Passkey], {
    description:
      'The passkeys by which the person signs in, oldest first. Those of others are listed for an OWNER of all pages alone.',
  })
  @OneToMany(
    () => Passkey,
    passkey => passkey.person,
  )
  passkeys = new Collection<Passkey>(this);
}
