import { Field, ID, InputType } from 'type-graphql';
import { NoticeTypes } from '../../notices/notice.enums.js';
import { NoticeInput } from '../../notices/notice.inputs.js';

@InputType({
  description: 'The input of `createNotice` or, with `noticeId`, of `updateNotice`. `shouldPublish` is always true.',
})
export class PreviewPublication extends NoticeInput {
  @Field(() => ID, { nullable: true, description: 'The notice to change. Default: a new notice.' })
  noticeId?: string | null;

  @Field(() => NoticeTypes as never, { nullable: true, description: 'For a new notice. Default: UNPLANNED.' })
  type?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Up to 255 characters. Null for a new notice: the first line of `comment`, up to 100 characters.',
  })
  subject?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`initialComment` of a new notice, `additionalComment` of an existing one.',
  })
  comment?: string | null;
}
