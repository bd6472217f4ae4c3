import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';

/**
 * A visitor of a public page requested a message to an address, which may be that of somebody else. Stored for a day
 * for rate limits across all processes; addresses only as keyed hashes, since their owners have not consented to
 * anything.
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

  /** The network address of the visitor; for IPv6 its /64. */
  @Property({ type: 'text' })
  caller!: string;

  /** False if a limit prevented the message, or the recipient server definitely refused it. */
  @Property({ type: 'boolean' })
  sent!: boolean;

  @TimestampColumn()
  createdAt!: Date;
}
