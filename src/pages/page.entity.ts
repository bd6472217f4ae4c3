import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ComponentStates } from '../components/component.enums.js';
import { NullableField } from '../graphql/nullable-field.js';
import { ConvertedField } from '../graphql/entity-field-decorators.js';
import { ComputedField } from '../records/computed-field.js';
import { defineRules } from '../records/record-rules.js';
import { Timestamped } from '../core/timestamped.entity.js';
import { RequiresAccess } from '../auth/access.js';
import { Direction } from '../graphql/connection-types.js';
import { V1Only } from '../graphql/one-interface.js';
import { openSql } from '../notices/notice.states.js';
import { isDegradedPageSql } from './page-state.js';
import type { Reminder } from './reminder.js';
import { Reminders } from './reminder.enum.js';
import { type ChannelName, channels, describeSending, switchName } from '../notifications/channels/registry.js';
import { isActiveSql } from '../notifications/channels/is-configured.js';
import { isPrivatePageSql, PageVisibilities, type PageVisibility } from './page-visibility.js';
import { findZone } from './time-zones.js';
import { endpointSql, publicUrlSql } from './public-url.js';

/** As PostgreSQL writes it, so that a comparison of the schemas finds no difference. */
const linkKeySql = `replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text)`;

@ObjectType({ implements: Timestamped, description: 'A public status page and its settings.' })
@Index({
  name: 'page_reported_month_index',
  expression: 'create index page_reported_month_index on page (reported_month) where send_monthly_report',
})
@Entity({ tableName: 'page' })
export class Page extends Timestamped {
  static readonly rules = defineRules<Page>({
    recordName: 'page',
    isPageContent: true,
    isAggregateRoot: true,
    secrets: ['passwordHash', 'linkKey'],
    unversioned: ['accessVersion', 'emailDomainVersions', 'reportedMonth'],
    // Without a role a page that visitors cannot simply open does not exist.
    visibleWhere: ({ visibility }, { caller }) =>
      caller.kind === 'anonymous' ? `not (${isPrivatePageSql(visibility)})` : undefined,
    guessableWhere: ({ visibility }, { caller }) =>
      caller.kind === 'anonymous' ? `${visibility} = 'public'` : undefined,
    order: [
      { field: 'createdAt', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ],
  });

  @Field(() => ID, { description: '8 lower-case hexadecimal characters.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  /** How many transactions have changed the page or what is on it. Moved by SQL, at each commit. */
  @Property({ type: 'integer', default: 0 })
  changeCount: Opt<number> = 0;

  @Field(() => String, { description: 'The name used in the management interface.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => ComponentStates, {
    description:
      'DEGRADED while any notice of the page is ongoing, even one that names no components, and while a component ' +
      'has another manual status than OPERATIONAL. Otherwise OPERATIONAL.',
  })
  @ComputedField<Page>(page => `case when ${isDegradedPageSql(page.id)} then 'degraded' else 'operational' end`, 'text')
  state!: string;

  @ConvertedField('timezoneName', findZone, () => String, 'Its time zone in the tz database: `Europe/London`.')
  readonly timezone!: string;

  @Field(() => String, {
    description: 'The display name of its time zone, which is the `name` of one of the `timezones`.',
  })
  @Property({ type: 'text', default: 'UTC', fieldName: 'timezone' })
  timezoneName!: Opt<string>;

  @NullableField(() => String, 'An e-mail address for visitors. Null if unset.')
  @Property({ type: 'text', nullable: true })
  supportEmail: string | null = null;

  @NullableField(() => String, 'A telephone number for visitors. Null if unset.')
  @Property({ type: 'text', nullable: true })
  supportTelephone: string | null = null;

  @NullableField(() => String, 'The http or https URL of the helpdesk. Null if unset.')
  @Property({ type: 'text', nullable: true })
  supportUrl: string | null = null;

  @NullableField(() => String, 'The http or https URL of the website. Null if unset.')
  @Property({ type: 'text', nullable: true })
  websiteUrl: string | null = null;

  @NullableField(() => String, 'The http or https URL of the privacy policy. Null if unset.')
  @Property({ type: 'text', nullable: true })
  privacyUrl: string | null = null;

  @NullableField(() => String, 'The http or https URL of the terms of use. Null if unset.')
  @Property({ type: 'text', nullable: true })
  termsUrl: string | null = null;

  @Field(() => Boolean, { description: 'Whether search engines may index the page.' })
  @Property({ type: 'boolean', default: true, fieldName: 'visible_to_search' })
  isVisibleToSearch: Opt<boolean> = true;

  @NullableField(() => String, 'The title for search engines. Null: the name of the page.')
  @Property({ type: 'text', nullable: true })
  metaTitle: string | null = null;

  @NullableField(() => String, 'The description for search engines. Null if unset.')
  @Property({ type: 'text', nullable: true })
  metaDescription: string | null = null;

  @NullableField(
    () => String,
    'The id in Google Analytics, whose code the page then has. Null: it has no analytics code.',
  )
  @Property({ type: 'text', nullable: true, fieldName: 'vendor_analytics_id' })
  googleAnalyticsId: string | null = null;

  @Field(() => Int, { description: 'How long past notices stay on the front page, in seconds.' })
  @Property({ type: 'integer', default: 259_200, fieldName: 'timeline_threshold' })
  timelineThresholdSeconds: Opt<number> = 259_200;

  @V1Only()
  @Field(() => Int, { description: '`timelineThresholdSeconds` in whole days.' })
  @ComputedField<Page>(page => `${page.timelineThresholdSeconds} / 86400`, 'integer')
  timelineThresholdInDays!: number;

  @Field(() => Direction, {
    description: 'The order of the updates of a notice on the public page. ASC: the oldest first.',
  })
  @Property({ type: 'text', default: 'asc' })
  timelineSortOrder: Opt<string> = 'asc';

  @Field(() => String, { description: 'The language code of the page, such as `en` or `pt-BR`.' })
  @Property({ type: 'text', default: 'en' })
  locale: Opt<string> = 'en';

  @Field(() => Boolean, { description: 'Whether components show their uptime of the last 90 days.' })
  @Property({ type: 'boolean', default: true, fieldName: 'show_uptime' })
  shouldShowUptime: Opt<boolean> = true;

  @Field(() => Boolean, {
    description:
      'Whether the history shows the time to the first update, and how the deadlines of next updates were kept.',
  })
  @Property({ type: 'boolean', default: false, fieldName: 'show_response_statistics' })
  shouldShowResponseStatistics: Opt<boolean> = false;

  @Field(() => PageVisibilities, { description: 'Who sees the public page, and everything that it serves.' })
  @Property({ type: 'text', default: 'public' })
  visibility: Opt<PageVisibility> = 'public';

  @RequiresAccess('viewer')
  @Field(() => [String], { description: 'The domains whose addresses see the page. Empty unless it is EMAIL_DOMAIN.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  emailDomains: Opt<string[]> = [];

  /** The version of the page in which each of these domains was added: one that comes back is not the one before. */
  @Property({ type: 'integer[]', columnType: 'int[]', defaultRaw: "'{}'" })
  emailDomainVersions: Opt<number[]> = [];

  /** Of the visitors of a private page; null unless it has a password. */
  @Property({ type: 'text', nullable: true })
  passwordHash: string | null = null;

  /** Moves when the access of all visitors ends. */
  @Property({ type: 'integer', default: 0 })
  accessVersion: Opt<number> = 0;

  @RequiresAccess('viewer')
  @Field(() => Reminders, {
    description: 'When subscribers are reminded of a maintenance, unless the notice has its own setting.',
  })
  @Property({ type: 'text', default: 'none' })
  reminder: Opt<Reminder> = 'none';

  @RequiresAccess('viewer')
  @Field(() => Int, {
    description:
      'How long notifications of what a person publishes wait before they are sent, so that `stopPublication` ' +
      'reaches everybody: 0 to 60 seconds. What a token publishes waits only for earlier messages of its notice.',
  })
  @Property({ type: 'integer', default: 10 })
  holdSeconds: Opt<number> = 10;

  @RequiresAccess('viewer')
  @Field(() => Int, {
    description:
      'After how many minutes without an update an open notice is stale: the page says so, and its author is ' +
      'reminded, then the owners of the page. 0: never. At most 10,080.',
  })
  @Property({ type: 'integer', default: 120 })
  staleAfterMinutes: Opt<number> = 120;

  @RequiresAccess('viewer')
  @Field(() => Boolean, {
    description: 'Whether the owners of the page get a report of each month by mail, on the first day of the next.',
  })
  @Property({ type: 'boolean', default: false, fieldName: 'send_monthly_report' })
  shouldSendMonthlyReport: Opt<boolean> = false;

  /** The last month that needs no report by mail any more: `2026-10`. Null: none has been asked for. */
  @Property({ type: 'text', nullable: true })
  reportedMonth: string | null = null;

  @Field(() => String, {
    description: 'The public host name: the custom domain if set, otherwise `<page id>.<base host>`.',
  })
  @ComputedField<Page>(page => endpointSql(page.id), 'text')
  endpoint!: string;

  @Field(() => String, { description: 'The URL of the public page.' })
  @ComputedField<Page>(page => publicUrlSql(page.id), 'text')
  url!: string;

  @Field(() => Int, {
    description: 'The number of incidents that are not resolved, and of maintenances that are not over.',
  })
  @ComputedField<Page>(
    page => `(select count(*)::integer from notice n where n.page_id = ${page.id} and ${openSql('n.state')})`,
    'integer',
  )
  openNoticesCount!: number;

  @RequiresAccess('viewer')
  @Field(() => Boolean, { description: 'Whether the page has records of `createDemoData`.' })
  @ComputedField<Page>(page => `exists (select 1 from demo_record d where d.page_id = ${page.id})`, 'boolean')
  hasDemoData!: boolean;

  /** Those that the page has switched off. */
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  disabledChannels: Opt<ChannelName[]> = [];

  /** From which the keys of the links in mails derive. SQL alone reads it. */
  @Property({ type: 'text', lazy: true, hidden: true, defaultRaw: linkKeySql })
  linkKey!: Opt<string>;
}

for (const channel of channels) {
  const field = switchName(channel);
  const description = `Whether the page ${describeSending(channel)}: the channel is switched on and configured.`;
  Field(() => Boolean, { description })(Page.prototype, field);
  ComputedField<Page>(page => isActiveSql(channel.name, page), 'boolean')(Page.prototype, field);
}
