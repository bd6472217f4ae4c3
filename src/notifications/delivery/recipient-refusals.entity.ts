import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { Page } from '../../pages/page.entity.js';
import { Subscriber } from '../../subscribers/subscriber.entity.js';
import type { ChannelName } from '../channels/registry.js';

/** A recipient that refused the latest messages for good. Written with the ledger, without the lock of the page. */
@Entity({ tableName: 'recipient_refusals' })
@Index({
  name: 'recipient_refusals_unique',
  expression:
    'create unique index "recipient_refusals_unique" on "recipient_refusals" ' +
    '("page_id", "channel", (coalesce("subscriber_id", 0)))',
})
export class RecipientRefusals {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  @Property({ type: 'text' })
  channel!: ChannelName;

  /** Null for a channel of the page. */
  @Index()
  @ManyToOne(() => Subscriber, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  subscriber: Subscriber | null = null;

  /** The address that refuses: another address of the same subscriber is counted from zero. */
  @Property({ type: 'text' })
  address!: string;

  /** In a row. */
  @Property({ type: 'integer' })
  count!: number;

  /** The last response. */
  @Property({ type: 'text' })
  response!: string;

  /** When there were enough of them; null before. */
  @TimestampColumn({ nullable: true })
  suspendedAt: Date | null = null;

  /** When the operator was notified of the suspension; null before. */
  @TimestampColumn({ nullable: true })
  reportedAt: Date | null = null;
}
