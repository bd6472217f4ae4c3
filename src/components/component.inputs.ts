import { Field, ID, InputType, Int } from 'type-graphql';

@InputType({ description: 'What may be set of a component; its state follows from notices. What is absent stays.' })
export class UpdateComponent {
  @Field(() => String, { nullable: true, description: '255 characters at most; never blank.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: '65,535 characters at most; null clears it.' })
  description?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Lower numbers stand higher. Null, and absence in a new one: after its last sibling. Nobody else moves.',
  })
  position?: number | null;

  @Field(() => ID, {
    nullable: true,
    description: 'A component of the same page, neither itself nor a part of it; null is the root.',
  })
  parentId?: string | null;
}

@InputType({ description: 'A new component.' })
export class CreateComponent extends UpdateComponent {
  @Field(() => String, { description: '255 characters at most; never blank.' })
  declare name: string;
}
