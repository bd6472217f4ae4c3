import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';

/** What the owner of an address may do with a code that was sent there. */
export type CodePurpose = 'sign_in' | 'view_page' | 'confirm_phone';

/** A code that proves possession of an address. Only the newest of a scope and a subject counts. */
@Index({ properties: ['purpose', 'scope', 'subject', 'id'] })
@Entity({ tableName: 'one_time_code' })
export class OneTimeCode {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Property({ type: 'text' })
  purpose!: CodePurpose;

  /** The id of the page; for a code to sign in a keyed hash of the secret of the browser that requested it. */
  @Property({ type: 'text' })
  scope!: string;

  /** The phone number, or a keyed hash of the e-mail address. */
  @Property({ type: 'text' })
  subject!: string;

  /** A keyed hash of the network from which a code to sign in was requested. */
  @Index()
  @Property({ type: 'text', nullable: true })
  network: string | null = null;

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
