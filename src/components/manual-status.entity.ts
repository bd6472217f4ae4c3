import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';
import { defineRules } from '../records/record-rules.js';
import { Component } from './component.entity.js';
import { ComponentStatuses } from './component.enums.js';
import type { ManualComponentStatus } from './manual-status.rules.js';

@ObjectType({
  description: 'A status that a person set a component to, in place of the one that follows from notices.',
})
@Index({ name: 'manual_status_component_id_index', properties: ['component'] })
@Unique({
  name: 'manual_status_current_unique',
  expression: 'create unique index manual_status_current_unique on manual_status (component_id) where ended_at is null',
})
@Index({
  name: 'manual_status_page_id_ended_at_index',
  expression: 'create index manual_status_page_id_ended_at_index on manual_status (page_id, ended_at desc)',
})
@Entity({ tableName: 'manual_status' })
export class ManualStatus {
  static readonly rules = defineRules<ManualStatus>({ isPageContent: true });

  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @ManyToOne(() => Component, { deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;

  @Field(() => ComponentStatuses, { description: 'The status. Never PARTLY_AFFECTED or UNKNOWN.' })
  @Property({ type: 'text', fieldName: 'state' })
  status!: ManualComponentStatus;

  @NullableField(() => String, 'A text that the page shows beside the component. Null: none.')
  @Property({ type: 'text', nullable: true })
  note: string | null = null;

  @Field(() => Timestamp, { description: 'When it was set.' })
  @TimestampColumn()
  beganAt!: Date;

  /** Null: it still holds. */
  @TimestampColumn({ nullable: true })
  endedAt: Date | null = null;
}
