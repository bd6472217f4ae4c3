import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import { Timestamped, TimestampColumn } from '../../core/timestamped.entity.js';
import { Component } from '../../components/component.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { ReferenceField } from '../../graphql/entity-field-decorators.js';
import { registerEnum } from '../../graphql/enum.js';
import { type NoticeType, noticeTypes } from '../../notices/notice.states.js';
import { BelongsToPage } from '../../pages/belongs-to-page.entity.js';
import type { Page } from '../../pages/page.entity.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';
import type { Outcome } from '../channels/channel.js';
import { ChannelTestOutcome } from '../channels/test-outcome.enum.js';
import type { WebhookFormat } from '../channels/webhook-formats.js';
import { targetHostSql } from '../channels/target-host.js';
import { push } from '../channels/push.js';
import { suspensionSql } from '../delivery/suspension.js';

export const WebhookFormats = registerEnum(
  'WebhookFormat',
  {
    standard: 'By Standard Webhooks: docs/webhooks.md.',
    statuspage: 'As Atlassian Statuspage sends them, which has no announcements.',
    slack: 'As the incoming webhook of a Slack channel takes it.',
    teams: 'As the incoming webhook of a Microsoft Teams channel takes it.',
    discord: 'As the webhook of a Discord channel takes it.',
  } satisfies Record<WebhookFormat, string>,
  'How the body of a request to a webhook is written.',
);

const suspension = ({ id, page, target }: Record<'id' | 'page' | 'target', string>) =>
  suspensionSql({ pageId: page, channel: "'webhook'", webhookId: id, address: targetHostSql(target) });

@ObjectType({ implements: Timestamped, description: 'A URL of a program that is sent the notices of a page.' })
@Index({ name: 'webhook_page_id_id_index', properties: ['page', 'id'] })
@Unique({
  name: 'webhook_url_hash_unique',
  expression: 'create unique index webhook_url_hash_unique on webhook (page_id, url_hash)',
})
@Entity({ tableName: 'webhook' })
export class Webhook extends Timestamped {
  static readonly rules = defineRules<Webhook>({
    recordName: 'webhook',
    secrets: ['target'],
    // Browsers that visitors subscribed are rows of this table, and no webhooks to operators.
    visibleWhere: webhook => `(${webhook.confirmedAt} is not null and ${webhook.format} <> '${push.name}')`,
    unversioned: ['testedAt', 'testOutcome', 'testResponse'],
  });

  @Field(() => ID, { description: 'Unique among all webhooks.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @BelongsToPage('webhooks', 'owner', () => Webhook, 'The webhooks, in the order of their creation.')
  page!: Page;

  @Field(() => WebhookFormats, { description: 'How its requests are written.' })
  @Property({ type: 'text' })
  format!: WebhookFormat;

  /** The URL and the secrets: webhook-target.ts. */
  @Property({ type: 'json' })
  target!: object;

  @Field(() => String, { description: 'The host of its URL. Owners read the rest by `webhookUrls`.' })
  @ComputedField<Webhook>(webhook => targetHostSql(webhook.target), 'text')
  host!: string;

  /** Stored, since it must outlive the chosen components. */
  @Property({ type: 'boolean', default: false })
  choseComponents: Opt<boolean> = false;

  /** When kinds or components were chosen that are other ones. Null: as it was created. */
  @TimestampColumn({ nullable: true })
  chosenAt: Date | null = null;

  @Field(() => [ID], { description: 'The ids of the components whose notices it is sent. Empty: all notices.' })
  @ComputedField<Webhook>(
    webhook =>
      `array(select component_id from webhook_component where webhook_id = ${webhook.id} order by component_id)`,
    'integer[]',
  )
  componentIds!: number[];

  @ReferenceField(() => Component, 'componentIds', { typicalSize: 3, description: 'The components of `componentIds`.' })
  components?: Component[];

  @TimestampColumn({ nullable: true })
  confirmedAt: Date | null = null;

  /** All, unless the visitor chose some. */
  @Property({ type: 'string[]', defaultRaw: `'{${noticeTypes}}'` })
  kinds: Opt<NoticeType[]> = [...noticeTypes];

  @Property({ type: 'text', nullable: true })
  urlHash: string | null = null;

  @Field(() => Boolean, { description: 'Whether a visitor subscribed it on the page, and not an owner created it.' })
  @ComputedField<Webhook>(webhook => `(${webhook.urlHash} is not null)`, 'boolean')
  isSubscription!: boolean;

  @NullableField(
    () => String,
    'The e-mail address of the person who runs the receiver: of a subscription the visitor, who is notified when ' +
      'it fails, as the owners are of others. Null: unknown, or it is a chat.',
  )
  @Property({ type: 'text', nullable: true })
  contact: string | null = null;

  /** Part of a confirmation link; changes on confirming, so that the link works once. */
  @Property({ type: 'integer', default: 1 })
  linkVersion: Opt<number> = 1;

  @NullableField(
    () => Timestamp,
    'When its secret was last replaced: the earlier one signs for another day. Null: never.',
  )
  @TimestampColumn({ nullable: true })
  rotatedAt: Date | null = null;

  @Field(() => String, {
    description: 'The key by which its `v1a` signatures are verified: `whpk_...`, the same for all webhooks of a page.',
  })
  @ComputedField<Webhook>(webhook => `(select public_key from webhook_key k where k.page_id = ${webhook.page})`, 'text')
  publicKey!: string;

  @NullableField(() => Timestamp, 'When it was last tested; null if never.')
  @TimestampColumn({ nullable: true })
  testedAt: Date | null = null;

  @NullableField(() => ChannelTestOutcome, 'The outcome of the last test; null if there was none.')
  @Property({ type: 'text', nullable: true })
  testOutcome: Outcome['kind'] | null = null;

  @NullableField(() => String, 'The response to the last test, or the connection error; null if there was none.')
  @Property({ type: 'text', nullable: true })
  testResponse: string | null = null;

  @NullableField(
    () => Timestamp,
    'When it was suspended: it responded with HTTP 410, or did not accept a message for 75 hours. It gets no ' +
      'messages until `resumeWebhook`, another URL, or a test that succeeds. Null if it is not suspended.',
  )
  @ComputedField<Webhook>(webhook => `(select rr.suspended_at ${suspension(webhook)})`, 'timestamptz')
  suspendedAt!: Date | null;

  @NullableField(
    () => String,
    'The last response of a suspended webhook, or the connection error; null if it is not suspended.',
  )
  @ComputedField<Webhook>(webhook => `(select rr.response ${suspension(webhook)})`, 'text')
  suspensionReason!: string | null;
}
