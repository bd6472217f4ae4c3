import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Role } from '../auth/roles.js';
import { Page } from '../pages/page.entity.js';
import { Person } from './person.entity.js';

/** A role of a person, on a page or on all pages. */
@Entity({ tableName: 'membership' })
@Index({
  name: 'membership_unique',
  expression: "create unique index membership_unique on membership (person_id, (coalesce(page_id, '')))",
})
export class Membership {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Person, { deleteRule: 'cascade', updateRule: 'no action' })
  person!: Person;

  /** Null: all pages. */
  @Index()
  @ManyToOne(() => Page, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  page: Page | null = null;

  @Property({ type: 'text' })
  role!: Role;
}
