import { Entity, Index, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../timestamped.entity.js';

/**
 * That a transaction wrote something of a page: by it every process hears of what the others commit. Rows are added and never changed, since a counter on the page
 * would make each writer wait for the one before it. The number of the transaction, not a sequence, since those are given before the commit and seen after it, in
 * another order. No foreign key: a deleted page changed too.
 */
@Entity({ tableName: 'page_change' })
export class PageChange {
  @PrimaryKey({ type: 'string', columnType: 'xid8', defaultRaw: 'pg_current_xact_id()' })
  transaction!: string;

  @PrimaryKey({ type: 'text' })
  pageId!: string;

  @Index()
  @TimestampColumn()
  createdAt!: Date;
}
