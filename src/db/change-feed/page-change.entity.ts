import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../../core/timestamped.entity.js';

/**
 * States that a transaction changed a page, so that every process can find what the others commit. The transaction id,
 * not a sequence, orders the rows of all pages: sequence values are taken before the commit and become visible in
 * another order. There is no foreign key, because deleting a page is a change too.
 */
@Entity({ tableName: 'page_change' })
export class PageChange {
  @PrimaryKey({ type: 'string', columnType: 'xid8', defaultRaw: 'pg_current_xact_id()' })
  transaction!: string;

  @PrimaryKey({ type: 'text' })
  pageId!: string;

  /** How many changes the page has had, this one included. Null: the page was deleted. */
  @Property({ type: 'integer', nullable: true })
  changeCount: number | null = null;

  @Index()
  @TimestampColumn()
  createdAt!: Date;
}
