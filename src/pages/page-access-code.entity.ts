import type { Opt } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Page } from './page.entity.js';

/** The last code that was sent to an address, with which its owner sees a private page. */
@Entity({ tableName: 'page_access_code' })
export class PageAccessCode {
  @ManyToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  /** A keyed hash of the address. */
  @PrimaryKey({ type: 'text' })
  address!: string;

  /** A keyed hash: six digits could be guessed from a plain one. */
  @Property({ type: 'text' })
  hash!: string;

  @Property({ type: 'integer', default: 0 })
  tries: Opt<number> = 0;

  @TimestampColumn()
  expiresAt!: Date;
}
