import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { NoticeStates, NoticeTypes } from '../notice.enums.js';

@InputType({ description: 'Changes to a template. Omitted fields keep their values.' })
export class UpdateNoticeTemplateInput {
  @NullableField(() => String, 'Up to 255 characters. Cannot be blank.')
  name?: string | null;

  @NullableField(() => String, 'Up to 255 characters. Null clears it.')
  subject?: string | null;

  @NullableField(() => String, 'Up to 65,535 characters, as Markdown. Null clears it.')
  content?: string | null;

  @NullableField(() => NoticeTypes, 'The type of notices created from it. Null: any.')
  type?: string | null;

  @NullableField(
    () => NoticeStates,
    'The state of notices created from it, which must be one of `type`. Null: the first one of their type.',
  )
  state?: string | null;

  @NullableField(() => [ID], 'All components that notices created from it name. Null or an empty list: none.')
  componentIds?: string[] | null;

  @NullableField(
    () => ID,
    'The one component that notices created from it name. `componentIds` takes precedence. Null: none.',
  )
  componentId?: string | null;
}

@InputType({ description: 'A new template.' })
export class CreateNoticeTemplateInput extends UpdateNoticeTemplateInput {
  @Field(() => String, { description: 'Up to 255 characters. Cannot be blank.' })
  declare name: string;
}
