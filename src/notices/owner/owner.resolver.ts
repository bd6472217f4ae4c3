import { Arg, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { IdArg, InjectWriter, ParentIdArg, WriteMutation } from '../../graphql/field-decorators.js';
import { createRecordPayload } from '../../pages/page-change.payload.js';
import { Page } from '../../pages/page.entity.js';
import type { Writer } from '../../records/writer.js';
import { Notice } from '../notice.entity.js';
import { type Assignee as AssigneeRow, assignNotice, listAssignees } from './owner.service.js';

@ObjectType({ description: 'A person who can take care of a notice.' })
class Assignee implements AssigneeRow {
  @Field(() => ID, { description: 'The id of the person.' })
  personId!: number;

  @Field(() => String, { description: 'The e-mail address.' })
  email!: string;
}

@ObjectType({ description: 'A notice that was handed over.' })
class AssignNoticePayload extends createRecordPayload(Notice, 'The notice, after the change.') {}

@Resolver()
export class NoticeOwnerResolver {
  @RequiresAccess('publisher')
  @Query(() => [Assignee], { description: 'The people with a role on a page, who can be the owner of a notice.' })
  assignees(@IdArg('pageId') pageId: string, @InjectWriter() write: Writer): Promise<AssigneeRow[]> {
    return listAssignees(write, pageId);
  }

  @WriteMutation(
    () => AssignNoticePayload,
    'publisher',
    'Says who takes care of a notice. Nobody is notified, and visitors do not see it.',
  )
  async assignNotice(
    @ParentIdArg('pageId', Page, Notice) pageId: string,
    @IdArg('id') id: string,
    @Arg('personId', () => ID, { nullable: true, description: 'A person with a role on the page. Null: nobody.' })
    personId: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    await assignNotice(write, pageId, id, personId ?? null);
    return new AssignNoticePayload(pageId, id);
  }
}
