import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { Timestamp } from '../core/scalars.js';
import { Component } from '../components/component.entity.js';
import { defineRules } from '../records/record-rules.js';
import { defaultImpact, type Impact } from './impact.rules.js';
import { Notice } from './notice.entity.js';
import { Impacts } from './notice.enums.js';

/** A component that a notice names, with the impact on it. */
@ObjectType({ description: 'A component that a notice names.' })
@Index({ name: 'notice_component_component_id_index', properties: ['component'] })
@Entity({ tableName: 'notice_component' })
export class NoticeComponent {
  static readonly rules = defineRules<NoticeComponent>({
    isPageContent: true,
    order: [{ field: 'component', direction: 'asc' }],
  });

  @ManyToOne(() => Notice, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  notice!: Notice;

  @Field(() => Component, { description: 'The component.' })
  @ManyToOne(() => Component, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;

  @Field(() => Impacts, {
    description: 'How the incident affects it, from its begin to its end. DEGRADED for other notices.',
  })
  @Property({ type: 'text', default: defaultImpact })
  impact: Opt<Impact> = defaultImpact;

  @NullableField(
    () => Timestamp,
    'When the component recovered while the incident was open. From then on it is shown as operational; its ' +
      'subscribers are still notified until the incident ends. Null: the incident affects it until its end.',
  )
  @Property({ type: 'timestamptz', nullable: true })
  recoveredAt: Opt<Date> | null = null;
}
