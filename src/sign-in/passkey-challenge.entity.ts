import { Entity, Index, ManyToOne, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Person } from '../people/person.entity.js';

/** What an authenticator signs: random, used once, within 5 minutes. */
@Entity({ tableName: 'passkey_challenge' })
export class PasskeyChallenge {
  /** SHA-256, hexadecimal. */
  @PrimaryKey({ type: 'text' })
  hash!: string;

  /** Who adds a passkey. Null: somebody signs in. */
  @Index()
  @ManyToOne(() => Person, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  person: Person | null = null;

  @Index()
  @TimestampColumn()
  expiresAt!: Date;
}
