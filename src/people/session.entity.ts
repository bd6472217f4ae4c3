import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { defineRules } from '../records/record-rules.js';
import { TypicalSize } from '../graphql/connection-field.js';
import { InverseCollection } from '../records/inverse-relation.js';
import { compileAdministered } from './administered.js';
import { Person } from './person.entity.js';

@ObjectType({ description: 'A browser in which a person is signed in.' })
@Unique({ name: 'session_hash_unique', properties: ['hash'] })
@Index({ name: 'session_person_id_index', properties: ['person'] })
@Entity({ tableName: 'session' })
export class Session {
  static readonly rules = defineRules<Session>({
    recordName: 'session',
    visibleWhere: ({ person, revokedAt, lastSeenAt, createdAt }, viewer) =>
      `${revokedAt} is null and ${lastSeenAt} > clock_timestamp() - interval '12 hours' ` +
      `and ${createdAt} > clock_timestamp() - interval '30 days' ` +
      // A session gives access to all pages of its person, so owners of some do not see it.
      `and ${compileAdministered(viewer, person)}`,
  });

  @Field(() => ID, { description: 'The id of the session.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Person, { deleteRule: 'cascade', updateRule: 'no action' })
  @InverseCollection(
    Person,
    'sessions',
    TypicalSize(3),
    Field(() => [Session], {
      description:
        'The sessions that have not ended, oldest first. Those of others are listed for an OWNER of all pages alone.',
    }),
  )
  person!: Person;

  /** SHA-256, hexadecimal, of 256 random bits. */
  @Property({ type: 'text' })
  hash!: string;

  @Field(() => String, { description: 'The User-Agent of the browser when the person signed in.' })
  @Property({ type: 'text' })
  userAgent!: string;

  @Field(() => Timestamp, { description: 'When the person signed in.' })
  @TimestampColumn()
  createdAt!: Date;

  @Field(() => Timestamp, { description: 'When it was last used, to 5 minutes.' })
  @TimestampColumn()
  lastSeenAt!: Date;

  @TimestampColumn({ nullable: true })
  revokedAt: Date | null = null;
}
