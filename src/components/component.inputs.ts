import { Field, ID, InputType, Int } from 'type-graphql';
import { metadataInput } from '../pages/metadata.js';
import { Json } from '../core/scalars.js';
import { NullableField } from '../graphql/nullable-field.js';
import { GraphqlOnly } from '../graphql/one-interface.js';

@InputType({
  description: 'Changes to a component. Omitted fields keep their values. They do not set its state.',
})
export class UpdateComponentInput {
  @NullableField(() => String, 'Up to 255 characters. Cannot be blank.')
  name?: string | null;

  @NullableField(() => String, 'Up to 65,535 characters. Null clears it.')
  description?: string | null;

  @NullableField(
    () => Int,
    'Lower numbers come first. Null, or omitted on creation: after the last sibling. Other components keep theirs.',
  )
  position?: number | null;

  @NullableField(
    () => ID,
    'A component of the same page, but not the component itself or a descendant. Null: the root.',
  )
  parentId?: string | null;

  @GraphqlOnly()
  @NullableField(
    () => [ID],
    'Its child components, in order, up to 500, all of this page. Components with another parent move here; ' +
      'current children that are not listed move to the root. Neither the component itself nor an ancestor is ' +
      'accepted. Null or omitted: unchanged.',
  )
  childIds?: string[] | null;

  @GraphqlOnly()
  @NullableField(() => Json, metadataInput)
  metadata?: unknown;
}

@InputType({ description: 'A new component.' })
export class CreateComponentInput extends UpdateComponentInput {
  @Field(() => String, { description: 'Up to 255 characters. Cannot be blank.' })
  declare name: string;
}
