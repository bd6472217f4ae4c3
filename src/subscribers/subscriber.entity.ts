import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToMany, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import { ComputedField } from '../records/computed-field.js';
import { defineRules } from '../records/record-rules.js';
import { Timestamped, TimestampColumn } from '../core/timestamped.entity.js';
import { RequiresAccess } from '../auth/access.js';
import { NoticeTypes } from '../notices/notice.enums.js';
import { type NoticeType, noticeTypes } from '../notices/notice.states.js';
import { Timestamp } from '../core/scalars.js';
import { suspensionSql } from '../notifications/delivery/suspension.js';
import { BelongsToPage } from '../pages/belongs-to-page.entity.js';
import type { Page } from '../pages/page.entity.js';
import { parsePhoneNumber } from '../core/address.js';
import { NullableField } from '../graphql/nullable-field.js';
import { ConnectionField } from '../graphql/connection-field.js';

const emailSuspensionSql = ({ id, page, email }: Record<'id' | 'page' | 'email', string>) =>
  suspensionSql({ pageId: page, channel: "'email'", subscriberId: id, address: email });

@ObjectType({
  implements: Timestamped,
  description: 'A person who is notified by e-mail or SMS. Only confirmed subscribers are shown.',
})
@Index({
  name: 'subscriber_confirmed_index',
  expression: `create index subscriber_confirmed_index on subscriber (page_id, id)
    where confirmed_at is not null and unsubscribed_at is null`,
})
@Unique({
  name: 'subscriber_email_unique',
  expression: 'create unique index subscriber_email_unique on subscriber (lower(email), page_id)',
})
@Index({ name: 'subscriber_page_id_id_index', properties: ['page', 'id'] })
@Unique({
  name: 'subscriber_phone_unique',
  expression: 'create unique index subscriber_phone_unique on subscriber (phone_number, page_id)',
})
@Index({
  name: 'subscriber_unconfirmed_index',
  expression: `create index subscriber_unconfirmed_index on subscriber (updated_at)
    where confirmed_at is null and unsubscribed_at is null`,
})
@Index({
  name: 'subscriber_unsubscribed_at_index',
  expression: `create index subscriber_unsubscribed_at_index on subscriber (unsubscribed_at)
    where unsubscribed_at is not null`,
})
@Entity({ tableName: 'subscriber' })
export class Subscriber extends Timestamped {
  static readonly rules = defineRules<Subscriber>({
    recordName: 'subscriber',
    caseInsensitive: ['email'],
    normalizers: { phoneNumber: parsePhoneNumber },
    visibleWhere: subscriber => `${subscriber.confirmedAt} is not null and ${subscriber.unsubscribedAt} is null`,
    filterConditions: {
      /** `filter[for_component]`: the subscribers of this component and those of all components. */
      forComponent: (subscriber, component) =>
        `(not ${subscriber.choseComponents} or exists (
          select 1 from subscriber_component c
          where c.subscriber_id = ${subscriber.id} and c.component_id = ${component}::bigint))`,
    },
  });

  @Field(() => ID, { description: 'Unique among all subscribers.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @BelongsToPage('subscribers', 'recipients', () => Subscriber, 'Confirmed subscribers, in the order of creation.')
  page!: Page;

  @NullableField(() => String, 'Unique on its page, ignoring case; null for SMS only.')
  @Property({ type: 'text', nullable: true })
  email: string | null = null;

  @NullableField(() => String, 'With the country code, such as +4479460000. Unique on its page; null for e-mail only.')
  @Property({ type: 'text', nullable: true })
  phoneNumber: string | null = null;

  @NullableField(() => String, 'Shown in the list of subscribers; null when unset.')
  @Property({ type: 'text', nullable: true })
  firstName: string | null = null;

  @NullableField(() => String, 'Shown in the list of subscribers; null when unset.')
  @Property({ type: 'text', nullable: true })
  lastName: string | null = null;

  @NullableField(() => String, 'Used in place of the real name; null when unset.')
  @Property({ type: 'text', nullable: true })
  nickname: string | null = null;

  @NullableField(() => String, 'The company of the subscriber; null when unset.')
  @Property({ type: 'text', nullable: true })
  company: string | null = null;

  @Field(() => [String], { description: 'Tags, in the order given.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  tagList: Opt<string[]> = [];

  @Field(() => String, { description: 'The tags as in /v1: one text, joined by commas.' })
  @ComputedField<Subscriber>(subscriber => `array_to_string(${subscriber.tagList}, ',')`, 'text')
  tagText!: string;

  /** Stored, since it must outlive the chosen components. */
  @Property({ type: 'boolean', default: false })
  choseComponents: Opt<boolean> = false;

  /** When kinds or components were chosen that are other ones. Null: as it was created. */
  @TimestampColumn({ nullable: true })
  chosenAt: Date | null = null;

  /** All, unless the subscriber chose some on the public page. */
  @Field(() => [NoticeTypes], { description: 'The types of notices that the subscriber is notified about.' })
  @Property({ type: 'string[]', defaultRaw: `'{${noticeTypes}}'` })
  kinds: Opt<NoticeType[]> = [...noticeTypes];

  /** Part of a confirmation link; changes on confirming and unsubscribing, so that the link works once. */
  @Property({ type: 'integer', default: 1 })
  linkVersion: Opt<number> = 1;

  @TimestampColumn({ nullable: true })
  confirmedAt: Date | null = null;

  /** Whether the person has unsubscribed. Such a record has one address, since each unsubscribes alone. */
  @TimestampColumn({ nullable: true })
  unsubscribedAt: Date | null = null;

  /** Where the consent came from: 'interface' is an API client, who is responsible for it. */
  @Property({ type: 'text' })
  consentSource!: string;

  @NullableField(
    () => Timestamp,
    'When the e-mail address was suspended: its mail server refused three messages in a row because its address ' +
      'does not exist. ' +
      'It gets no messages until the subscription is confirmed again, or `liftSuspension`. Null if it is not ' +
      'suspended.',
  )
  @ComputedField<Subscriber>(subscriber => `(select rr.suspended_at ${emailSuspensionSql(subscriber)})`, 'timestamptz')
  suspendedAt!: Date | null;

  @NullableField(
    () => String,
    'The last response of the mail server to a suspended address; null if it is not suspended.',
  )
  @ComputedField<Subscriber>(subscriber => `(select rr.response ${emailSuspensionSql(subscriber)})`, 'text')
  suspensionReason!: string | null;

  @RequiresAccess('recipients')
  @ConnectionField(
    () => Component,
    'The components that the subscriber is notified about, by position. Empty for everything, and if all chosen ' +
      'components were deleted: then only for notices that name no component.',
    10,
  )
  @ManyToMany(() => Component, undefined, { pivotTable: 'subscriber_component', updateRule: 'no action' })
  components = new Collection<Component>(this);

  @Field(() => [ID], { description: 'The ids of all these components, as the input `componentIds` takes them.' })
  @ComputedField<Subscriber>(
    subscriber =>
      `array(select component_id from subscriber_component
        where subscriber_id = ${subscriber.id} order by component_id)`,
    'integer[]',
  )
  componentIds!: number[];
}
