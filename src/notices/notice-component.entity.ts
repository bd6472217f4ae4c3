import { Entity, Index, ManyToOne } from '@mikro-orm/decorators/legacy';
import { Component } from '../components/component.entity.js';
import { Notice } from './notice.entity.js';

/** That a notice names a component. A class of its own for the index: a component asks for its notices too. */
@Entity({ tableName: 'notice_component' })
export class NoticeComponent {
  @ManyToOne(() => Notice, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  notice!: Notice;

  @Index()
  @ManyToOne(() => Component, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;
}
