import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Person } from '../people/person.entity.js';

/** A code that somebody asked for, also for an address of nobody. Rows of the last hour are counted for the limits. */
@Entity({ tableName: 'email_code' })
export class EmailCode {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  /** A keyed hash of the address, in lower case. */
  @Index()
  @Property({ type: 'text' })
  email!: string;

  /** A keyed hash of the network that asked. */
  @Index()
  @Property({ type: 'text' })
  network!: string;

  /** Null: nobody has the address, and no mail was sent. */
  @Index()
  @ManyToOne(() => Person, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  person: Person | null = null;

  /** A keyed hash: six digits could be guessed from a plain one. */
  @Property({ type: 'text' })
  hash!: string;

  @Property({ type: 'integer', default: 0 })
  tries: Opt<number> = 0;

  @TimestampColumn()
  createdAt!: Date;

  @TimestampColumn()
  expiresAt!: Date;
}
