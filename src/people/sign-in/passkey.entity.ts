import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { compileAdministered } from '../administered.js';
import { Person } from '../person.entity.js';
import { defineRules } from '../../records/record-rules.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { TypicalSize } from '../../graphql/connection-field.js';
import { InverseCollection } from '../../records/inverse-relation.js';

@ObjectType({
  description: 'A passkey: a key pair by which a person signs in, whose private key never leaves a device.',
})
@Unique({ name: 'passkey_credential_id_unique', properties: ['credentialId'] })
@Index({ name: 'passkey_person_id_index', properties: ['person'] })
@Entity({ tableName: 'passkey' })
export class Passkey {
  static readonly rules = defineRules<Passkey>({
    recordName: 'passkey',
    visibleWhere: ({ person }, viewer) => compileAdministered(viewer, person),
  });

  @Field(() => ID, { description: 'The id of the passkey.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Person, { deleteRule: 'cascade', updateRule: 'no action' })
  @InverseCollection(
    Person,
    'passkeys',
    TypicalSize(3),
    Field(() => [Passkey], {
      description:
        'The passkeys by which the person signs in, oldest first. Those of others are listed for an OWNER of all ' +
        'pages alone.',
    }),
  )
  person!: Person;

  /** Chosen by the authenticator, base64url. */
  @Property({ type: 'text' })
  credentialId!: string;

  /** COSE. */
  @Property({ type: 'bytea', columnType: 'bytea' })
  publicKey!: Uint8Array;

  /** How often the authenticator signed, if it counts: a lower number than before is that of a copy. */
  @Property({ type: 'bigint', runtimeType: 'string' })
  counter!: string;

  @Property({ type: 'text[]' })
  transports!: string[];

  @Field(() => String, { description: 'What the person calls it.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it is synchronized between devices, and so survives the loss of one.' })
  @Property({ type: 'boolean' })
  isBackedUp!: boolean;

  @Field(() => Timestamp, { description: 'When it was added.' })
  @TimestampColumn()
  createdAt!: Date;

  @NullableField(() => Timestamp, 'When it was last used. Null: never.')
  @TimestampColumn({ nullable: true })
  lastUsedAt: Date | null = null;
}
