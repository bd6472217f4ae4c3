import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import { Derived } from '../records/computed-field.js';
import type { Order } from '../records/select-sql.js';
import { Stamped } from '../db/timestamped.entity.js';
import { Page } from '../pages/page.entity.js';

@InterfaceType({ implements: Stamped, description: 'A notice written in advance.' })
@Entity({ tableName: 'notice_template' })
@Index({ properties: ['page', 'createdAt', 'id'] })
export class NoticeTemplate extends Stamped {
  static readonly word = 'notice template';

  static readonly order: Order = [
    { field: 'createdAt', direction: 'asc' },
    { field: 'id', direction: 'asc' },
  ];

  @Field(() => ID, { description: '6 characters of A-Z, a-z and 0-9.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  page!: Page;

  @Derived<NoticeTemplate>(
    template => `case when ${template.component} is null then 'PageTemplate' else 'ComponentTemplate' end`,
    'text',
  )
  kind!: string;

  @Field(() => String, { description: 'The name of the template itself.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The subject of notices made from it; null when unset.' })
  @Property({ type: 'text', nullable: true })
  subject: string | null = null;

  @Field(() => String, { nullable: true, description: 'The text of their first update; null when unset.' })
  @Property({ type: 'text', nullable: true })
  initialComment: string | null = null;

  @Derived<NoticeTemplate>(template => `${template.component}::text`, 'text')
  componentId!: string;

  @Index()
  @ManyToOne(() => Component, { nullable: true, deleteRule: 'set null', updateRule: 'no action' })
  component: Component | null = null;
}

@ObjectType({ implements: NoticeTemplate, description: 'A template for the page as a whole.' })
export class PageTemplate extends NoticeTemplate {}

@ObjectType({ implements: NoticeTemplate, description: 'A template for one component.' })
export class ComponentTemplate extends NoticeTemplate {
  @Field(() => ID, { description: 'The id of its component.' })
  declare componentId: string;

  @Field(() => Component, { description: 'The component of notices made from it.' })
  declare component: Component;
}
