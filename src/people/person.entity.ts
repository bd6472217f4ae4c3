import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { Node } from '../core/node.entity.js';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { defineRules } from '../records/record-rules.js';
import { compileAdministered } from './administered.js';

const isMemberSql = (person: string, condition: string) =>
  `exists (select 1 from membership m where m.person_id = ${person} and ${condition})`;

@ObjectType({ implements: Node, description: 'Somebody who signs in.' })
@Unique({ name: 'person_email_unique', expression: 'create unique index person_email_unique on person (lower(email))' })
@Entity({ tableName: 'person' })
export class Person {
  static readonly rules = defineRules<Person>({
    recordName: 'person',
    visibleWhere: ({ id }, viewer) =>
      compileAdministered(viewer, id, pages => isMemberSql(id, `m.page_id = any(${pages})`)),
    belongsToPage: ({ id }, page) => isMemberSql(id, `m.page_id = ${page}`),
  });

  @Field(() => ID, { description: 'Unique among all people.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'The e-mail address, by which a person is invited.' })
  @Property({ type: 'text' })
  email!: string;

  @Field(() => Timestamp, { description: 'When the person was first invited.' })
  @TimestampColumn()
  createdAt!: Date;

  @NullableField(
    () => Timestamp,
    'Since when the person cannot sign in, and has neither sessions nor roles. Null: the person can.',
  )
  @TimestampColumn({ nullable: true })
  disabledAt: Date | null = null;
}
