import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToMany, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { defineRules } from '../records/record-rules.js';
import { type Metadata, metadataDescription } from '../pages/metadata.js';
import { Json } from '../core/scalars.js';
import { Timestamped } from '../core/timestamped.entity.js';
import { RequiresAccess } from '../auth/access.js';
import { NullableField } from '../graphql/nullable-field.js';
import { ConnectionField } from '../graphql/connection-field.js';
import { Notice } from '../notices/notice.entity.js';
import { BelongsToPage } from '../pages/belongs-to-page.entity.js';
import type { Page } from '../pages/page.entity.js';
import { ComponentStates } from './component.enums.js';
import { ManualStatus } from './manual-status.entity.js';
import type { ComponentState } from './component.states.js';
import { Upstream } from './upstream/upstream.entity.js';

@ObjectType({
  implements: Timestamped,
  description: 'A part of the system that a page reports on. Components can be nested.',
})
@Index({ name: 'component_page_id_position_id_index', properties: ['page', 'position', 'id'] })
@Index({ name: 'component_parent_id_index', properties: ['parent'] })
@Entity({ tableName: 'component' })
export class Component extends Timestamped {
  static readonly rules = defineRules<Component>({
    recordName: 'component',
    isPageContent: true,
    order: [
      { field: 'position', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ],
    // An array is computed once per row; `in` would compare all components with the result.
    relationConditions: {
      manualStatus: (own, manual) => `${manual.component} = ${own.id} and ${manual.endedAt} is null`,
      upstream: (own, upstream) => `${upstream.component} = ${own.id}`,
      ancestors: (own, related) => `${related.id} = any(array(
        with recursive above as (
          select parent_id as id from component where id = ${own.id}
          union select c.parent_id from component c join above a on c.id = a.id)
        select id from above))`,
      descendants: (own, related) => `${related.id} = any(array(
        with recursive below as (
          select id from component where parent_id = ${own.id}
          union select c.id from component c join below b on c.parent_id = b.id)
        select id from below))`,
    },
  });

  @Field(() => ID, { description: 'Unique among all components.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @RequiresAccess('page')
  @BelongsToPage(
    'components',
    'page',
    () => Component,
    'The components, flat, by position. `parentId` says where each is in the tree; ' +
      '`filter: { parentId: { present: false } }` selects the roots.',
  )
  page!: Page;

  // Stored, not computed per read: it depends on stored rows alone, and every write to one of them
  // recomputes the states of the page in the same transaction.
  @Field(() => ComponentStates, {
    description:
      'Computed from the manual status of the component, or else from the notices that name it, from what its ' +
      'upstream says, and from its place in the tree. Where the upstream is unknown, it is DEGRADED. Read-only.',
  })
  @Property({ type: 'text', default: 'operational' })
  state: Opt<ComponentState> = 'operational';

  @Field(() => String, { description: 'The name shown on the page.' })
  @Property({ type: 'text' })
  name!: string;

  @NullableField(() => String, 'Shown next to the name. Null if unset.')
  @Property({ type: 'text', nullable: true })
  description: string | null = null;

  @Field(() => Int, { description: 'Sort order among siblings. Lower numbers come first.' })
  @Property({ type: 'integer' })
  position!: number;

  @NullableField(() => ID, 'The id of the parent component. Null at the root.')
  @Property({ type: 'integer', nullable: true, persist: false, fieldName: 'parent_id' })
  parentId?: number | null;

  @RequiresAccess('viewer')
  @NullableField(() => Json, metadataDescription)
  @Property({ type: 'json', nullable: true })
  metadata: Metadata | null = null;

  // The fields below need more than access to the page: a single component of /v1 supports no includes.
  @RequiresAccess('public')
  @NullableField(() => Component, 'The parent component. Null at the root.')
  @ManyToOne(() => Component, { nullable: true, deleteRule: 'set null', updateRule: 'no action' })
  parent: Component | null = null;

  @RequiresAccess('public')
  @NullableField(() => ManualStatus, 'The status that a person set it to. Null: its status follows from notices.')
  @ManyToOne(() => ManualStatus, {
    nullable: true,
    persist: false,
    lazy: true,
    createForeignKeyConstraint: false,
  })
  manualStatus?: ManualStatus | null;

  @RequiresAccess('public')
  @NullableField(() => Upstream, 'The status page whose component it follows. Null: none.')
  @ManyToOne(() => Upstream, {
    nullable: true,
    persist: false,
    lazy: true,
    createForeignKeyConstraint: false,
  })
  upstream?: Upstream | null;

  @RequiresAccess('public')
  @ConnectionField(
    () => Component,
    'The child components, by position. A tree is cheaper flat: the `components` of the page with their `parentId`.',
    10,
  )
  @OneToMany(
    () => Component,
    component => component.parent,
  )
  children = new Collection<Component>(this);

  @RequiresAccess('public')
  @ConnectionField(() => Component, 'The parent component, its parent and so on, by position.', 5)
  @OneToMany(
    () => Component,
    component => component.parent,
    { persist: false },
  )
  ancestors = new Collection<Component>(this);

  @RequiresAccess('public')
  @ConnectionField(() => Component, 'The child components, their children and so on, by position.', 25)
  @OneToMany(
    () => Component,
    component => component.parent,
    { persist: false },
  )
  descendants = new Collection<Component>(this);

  @RequiresAccess('public')
  @ConnectionField(() => Notice, 'The notices that name the component, newest first.')
  @ManyToMany(
    () => Notice,
    notice => notice.components,
    {
      // Persisted through `Notice.components`: otherwise each row is inserted from both sides.
      persist: false,
    },
  )
  notices = new Collection<Notice>(this);
}
