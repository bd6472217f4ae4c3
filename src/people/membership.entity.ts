import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../auth/roles.js';
import { Page } from '../pages/page.entity.js';
import { defineRules } from '../records/record-rules.js';
import { NullableField } from '../graphql/nullable-field.js';
import { TypicalSize } from '../graphql/connection-field.js';
import { InverseCollection } from '../records/inverse-relation.js';
import { compileAdministered } from './administered.js';
import { Person } from './person.entity.js';
import { Roles } from './role.enum.js';

@ObjectType({ description: 'A role of a person, on a page or on all pages.' })
@Index({ name: 'membership_page_id_index', properties: ['page'] })
@Unique({
  name: 'membership_unique',
  expression: `create unique index membership_unique on membership (person_id, (coalesce(page_id, '')), is_mapped)`,
})
@Entity({ tableName: 'membership' })
export class Membership {
  static readonly rules = defineRules<Membership>({
    recordName: 'membership',
    visibleWhere: ({ person, page }, viewer) => compileAdministered(viewer, person, pages => `${page} = any(${pages})`),
  });

  @Field(() => ID, { description: 'Its id.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Person, { deleteRule: 'cascade', updateRule: 'no action' })
  @InverseCollection(
    Person,
    'memberships',
    TypicalSize(3),
    Field(() => [Membership], {
      description:
        'The roles: all of them for the person concerned and for an OWNER of all pages, else those on pages that the ' +
        'caller owns.',
    }),
  )
  person!: Person;

  @NullableField(() => Page, 'That page. Null: all pages, or one where the caller may not read what is selected.')
  @ManyToOne(() => Page, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  page: Page | null = null;

  @NullableField(() => ID, 'The page. Null: all present and future pages.')
  @Property({ type: 'text', persist: false, nullable: true, fieldName: 'page_id' })
  pageId: string | null = null;

  @Field(() => Roles, { description: 'What the person may do there.' })
  @Property({ type: 'text' })
  role!: Role;

  @Field(() => Boolean, {
    description:
      'Whether a group of the identity provider gives it (`OIDC_ROLES`): then the next sign-in of the person ' +
      'replaces it.',
  })
  @Property({ type: 'boolean', default: false })
  isMapped: Opt<boolean> = false;
}
