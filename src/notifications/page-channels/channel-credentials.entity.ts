import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import type { Target } from '../channels/channel.js';
import type { ChannelName } from '../channels/registry.js';
import { Page } from '../../pages/page.entity.js';

/**
 * The secret URL and token of a page's channel, and the outcome of its last test. A channel to subscribers, which is
 * configured for the whole service, has a row only for the test. No field is in the GraphQL API: the target is a
 * secret.
 */
@Entity({ tableName: 'channel_target' })
export class ChannelCredentials {
  @ManyToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Property({ type: 'text', primary: true })
  channel!: ChannelName;

  @Property({ type: 'json', nullable: true })
  target: Target | null = null;

  @TimestampColumn({ nullable: true })
  testedAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  testOutcome: string | null = null;

  @Property({ type: 'text', nullable: true })
  testResponse: string | null = null;
}
