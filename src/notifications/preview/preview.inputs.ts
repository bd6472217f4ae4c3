import { Field, ID, InputType } from 'type-graphql';
import { NoticeTypes } from '../../notices/notice.enums.js';
import { NoticeChanges } from '../../notices/notice.inputs.js';

@InputType({
  description: 'The change of a notice, as `updateNotice` takes it, or a new notice. It counts as one to be published.',
})
export class PreviewPublicationInput extends NoticeChanges {
  @Field(() => ID, { nullable: true, description: 'The notice to change. Null: a new notice.' })
  noticeId?: string | null;

  @Field(() => NoticeTypes as never, { nullable: true, description: 'For a new notice. Null: UNPLANNED.' })
  type?: string | null;
}
