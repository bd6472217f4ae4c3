import { Entity, Index, ManyToOne, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';

/**
 * Reserves a verified domain that was given up for its page: its DNS records still lead here, and its visitors must not
 * arrive at another page. Deleted with its page, which cannot take it back; another page still has to prove the domain.
 */
@Entity({ tableName: 'domain_reservation' })
export class DomainReservation {
  @PrimaryKey({ type: 'text' })
  domain!: string;

  @Index()
  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @TimestampColumn()
  until!: Date;
}
