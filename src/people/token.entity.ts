import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Node } from '../core/node.entity.js';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { defineRules } from '../records/record-rules.js';
import { NullableField } from '../graphql/nullable-field.js';
import { ReferenceField } from '../graphql/entity-field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Person } from './person.entity.js';
import { Roles } from './role.enum.js';
import type { Role } from '../auth/roles.js';

/** A bearer credential; only its hash is stored. */
@ObjectType({
  implements: Node,
  description: 'A credential of a program. Its secret is shown only once, when it is created.',
})
@Unique({ name: 'token_hash_unique', properties: ['hash'] })
@Index({ name: 'token_maker_id_index', properties: ['maker'] })
@Index({ name: 'token_person_id_index', properties: ['person'] })
@Entity({ tableName: 'token' })
export class Token {
  static readonly rules = defineRules<Token>({
    recordName: 'token',
    limitToPages: ({ pageIds }, pages) => `${pageIds} <@ ${pages}`,
  });

  @Field(() => ID, { description: 'Unique among all tokens.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'Its name for those who administer it.' })
  @Property({ type: 'text' })
  label!: string;

  /** SHA-256, hexadecimal. The credential has 256 random bits, so it needs no slow hash. */
  @Property({ type: 'text' })
  hash!: string;

  @NullableField(
    () => String,
    'The first four characters of its secret. Null for the first token, and for tokens made before there were roles.',
  )
  @Property({ type: 'text', nullable: true })
  prefix: string | null = null;

  @NullableField(() => String, 'The last four characters of its secret. Null for tokens that are older than roles.')
  @Property({ type: 'text', nullable: true })
  lastFour: string | null = null;

  @Field(() => Roles, { description: 'What it may do; a personal one at most what its person may do.' })
  @Property({ type: 'text' })
  role!: Role;

  @NullableField(() => [ID], 'The pages on which it has the role. Null: all pages.')
  @Property({ type: 'string[]', nullable: true })
  pageIds: string[] | null = null;

  @ReferenceField(() => Page, 'pageIds', {
    typicalSize: 2,
    nullable: true,
    description: 'The pages of `pageIds`. Null: all.',
  })
  pages?: Page[] | null;

  @Field(() => Boolean, {
    description:
      'Whether it has the scope `read`: that of a VIEWER who can also read subscribers and the settings of channels.',
  })
  @Property({ type: 'boolean', default: false, fieldName: 'reads_everything' })
  hasReadScope: Opt<boolean> = false;

  @NullableField(
    () => Person,
    'The person to whom it belongs: it can do what that person can do as well, and ends when the person is ' +
      'disabled. Null: a service token, or a person whom the caller does not administer.',
  )
  @ManyToOne(() => Person, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  person: Person | null = null;

  /** The token that made it, with which it is revoked. */
  @ManyToOne(() => Token, { nullable: true, deleteRule: 'set null', updateRule: 'no action' })
  maker: Token | null = null;

  @Field(() => Timestamp, { description: 'When it was created.' })
  @TimestampColumn()
  createdAt!: Date;

  @NullableField(() => Timestamp, 'When it stops being valid. Null: never.')
  @TimestampColumn({ nullable: true })
  expiresAt: Date | null = null;

  @NullableField(() => Timestamp, 'The hour in which it was last used. Null: not yet.')
  @TimestampColumn({ nullable: true })
  lastUsedAt: Date | null = null;

  @NullableField(() => Timestamp, 'When it was revoked. Null: it was not.')
  @TimestampColumn({ nullable: true })
  revokedAt: Date | null = null;
}
