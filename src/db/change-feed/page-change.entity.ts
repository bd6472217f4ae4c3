import { Entity, Index, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../../core/timestamped.entity.js';

/**
 * States that a transaction changed a page, so that every process can find what the others commit. Rows are inserted
 * and never updated: a counter in the page's row would make each writer wait for the previous one. The transaction id,
 * not a sequence, orders them: sequence values are taken before the commit and become visible in another order. There
 * is no foreign key, because deleting a page is a change too.
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
