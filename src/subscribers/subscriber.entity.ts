import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToMany, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import { ComputedField } from '../records/computed-field.js';
import { Timestamped, TimestampColumn } from '../db/timestamped.entity.js';
import { RequiresAccess } from '../auth/access.js';
import { NoticeTypes } from '../notices/notice.entity.js';
import { type NoticeType, noticeTypes } from '../notices/notice.states.js';
import { Page } from '../pages/page.entity.js';
import { phoneNumber } from './address.js';
import { SubscriberComponent } from './subscriber-component.entity.js';

@ObjectType({
  implements: Timestamped,
  description: 'Somebody who is told of notices by e-mail or SMS. Only confirmed ones are shown.',
})
@Entity({ tableName: 'subscriber' })
@Index({ properties: ['page', 'id'] })
@Index({
  name: 'subscriber_email_unique',
  expression: 'create unique index "subscriber_email_unique" on "subscriber" ("page_id", lower("email"))',
})
@Index({
  name: 'subscriber_phone_unique',
  expression: 'create unique index "subscriber_phone_unique" on "subscriber" ("page_id", "phone_number")',
})
export class Subscriber extends Timestamped {
  static readonly recordName = 'subscriber';

  @Field(() => ID, { description: 'Unique among all subscribers.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  @Field(() => String, { nullable: true, description: 'Unique in its page, whatever the case; null for SMS only.' })
  @Property({ type: 'text', nullable: true })
  email: string | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'With international country code, +4479460000; unique in its page; null for e-mail only.',
  })
  @Property({ type: 'text', nullable: true })
  phoneNumber: string | null = null;

  @Field(() => String, { nullable: true, description: 'Shown in the list of subscribers; null when unset.' })
  @Property({ type: 'text', nullable: true })
  firstName: string | null = null;

  @Field(() => String, { nullable: true, description: 'Shown in the list of subscribers; null when unset.' })
  @Property({ type: 'text', nullable: true })
  lastName: string | null = null;

  @Field(() => String, { nullable: true, description: 'Used in place of the real name; null when unset.' })
  @Property({ type: 'text', nullable: true })
  nickname: string | null = null;

  @Field(() => String, { nullable: true, description: 'The company they are of; null when unset.' })
  @Property({ type: 'text', nullable: true })
  company: string | null = null;

  @Field(() => [String], { description: 'Tags, in the order given.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  tagList: Opt<string[]> = [];

  @Field(() => String, { description: 'The tags as /v1 writes them: one text, joined by commas.' })
  @ComputedField<Subscriber>(subscriber => `array_to_string(${subscriber.tagList}, ',')`, 'text')
  tagText!: string;

  /** That a subscriber chose components is a fact of its own: it outlives the components. */
  @Property({ type: 'boolean', default: false })
  choseComponents: Opt<boolean> = false;

  /** The types of notices they hear of: all, unless they chose some on the public page. */
  @Field(() => [NoticeTypes], { description: 'The types of notices they hear of.' })
  @Property({ type: 'string[]', defaultRaw: `'{${noticeTypes}}'` })
  kinds: Opt<NoticeType[]> = [...noticeTypes];

  /** Moves whenever they confirm or leave: what a confirmation link was signed with, so that it works once. */
  @Property({ type: 'integer', default: 1 })
  linkVersion: Opt<number> = 1;

  @TimestampColumn({ nullable: true })
  confirmedAt: Date | null = null;

  /** The mark that somebody left; they are in no list, and nothing is sent. Who has one holds one address: each is left for itself. */
  @TimestampColumn({ nullable: true })
  unsubscribedAt: Date | null = null;

  /** Where the consent came from and when: 'interface' is a client of this service, who answers for it. */
  @Property({ type: 'text' })
  consentSource!: string;

  @RequiresAccess('read')
  @Field(() => [Component], {
    description:
      'What they hear of, by position; empty for everything, and where all that they chose is gone: then they hear of notices that name none.',
  })
  @ManyToMany(() => Component, undefined, { pivotEntity: () => SubscriberComponent })
  components = new Collection<Component>(this);

  @Field(() => [ID], { description: 'The ids of all of those, however many; what `componentIds` of an input takes.' })
  @ComputedField<Subscriber>(
    subscriber =>
      `array(select component_id from subscriber_component where subscriber_id = ${subscriber.id} order by component_id)`,
    'integer[]',
  )
  componentIds!: number[];

  /** Compared without case, in filters too. */
  static readonly caseInsensitive = ['email'];

  /** A number is compared in its one writing. */
  static readonly normalizers = { phoneNumber };

  /** `filter[for_component]`: those of that component and those of everything. */
  static readonly filterConditions = {
    forComponent: (subscriber: Record<string, string>, component: string) =>
      `(not ${subscriber.choseComponents} or exists (select 1 from subscriber_component c where c.subscriber_id = ${subscriber.id} and c.component_id = ${component}::bigint))`,
  };

  static visibleWhere(subscriber: { confirmedAt: string; unsubscribedAt: string }): string {
    return `${subscriber.confirmedAt} is not null and ${subscriber.unsubscribedAt} is null`;
  }
}
