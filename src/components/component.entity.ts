import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToMany, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Order } from '../records/select-sql.js';
import { Stamped } from '../db/timestamped.entity.js';
import { Asks } from '../auth/access.js';
import { enumeration } from '../graphql/enum.js';
import { Notice } from '../notices/notice.entity.js';
import { Page } from '../pages/page.entity.js';
import type { ComponentState } from './component.states.js';

export const ComponentStates = enumeration(
  'ComponentState',
  {
    operational: 'Neither it nor anything above or below it is named by a present notice.',
    degraded: 'A present notice names it.',
    'partially-degraded': 'A component above or below it is degraded.',
  } satisfies Record<ComponentState, string>,
  'How a component, or a page as a whole, stands. A page is never PARTIALLY_DEGRADED.',
);

@ObjectType({ implements: Stamped, description: 'A part of what a page speaks of. Components nest.' })
@Entity({ tableName: 'component' })
@Index({ properties: ['page', 'position', 'id'] })
export class Component extends Stamped {
  static readonly word = 'component';

  static readonly order: Order = [
    { field: 'position', direction: 'asc' },
    { field: 'id', direction: 'asc' },
  ];

  @Field(() => ID, { description: 'Unique among all components.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  // Kept, not computed per read: it follows from stored rows alone, and whatever writes one of them settles the states of the page in the same transaction.
  @Field(() => ComponentStates, {
    description: 'Follows from the notices that name it and from its place in the tree; never set directly.',
  })
  @Property({ type: 'text', default: 'operational' })
  state: Opt<ComponentState> = 'operational';

  @Field(() => String, { description: 'The name shown on the page.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Shown next to the name; null when unset.' })
  @Property({ type: 'text', nullable: true })
  description: string | null = null;

  @Field(() => Int, { description: 'Lower numbers stand higher on the page, among siblings.' })
  @Property({ type: 'integer' })
  position!: number;

  @Field(() => ID, { nullable: true, description: 'The component it is a part of; null at the root.' })
  @Property({ type: 'integer', nullable: true, persist: false, fieldName: 'parent_id' })
  parentId?: number | null;

  // Below a component nothing is open with the page alone: the single component of /v1 includes nothing, and no include of a page names these.
  @Index()
  @Asks('public')
  @Field(() => Component, { nullable: true, description: 'The component it is a part of; null at the root.' })
  @ManyToOne(() => Component, { nullable: true, deleteRule: 'set null', updateRule: 'no action' })
  parent: Component | null = null;

  @Asks('public')
  @Field(() => [Component], { description: 'Its parts, by position.' })
  @OneToMany(
    () => Component,
    component => component.parent,
  )
  children = new Collection<Component>(this);

  @Asks('public')
  @Field(() => [Notice], { description: 'The notices that name it, newest first.' })
  @ManyToMany(
    () => Notice,
    notice => notice.components,
  )
  notices = new Collection<Notice>(this);
}
