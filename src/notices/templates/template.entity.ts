import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { Component } from '../../components/component.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { ReferenceField } from '../../graphql/entity-field-decorators.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';
import { Timestamped } from '../../core/timestamped.entity.js';
import { BelongsToPage } from '../../pages/belongs-to-page.entity.js';
import type { Page } from '../../pages/page.entity.js';
import { NoticeStates, NoticeTypes } from '../notice.enums.js';
import type { NoticeState, NoticeType } from '../notice.states.js';

@InterfaceType({ implements: Timestamped, description: 'A prepared notice.' })
@Index({ name: 'notice_template_component_id_index', properties: ['component'] })
@Index({ name: 'notice_template_page_id_created_at_id_index', properties: ['page', 'createdAt', 'id'] })
@Entity({ tableName: 'notice_template' })
export class NoticeTemplate extends Timestamped {
  static readonly rules = defineRules<NoticeTemplate>({
    recordName: 'notice template',
    isPageContent: true,
    discriminator: 'kind',
    order: [
      { field: 'createdAt', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ],
  });

  @Field(() => ID, { description: '6 characters of A-Z, a-z and 0-9.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @BelongsToPage('noticeTemplates', 'viewer', () => NoticeTemplate, 'Templates, in the order of their creation.')
  page!: Page;

  @ComputedField<NoticeTemplate>(
    template => `case when ${template.component} is null then 'PageTemplate' else 'ComponentTemplate' end`,
    'text',
  )
  kind!: string;

  @Field(() => String, { description: 'The name of the template.' })
  @Property({ type: 'text' })
  name!: string;

  @NullableField(() => String, 'The subject of notices created from the template. Null if unset.')
  @Property({ type: 'text', nullable: true })
  subject: string | null = null;

  @NullableField(() => String, 'The text of the first update of such notices. Null if unset.')
  @Property({ type: 'text', nullable: true, fieldName: 'initial_comment' })
  content: string | null = null;

  @NullableField(
    () => NoticeTypes,
    'The type of such notices. Null: any, as the mutation that applies the template says.',
  )
  @Property({ type: 'text', nullable: true })
  type: NoticeType | null = null;

  @NullableField(() => NoticeStates, 'The state of such notices. Null: the first one of their type.')
  @Property({ type: 'text', nullable: true })
  state: NoticeState | null = null;

  @Field(() => [ID], { description: 'The ids of all components that such notices name.' })
  @ComputedField<NoticeTemplate>(
    template =>
      `array(select component_id from notice_template_component
        where template_id = ${template.id} order by component_id)`,
    'integer[]',
  )
  componentIds!: number[];

  @ReferenceField(() => Component, 'componentIds', { typicalSize: 3, description: 'The components of `componentIds`.' })
  components?: Component[];

  @ComputedField<NoticeTemplate>(template => `${template.component}::text`, 'text')
  componentId!: string;

  /** The component of a template with one component, which is all that /v1 knows. */
  @ManyToOne(() => Component, { nullable: true, deleteRule: 'set null', updateRule: 'no action' })
  component: Component | null = null;
}

@ObjectType({ implements: NoticeTemplate, description: 'A template for the whole page.' })
export class PageTemplate extends NoticeTemplate {}

@ObjectType({ implements: NoticeTemplate, description: 'A template for one component.' })
export class ComponentTemplate extends NoticeTemplate {
  @Field(() => ID, { description: 'The id of the component.' })
  declare componentId: string;

  @Field(() => Component, { description: 'The component of notices created from the template.' })
  declare component: Component;
}
