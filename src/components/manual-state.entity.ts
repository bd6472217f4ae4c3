import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { registerEnum } from '../graphql/enum.js';
import { Page } from '../pages/page.entity.js';
import { defineRules } from '../records/record-rules.js';
import { Component } from './component.entity.js';
import type { ManualComponentState } from './manual-state.rules.js';

export const ManualComponentStates = registerEnum(
  'ManualComponentState',
  {
    operational: 'It works, whatever notices say.',
    maintenance: 'It is under maintenance, which does not count in its uptime.',
    degraded: 'It is slow, or parts of it fail.',
    'partial-outage': 'It fails for some, which counts half in its uptime.',
    'major-outage': 'It fails.',
  } satisfies Record<ManualComponentState, string>,
  'A state that a person sets a component to.',
);

@ObjectType({ description: 'A state that a person set a component to, in place of the one that follows from notices.' })
@Index({ name: 'manual_state_component_id_index', properties: ['component'] })
@Unique({
  name: 'manual_state_current_unique',
  expression: 'create unique index manual_state_current_unique on manual_state (component_id) where ended_at is null',
})
@Index({
  name: 'manual_state_page_id_ended_at_index',
  expression: 'create index manual_state_page_id_ended_at_index on manual_state (page_id, ended_at desc)',
})
@Entity({ tableName: 'manual_state' })
export class ManualState {
  static readonly rules = defineRules<ManualState>({ isPageContent: true });

  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @ManyToOne(() => Component, { deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;

  @Field(() => ManualComponentStates, { description: 'The state.' })
  @Property({ type: 'text' })
  state!: ManualComponentState;

  @Field(() => String, { nullable: true, description: 'A text that the page shows beside the component. Null: none.' })
  @Property({ type: 'text', nullable: true })
  note: string | null = null;

  @Field(() => Timestamp, { description: 'When it was set.' })
  @TimestampColumn()
  beganAt!: Date;

  /** Null: it still holds. */
  @TimestampColumn({ nullable: true })
  endedAt: Date | null = null;
}
