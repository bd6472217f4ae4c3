import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { Timestamp } from '../../core/scalars.js';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { registerEnum } from '../../graphql/enum.js';
import { Page } from '../../pages/page.entity.js';
import { defineRules } from '../../records/record-rules.js';
import { Component } from '../component.entity.js';
import { ComponentStatuses } from '../component.enums.js';
import { formats, type UpstreamFormat } from './formats.js';
import type { UpstreamStatus } from './upstream.rules.js';

export const UpstreamFormats = registerEnum(
  'UpstreamFormat',
  {
    statuspage: formats.statuspage.description,
    instatus: formats.instatus.description,
    'page-api': formats['page-api'].description,
    'better-stack': formats['better-stack'].description,
  } satisfies Record<UpstreamFormat, string>,
  'The format in which another status page reports the statuses of its components.',
);

@ObjectType({ description: 'The component of another status page that a component follows.' })
@Unique({
  name: 'upstream_component_id_unique',
  expression: 'create unique index upstream_component_id_unique on upstream (component_id)',
})
@Index({
  name: 'upstream_next_poll_at_index',
  expression: 'create index upstream_next_poll_at_index on upstream (next_poll_at)',
})
@Index({ name: 'upstream_page_id_index', properties: ['page'] })
@Entity({ tableName: 'upstream' })
export class Upstream {
  static readonly rules = defineRules<Upstream>({ isPageContent: true });

  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @ManyToOne(() => Component, { deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;

  @Field(() => String, { description: 'The address of the status page.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => UpstreamFormats, { description: 'The format in which it is read.' })
  @Property({ type: 'text' })
  format!: UpstreamFormat;

  @Field(() => ID, { description: 'The id of its component.' })
  @Property({ type: 'text' })
  remoteId!: string;

  @Field(() => String, { description: 'The name of its component, as it was when it was chosen.' })
  @Property({ type: 'text' })
  remoteName!: string;

  @Field(() => ComponentStatuses, { description: 'What it says about the component. Never PARTLY_AFFECTED.' })
  @Property({ type: 'text', fieldName: 'state' })
  status!: UpstreamStatus;

  @Field(() => Timestamp, { description: 'Since when it says so, as far as this service has seen.' })
  @TimestampColumn()
  beganAt!: Date;

  @RequiresAccess('viewer')
  @Field(() => Timestamp, { description: 'When it last said something about the component.' })
  @TimestampColumn()
  answeredAt!: Date;

  @RequiresAccess('viewer')
  @NullableField(() => String, 'Why it said nothing at the last request. Null: it did.')
  @Property({ type: 'text', nullable: true })
  failure: string | null = null;

  // How it is polled. SQL alone reads and writes these.

  @Property({ type: 'integer', lazy: true, hidden: true, default: 0 })
  failures!: Opt<number>;

  @Property({ type: 'text', lazy: true, hidden: true, nullable: true })
  etag?: string | null;

  @Property({ type: 'text', lazy: true, hidden: true, nullable: true })
  lastModified?: string | null;

  @Property({ type: 'timestamptz', length: 3, lazy: true, hidden: true, defaultRaw: 'now()' })
  nextPollAt!: Opt<Date>;
}
