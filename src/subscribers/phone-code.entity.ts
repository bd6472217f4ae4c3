import type { Opt } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../db/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';

/** The code that was sent to a phone last, by which its owner shows that it is theirs. */
@Entity({ tableName: 'phone_code' })
export class PhoneCode {
  @ManyToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  @PrimaryKey({ type: 'text' })
  phoneNumber!: string;

  /** Keyed: six digits alone would be guessed from any other hash. */
  @Property({ type: 'text' })
  hash!: string;

  @Property({ type: 'integer', default: 0 })
  tries: Opt<number> = 0;

  @TimestampColumn()
  expiresAt!: Date;
}
