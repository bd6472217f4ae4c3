import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../db/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';

/**
 * That somebody asked on a public page for a message to an address, be it theirs or not. Kept for a day, to be counted by all processes. Addresses and numbers are
 * here as keyed hashes only: most of them are of nobody who ever agreed to be known.
 */
@Entity({ tableName: 'subscription_request' })
@Index({ properties: ['recipient', 'createdAt'] })
@Index({ properties: ['caller', 'createdAt'] })
@Index({ properties: ['page', 'createdAt'] })
export class SubscriptionRequest {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  @Property({ type: 'text' })
  way!: 'email' | 'sms';

  @Property({ type: 'text' })
  recipient!: string;

  /** The network address that asked; of IPv6 the /64. */
  @Property({ type: 'text' })
  caller!: string;

  /** False where a cap kept the message from being sent, or the other side surely did not take it. */
  @Property({ type: 'boolean' })
  sent!: boolean;

  @TimestampColumn()
  createdAt!: Date;
}
