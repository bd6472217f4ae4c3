import { Field, ID, InputType } from 'type-graphql';

@InputType({ description: 'Changes to a template. Omitted fields keep their values.' })
export class UpdateNoticeTemplateInput {
  @Field(() => String, { nullable: true, description: 'Up to 255 characters. Cannot be blank.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Up to 255 characters. Null clears it.' })
  subject?: string | null;

  @Field(() => String, { nullable: true, description: 'Up to 65,535 characters, as Markdown. Null clears it.' })
  content?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The component of the template. Null: the template is for the whole page.',
  })
  componentId?: string | null;
}

@InputType({ description: 'A new template.' })
export class CreateNoticeTemplateInput extends UpdateNoticeTemplateInput {
  @Field(() => String, { description: 'Up to 255 characters. Cannot be blank.' })
  declare name: string;
}
