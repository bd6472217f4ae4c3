import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../../db/timestamped.entity.js';
import type { PageChannelName } from './channel-names.js';
import { Page } from '../../pages/page.entity.js';

/**
 * What a channel of a page needs to be reached, and how the last test of it went; a channel of the whole service has a row for its test alone. No field of it is in the
 * graph: a target is a secret, written and used and never read.
 */
@Entity({ tableName: 'channel_target' })
export class ChannelTarget {
  @ManyToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Property({ type: 'text', primary: true })
  channel!: PageChannelName | 'email' | 'sms';

  @Property({ type: 'json', nullable: true })
  target: Record<string, string> | null = null;

  @TimestampColumn({ nullable: true })
  testedAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  testOutcome: string | null = null;

  @Property({ type: 'text', nullable: true })
  testAnswer: string | null = null;
}
