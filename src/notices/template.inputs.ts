import { Field, ID, InputType } from 'type-graphql';

@InputType({ description: 'What may be set of a template. What is absent stays.' })
export class UpdateNoticeTemplate {
  @Field(() => String, { nullable: true, description: '255 characters at most; never blank.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; null clears it.' })
  subject?: string | null;

  @Field(() => String, { nullable: true, description: '65,535 characters at most; null clears it.' })
  initialComment?: string | null;

  @Field(() => String, { nullable: true, description: 'The older name of `initialComment`, which goes before it.' })
  content?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'A component of the page, to which the template then belongs; null is the page as a whole.',
  })
  componentId?: string | null;
}

@InputType({ description: 'A new template.' })
export class CreateNoticeTemplate extends UpdateNoticeTemplate {
  @Field(() => String, { description: '255 characters at most; never blank.' })
  declare name: string;
}
