import { Entity, Index, ManyToOne, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Person } from './person.entity.js';

/** A link that signs a person in once. */
@Entity({ tableName: 'sign_in_link' })
export class SignInLink {
  /** SHA-256, hexadecimal, of 256 random bits. */
  @PrimaryKey({ type: 'text' })
  hash!: string;

  @Index()
  @ManyToOne(() => Person, { deleteRule: 'cascade', updateRule: 'no action' })
  person!: Person;

  @TimestampColumn()
  expiresAt!: Date;
}
