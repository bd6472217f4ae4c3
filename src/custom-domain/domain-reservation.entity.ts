import { Entity, Index, ManyToOne, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../db/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';

/**
 * A domain that was verified and given up, and is kept for its page a while: its records still lead here, and whoever comes by them must not come to somebody else.
 * It goes with its page: a page that is not there takes nothing back, and another still has to prove the domain.
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
