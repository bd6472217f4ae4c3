import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Person } from '../people/person.entity.js';

/** What an identity provider calls a person: an address can be given to somebody else, a subject cannot. */
@Entity({ tableName: 'identity' })
export class Identity {
  @PrimaryKey({ type: 'text' })
  issuer!: string;

  @PrimaryKey({ type: 'text' })
  subject!: string;

  @Index()
  @ManyToOne(() => Person, { deleteRule: 'cascade', updateRule: 'no action' })
  person!: Person;

  @TimestampColumn()
  createdAt!: Date;
}

/** A sign-in that has begun at an identity provider, bound to one browser by a cookie. */
@Entity({ tableName: 'identity_request' })
export class IdentityRequest {
  /** SHA-256, hexadecimal, of the 256 random bits of the cookie. */
  @PrimaryKey({ type: 'text' })
  hash!: string;

  @Property({ type: 'text' })
  state!: string;

  @Property({ type: 'text' })
  nonce!: string;

  @Property({ type: 'text' })
  codeVerifier!: string;

  /** The path to return to. */
  @Property({ type: 'text' })
  returnTo!: string;

  @Index()
  @TimestampColumn()
  expiresAt!: Date;
}
