import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import type { Role } from './roles.js';

/** A bearer credential; only its hash is stored. */
@Entity({ tableName: 'token' })
export class Token {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  /** A name for the operator, shown in the list of tokens. */
  @Property({ type: 'text' })
  label!: string;

  /** SHA-256, hexadecimal. The credential has 256 random bits, so it needs no slow hash. */
  @Unique()
  @Property({ type: 'text' })
  hash!: string;

  @Property({ type: 'text' })
  role!: Role;

  /** The pages on which it has the role; null: all pages. */
  @Property({ type: 'string[]', nullable: true })
  pageIds: string[] | null = null;

  /** Whether it reads what any role can read: a token of scope read, which is older than roles. */
  @Property({ type: 'boolean', default: false })
  readsEverything: Opt<boolean> = false;

  @TimestampColumn()
  createdAt!: Date;

  @TimestampColumn({ nullable: true })
  revokedAt: Date | null = null;
}
