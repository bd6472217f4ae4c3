import { Entity, Index, ManyToOne } from '@mikro-orm/decorators/legacy';
import { Component } from '../components/component.entity.js';
import { Notice } from './notice.entity.js';

/** A component that a notice names. An entity, not an implicit pivot table, to have an index for reads by component. */
@Entity({ tableName: 'notice_component' })
export class NoticeComponent {
  @ManyToOne(() => Notice, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  notice!: Notice;

  @Index()
  @ManyToOne(() => Component, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;
}
