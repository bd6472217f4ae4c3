import { Field, ID, InputType } from 'type-graphql';
import { NoticeTypes } from '../../notices/notice.entity.js';
import { NoticeInput } from '../../notices/notice.inputs.js';

@InputType({
  description:
    'What would be sent to `createNotice` or, with `noticeId`, to `updateNotice`; that it is to be told goes without saying.',
})
export class PreviewPublication extends NoticeInput {
  @Field(() => ID, { nullable: true, description: 'The notice that would be changed; null and absent: a new one.' })
  noticeId?: string | null;

  @Field(() => NoticeTypes as never, { nullable: true, description: 'Of a new notice. Default: UNPLANNED.' })
  type?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; never blank. A new notice needs one.' })
  subject?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What would be the initial comment of a new notice, or an additional comment on one that is there.',
  })
  comment?: string | null;
}
