import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import type { Role } from '../auth/roles.js';
import { Timestamp } from '../core/scalars.js';
import { Roles } from './role.enum.js';

@InputType({ description: 'A new token.' })
export class CreateTokenInput {
  @Field(() => String, { description: 'A name for those who administer it. Up to 255 characters. Cannot be blank.' })
  label!: string;

  @Field(() => Roles, { description: 'What it may do: at most what its maker may do on the same pages.' })
  role!: Role;

  @NullableField(
    () => [ID],
    'The pages on which it has the role, 1 to 100. Null or absent: all present and future pages.',
  )
  pageIds?: string[] | null;

  @NullableField(
    () => Timestamp,
    'When it stops being valid, a time to come. Absent: in 90 days. Null: never. At most when the token expires ' +
      'that makes it.',
  )
  expiresAt?: Date | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether a token that a person makes is a service token, which does not end with the person. For an OWNER of ' +
      'all pages. A token that a token makes belongs to the same person.',
  })
  isService!: boolean;
}
