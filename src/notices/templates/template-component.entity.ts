import { Entity, Index, ManyToOne } from '@mikro-orm/decorators/legacy';
import { Component } from '../../components/component.entity.js';
import { NoticeTemplate } from './template.entity.js';

/** A component that notices created from a template name. */
@Entity({ tableName: 'notice_template_component' })
export class NoticeTemplateComponent {
  @ManyToOne(() => NoticeTemplate, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  template!: NoticeTemplate;

  @Index()
  @ManyToOne(() => Component, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;
}
