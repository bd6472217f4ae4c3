import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { defineRules } from '../../records/record-rules.js';
import { InverseCollection } from '../../records/inverse-relation.js';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { TypicalSize } from '../../graphql/connection-field.js';
import { Timestamp } from '../../core/scalars.js';
import type { Outcome } from '../channels/channel.js';
import { Channels } from '../channels/channel.enums.js';
import { type ChannelName, channelNames } from '../channels/registry.js';
import { targetHostSql } from '../channels/target-host.js';
import { ChannelTestOutcome } from '../channels/test-outcome.enum.js';
import { isConfiguredSql, isSwitchedOnSql } from '../channels/is-configured.js';
import { Page } from '../../pages/page.entity.js';

const channelRowsSql = channelNames.map(
  (channel, position) =>
    `select p.id as page_id, ${position} as position, '${channel}' as channel,
      ${isConfiguredSql(channel, 'p.id')} as configured, ${isSwitchedOnSql(channel)} as switched from page p`,
);

/** A view, not a table. Of a target it contains the host only: the rest of a webhook's URL is its password. */
@ObjectType({ description: 'A channel of a page.' })
@Entity({
  expression: `select c.page_id, c.position, c.channel, c.configured, c.configured and c.switched as active,
      ${targetHostSql('t.target')} as host, t.tested_at, t.test_outcome,
      t.test_response, rr.suspended_at, rr.response as suspension_reason,
      coalesce(cf.started_at, ck.failing_since) as failing_since, coalesce(cf.response, ck.error) as failure_reason
    from (${channelRowsSql.join(' union all ')}) c
      left join channel_target t on t.page_id = c.page_id and t.channel = c.channel
      left join recipient_refusals rr on rr.page_id = c.page_id and rr.channel = c.channel
        and rr.subscriber_id is null and rr.webhook_id is null and rr.suspended_at is not null
      left join channel_failure cf on cf.page_id = c.page_id and cf.channel = c.channel and cf.ended_at is null
      left join channel_check ck on ck.channel = c.channel and ck.error is not null and c.configured`,
})
export class PageChannel {
  static readonly rules = defineRules<PageChannel>({
    key: 'page',
    order: [{ field: 'position', direction: 'asc' }],
  });

  @ManyToOne(() => Page)
  @InverseCollection(
    Page,
    'channels',
    RequiresAccess('channels'),
    TypicalSize(5),
    Field(() => [PageChannel], {
      description: 'The channels: whether each is configured and switched on, and the result of its last test.',
    }),
  )
  page!: Page;

  @Property({ type: 'integer' })
  position!: number;

  @Field(() => Channels, { description: 'The channel.' })
  @Property({ type: 'text' })
  channel!: ChannelName;

  @Field(() => Boolean, {
    description:
      'Whether it is configured: e-mail and SMS by the settings of the service, webhooks ' +
      'always, the others by `configureChannel`.',
  })
  @Property({ type: 'boolean', fieldName: 'configured' })
  isConfigured!: boolean;

  @Field(() => Boolean, { description: 'Whether it is used: configured, and switched on for the page.' })
  @Property({ type: 'boolean', fieldName: 'active' })
  isActive!: boolean;

  @NullableField(() => String, 'The host of its URL; null for e-mail and SMS, and while it is not configured.')
  @Property({ type: 'text', nullable: true })
  host: string | null = null;

  @NullableField(() => Timestamp, 'When it was last tested; null if never.')
  @TimestampColumn({ nullable: true })
  testedAt: Date | null = null;

  @NullableField(() => ChannelTestOutcome, 'The outcome of the last test; null if there was none.')
  @Property({ type: 'text', nullable: true })
  testOutcome: Outcome['kind'] | null = null;

  @NullableField(
    () => String,
    'The response of the provider to the last test, or the connection error; null if there was none.',
  )
  @Property({ type: 'text', nullable: true })
  testResponse: string | null = null;

  @NullableField(
    () => Timestamp,
    'When it was suspended: the provider refused three messages in a row because the webhook does not exist (HTTP ' +
      '404 or 410). It gets no ' +
      'messages until it is configured again, a test succeeds, or `liftSuspension`. Null if it is not suspended.',
  )
  @TimestampColumn({ nullable: true })
  suspendedAt: Date | null = null;

  @NullableField(() => String, 'The last response of the provider to a suspended channel; null if it is not suspended.')
  @Property({ type: 'text', nullable: true })
  suspensionReason: string | null = null;

  @NullableField(
    () => Timestamp,
    'Since when the server refuses e-mails or SMS of the page for a reason that is not the recipient’s, such as a ' +
      'quota, a relay that is denied, or the same answer to more than a third of the recipients. They are tried ' +
      'again. Also since when its daily check fails. Null while it accepts them.',
  )
  @TimestampColumn({ nullable: true })
  failingSince: Date | null = null;

  @NullableField(() => String, 'The last such answer of the server, or why its check failed; null if there is none.')
  @Property({ type: 'text', nullable: true, fieldName: 'failure_reason' })
  failure: string | null = null;
}
