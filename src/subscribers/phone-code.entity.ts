import type { Opt } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';

/** The last code that was sent to a phone, with which its owner proves possession. */
@Entity({ tableName: 'phone_code' })
export class PhoneCode {
  @ManyToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  @PrimaryKey({ type: 'text' })
  phoneNumber!: string;

  /** A keyed hash: six digits could be guessed from a plain one. */
  @Property({ type: 'text' })
  hash!: string;

  @Property({ type: 'integer', default: 0 })
  tries: Opt<number> = 0;

  @TimestampColumn()
  expiresAt!: Date;
}
