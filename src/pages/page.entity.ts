import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, OneToMany, OneToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Component, ComponentStates } from '../components/component.entity.js';
import { Derived } from '../records/computed-field.js';
import type { Order } from '../records/select-sql.js';
import { Stamped } from '../db/timestamped.entity.js';
import { Asks } from '../auth/access.js';
import { enumeration } from '../graphql/enum.js';
import { Notice } from '../notices/notice.entity.js';
import { presentSql } from '../notices/notice.states.js';
import type { Reminder } from '../notices/reminder.js';
import { Reminders } from '../notices/reminder.enum.js';
import { NoticeTemplate } from '../notices/template.entity.js';
import { Subscriber } from '../subscribers/subscriber.entity.js';
import { Brand } from '../branding/brand.entity.js';
import { configuredSql } from '../notifications/page-channels/channel-names.js';
import { CustomDomain } from '../custom-domain/custom-domain.entity.js';
import { PageChannel } from '../notifications/page-channels/page-channel.entity.js';
import { endpointSql } from './public-url.js';
import { Theme } from '../branding/theme.entity.js';

export const sortOrders = ['asc', 'desc'] as const;
export const SortOrder = enumeration(
  'SortOrder',
  { asc: 'The oldest update stands first.', desc: 'The newest update stands first.' } satisfies Record<
    (typeof sortOrders)[number],
    string
  >,
  'The order of the updates of a notice on the public page.',
);

@ObjectType({ implements: Stamped, description: 'A public status page and all that is set for it as a whole.' })
@Entity({ tableName: 'page' })
export class Page extends Stamped {
  static readonly word = 'page';

  static readonly order: Order = [
    { field: 'createdAt', direction: 'asc' },
    { field: 'id', direction: 'asc' },
  ];

  @Field(() => ID, { description: '8 lower-case hexadecimal characters.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Field(() => String, { description: 'The name used in the management interface.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => ComponentStates, {
    description:
      'DEGRADED while any notice of the page is present, whether or not it names components; otherwise OPERATIONAL.',
  })
  @Derived<Page>(
    page =>
      `case when exists (select 1 from notice n where n.page_id = ${page.id} and ${presentSql('n.state')}) then 'degraded' else 'operational' end`,
    'text',
  )
  state!: string;

  @Field(() => String, { description: 'The `name` of one of the `timezones`; dates on the page are shown in it.' })
  @Property({ type: 'text', default: 'UTC' })
  timezone!: Opt<string>;

  @Field(() => String, { nullable: true, description: 'An e-mail address for the audience; null when there is none.' })
  @Property({ type: 'text', nullable: true })
  supportEmail: string | null = null;

  @Field(() => String, { nullable: true, description: 'A telephone number for the audience; null when there is none.' })
  @Property({ type: 'text', nullable: true })
  supportTelephone: string | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'The http or https address of the helpdesk; null when there is none.',
  })
  @Property({ type: 'text', nullable: true })
  supportUrl: string | null = null;

  @Field(() => Boolean, { description: 'Whether search engines may index the page.' })
  @Property({ type: 'boolean', default: true })
  visibleToSearch: Opt<boolean> = true;

  @Field(() => String, { nullable: true, description: 'The title for search engines; null stands for the name.' })
  @Property({ type: 'text', nullable: true })
  metaTitle: string | null = null;

  @Field(() => String, { nullable: true, description: 'The description for search engines; null adds none.' })
  @Property({ type: 'text', nullable: true })
  metaDescription: string | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'The identifier of the web analytics code added to the page; null adds none.',
  })
  @Property({ type: 'text', nullable: true })
  vendorAnalyticsId: string | null = null;

  @Field(() => Int, { description: 'Seconds for which past notices stay on the front of the page.' })
  @Property({ type: 'integer', default: 259_200 })
  timelineThreshold: Opt<number> = 259_200;

  @Field(() => Int, { description: 'The whole days of `timelineThreshold`.' })
  @Derived<Page>(page => `${page.timelineThreshold} / 86400`, 'integer')
  timelineThresholdInDays!: number;

  @Field(() => SortOrder, { description: 'ASC: the oldest update of a notice stands first on the public page.' })
  @Property({ type: 'text', default: 'asc' })
  timelineSortOrder: Opt<string> = 'asc';

  @Field(() => String, { description: 'The language of the page, as a code: en, pt-BR.' })
  @Property({ type: 'text', default: 'en' })
  locale: Opt<string> = 'en';

  @Field(() => Reminders, {
    description: 'When people are reminded of a maintenance, unless the notice says something else.',
  })
  @Property({ type: 'text', default: 'none' })
  reminder: Opt<Reminder> = 'none';

  @Field(() => String, { description: 'The public host name: the custom domain as set, else `<page id>.<base host>`.' })
  @Derived<Page>(page => endpointSql(page.id), 'text')
  endpoint!: string;

  @Field(() => Boolean, {
    description: 'Whether the page tells by e-mail: switched on, and the channel is configured.',
  })
  @Derived<Page>(page => `(${page.emailSwitch} and ${configuredSql('email', page.id)})`, 'boolean')
  sendNotificationsByEmail!: boolean;

  @Field(() => Boolean, { description: 'Whether the page tells by SMS: switched on, and the channel is configured.' })
  @Derived<Page>(page => `(${page.smsSwitch} and ${configuredSql('sms', page.id)})`, 'boolean')
  sendNotificationsBySms!: boolean;

  @Field(() => Boolean, { description: 'Whether the page tells in Slack: switched on, and the channel is configured.' })
  @Derived<Page>(page => `(${page.chatASwitch} and ${configuredSql('chatA', page.id)})`, 'boolean')
  sendNotificationsByChatA!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the page tells in Microsoft Teams: switched on, and the channel is configured.',
  })
  @Derived<Page>(page => `(${page.chatBSwitch} and ${configuredSql('chatB', page.id)})`, 'boolean')
  sendNotificationsByChatB!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the page tells on Mastodon: switched on, and the channel is configured.',
  })
  @Derived<Page>(page => `(${page.socialSwitch} and ${configuredSql('social', page.id)})`, 'boolean')
  sendNotificationsBySocial!: boolean;

  @Property({ type: 'boolean', default: true })
  emailSwitch: Opt<boolean> = true;

  @Property({ type: 'boolean', default: true })
  smsSwitch: Opt<boolean> = true;

  @Property({ type: 'boolean', default: true, fieldName: 'chat_a_switch' })
  chatASwitch: Opt<boolean> = true;

  @Property({ type: 'boolean', default: true, fieldName: 'chat_b_switch' })
  chatBSwitch: Opt<boolean> = true;

  @Property({ type: 'boolean', default: true })
  socialSwitch: Opt<boolean> = true;

  @Asks('page')
  @Field(() => Brand, { description: 'The colours of the page.' })
  @OneToOne(
    () => Brand,
    brand => brand.page,
  )
  brand?: Brand;

  @Asks('read')
  @Field(() => CustomDomain, {
    nullable: true,
    description: 'The domain under which the page is to be served; null when there is none.',
  })
  @OneToOne(
    () => CustomDomain,
    domain => domain.page,
  )
  customDomain?: CustomDomain;

  @Asks('read')
  @Field(() => Theme, { nullable: true, description: 'The uploaded theme; null when the page wears the standard one.' })
  @OneToOne(
    () => Theme,
    theme => theme.page,
  )
  theme?: Theme;

  @Asks('read')
  @Field(() => [PageChannel], {
    description: 'How each channel stands: whether it is configured and used, and how the last test of it went.',
  })
  @OneToMany(
    () => PageChannel,
    channel => channel.page,
  )
  channels = new Collection<PageChannel>(this);

  @Asks('page')
  @Field(() => [Component], {
    description:
      'The components, flat, by position. Of more than 100 the list `components` shows all. For the tree ask for those with `filter: { parentId: { present: false } }` and their `children`, with `first` on each where it is deep.',
  })
  @OneToMany(
    () => Component,
    component => component.page,
  )
  components = new Collection<Component>(this);

  @Asks('page')
  @Field(() => [Notice], { description: 'Notices, newest first.' })
  @OneToMany(
    () => Notice,
    notice => notice.page,
  )
  notices = new Collection<Notice>(this);

  @Asks('read')
  @Field(() => [NoticeTemplate], { description: 'Templates, in the order of their creation.' })
  @OneToMany(
    () => NoticeTemplate,
    template => template.page,
  )
  noticeTemplates = new Collection<NoticeTemplate>(this);

  @Asks('read')
  @Field(() => [Subscriber], { description: 'Confirmed subscribers, in the order of their creation.' })
  @OneToMany(
    () => Subscriber,
    subscriber => subscriber.page,
  )
  subscribers = new Collection<Subscriber>(this);
}
