import { Field, ID, InputType } from 'type-graphql';
import { NoticeStates, NoticeTypes } from '../notice.enums.js';

@InputType({ description: 'Changes to a template. Omitted fields keep their values.' })
export class UpdateNoticeTemplateInput {
  @Field(() => String, { nullable: true, description: 'Up to 255 characters. Cannot be blank.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Up to 255 characters. Null clears it.' })
  subject?: string | null;

  @Field(() => String, { nullable: true, description: 'Up to 65,535 characters, as Markdown. Null clears it.' })
  content?: string | null;

  @Field(() => NoticeTypes as never, {
    nullable: true,
    description: 'The type of notices created from it. Null: any.',
  })
  type?: string | null;

  @Field(() => NoticeStates as never, {
    nullable: true,
    description:
      'The state of notices created from it, which must be one of `type`. Null: the first one of their type.',
  })
  state?: string | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'All components that notices created from it name. Null or an empty list: none.',
  })
  componentIds?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The same for one component. `componentIds` takes precedence. Null: none.',
  })
  componentId?: string | null;
}

@InputType({ description: 'A new template.' })
export class CreateNoticeTemplateInput extends UpdateNoticeTemplateInput {
  @Field(() => String, { description: 'Up to 255 characters. Cannot be blank.' })
  declare name: string;
}
