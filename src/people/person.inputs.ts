import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import type { Role } from '../auth/roles.js';
import { Roles } from './role.enum.js';

@InputType({ description: 'Whom to invite, and to what.' })
export class InvitePersonInput {
  @Field(() => String, { description: 'The e-mail address. Somebody who is known by it gets the role, too.' })
  email!: string;

  @Field(() => Roles, { description: 'The role, in place of the one that the person has on the same page.' })
  role!: Role;

  @NullableField(
    () => [ID],
    'The pages, 1 to 100, each of which the caller must own. Null or absent: all present and future pages.',
  )
  pageIds?: string[] | null;
}

@InputType({ description: 'A change to a role.' })
export class UpdateMembershipInput {
  @Field(() => Roles, { description: 'The new role.' })
  role!: Role;
}
