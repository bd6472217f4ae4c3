import { Args, Field, ID, ObjectType, Resolver } from 'type-graphql';
import type { RecordPath } from '../../records/record-path.js';
import { createConnectionType, createListArguments } from '../../graphql/connection-types.js';
import type { ListArguments } from '../../records/list-arguments.js';
import {
  DeletedNodeIdField,
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  OptionalIdArg,
  ParentIdArg,
  PreviewHashArg,
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { Page } from '../../pages/page.entity.js';
import { notifyCorrection } from './correction.service.js';
import { Notice } from '../notice.entity.js';
import { NoticeUpdateFilter } from '../notice.filter.js';
import { CreateNoticeUpdateInput, UpdateNoticeUpdateInput } from './update.inputs.js';
import { NoticeUpdate } from './update.entity.js';
import { PublishingPayload } from '../../notifications/publishing.payload.js';
import {
  createNoticeUpdate,
  deleteNoticeUpdate,
  type PostedUpdate,
  type UpdateChange,
  updateNoticeUpdate,
} from './update.service.js';
import type { FieldReader } from '../../records/field-reader.js';
import { createNodeId } from '../../records/node-id.js';
import type { Writer } from '../../records/writer.js';

const NoticeUpdateConnection = createConnectionType(NoticeUpdate);
const NoticeUpdateArguments = createListArguments(NoticeUpdate, NoticeUpdateFilter, ['id', 'createdAt', 'updatedAt']);

const noticePath = (pageId: string | null, noticeId: string | null): RecordPath => [
  [Page, pageId],
  [Notice, noticeId],
];

@ObjectType({ description: 'A created or changed update.' })
export class NoticeUpdatePayload extends PublishingPayload {
  constructor(private readonly posted: PostedUpdate) {
    super(posted.pageId, posted.outcome, Number(posted.noticeId));
  }

  @ReadField(() => NoticeUpdate, 'The update, after the change.')
  noticeUpdate(@InjectReader() read: FieldReader) {
    return read.one([...noticePath(this.posted.pageId, this.posted.noticeId), [NoticeUpdate, this.posted.updateId]]);
  }

  @ReadField(() => Notice, 'The notice, after the change.')
  notice(@InjectReader() read: FieldReader) {
    return read.one(noticePath(this.posted.pageId, this.posted.noticeId));
  }
}

@ObjectType({ description: 'A deleted update, and its notice.' })
class DeleteNoticeUpdatePayload {
  constructor(private readonly change: UpdateChange) {}

  @Field(() => ID, { description: 'The id of the deleted update.' })
  get deletedId(): number {
    return this.change.updateId;
  }

  @DeletedNodeIdField()
  get deletedNodeId(): string {
    return createNodeId(NoticeUpdate.name, this.change.updateId);
  }

  @ReadField(() => Notice, 'The notice, after the change: its synopsis is the text of its first update.')
  notice(@InjectReader() read: FieldReader) {
    return read.one(noticePath(this.change.pageId, this.change.noticeId));
  }
}

@Resolver()
export class NoticeUpdateResolver {
  @ReadQuery(() => NoticeUpdate, 'public', 'Returns an update of a notice.')
  noticeUpdate(
    @OptionalIdArg('pageId') pageId: string | null,
    @OptionalIdArg('noticeId') noticeId: string | null,
    @IdArg('id') id: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.one([...noticePath(pageId, noticeId), [NoticeUpdate, id]]);
  }

  @ReadQuery(() => NoticeUpdateConnection, 'public', 'Lists the updates of a notice, oldest first.')
  noticeUpdates(
    @OptionalIdArg('pageId') pageId: string | null,
    @IdArg('noticeId') noticeId: string,
    @Args(() => NoticeUpdateArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list(noticePath(pageId, noticeId), NoticeUpdate, list);
  }

  @WriteMutation(() => NoticeUpdatePayload, 'publisher', 'Adds an update to a notice.', { urgent: true })
  async createNoticeUpdate(
    @ParentIdArg('pageId', Page, Notice, 'noticeId') pageId: string,
    @IdArg('noticeId') noticeId: string,
    @InputArg(() => CreateNoticeUpdateInput) input: CreateNoticeUpdateInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticeUpdatePayload(await createNoticeUpdate(write, pageId, noticeId, { ...input, previewHash }));
  }

  @WriteMutation(() => NoticeUpdatePayload, 'publisher', 'Changes the text of an update.', { urgent: true })
  async updateNoticeUpdate(
    @ParentIdArg('pageId', Page, NoticeUpdate) pageId: string,
    @ParentIdArg('noticeId', Notice, NoticeUpdate) noticeId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateNoticeUpdateInput) input: UpdateNoticeUpdateInput,
    @InjectWriter() write: Writer,
  ) {
    return new NoticeUpdatePayload(await updateNoticeUpdate(write, pageId, noticeId, id, versions, input));
  }

  @WriteMutation(
    () => NoticeUpdatePayload,
    'publisher',
    'Sends the text of an edited update to those who were sent another one, by channel, as a correction. Those who ' +
      'have unsubscribed since are left out. Refused for an update that was not edited since it was sent, or since ' +
      'it was corrected.',
    { urgent: true },
  )
  async notifyCorrection(
    @ParentIdArg('pageId', Page, NoticeUpdate) pageId: string,
    @ParentIdArg('noticeId', Notice, NoticeUpdate) noticeId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticeUpdatePayload(await notifyCorrection(write, pageId, noticeId, id, versions, previewHash));
  }

  @WriteMutation(
    () => DeleteNoticeUpdatePayload,
    'publisher',
    'Deletes an update. A notice can be left without updates.',
    {
      urgent: true,
    },
  )
  async deleteNoticeUpdate(
    @ParentIdArg('pageId', Page, NoticeUpdate) pageId: string,
    @ParentIdArg('noticeId', Notice, NoticeUpdate) noticeId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeleteNoticeUpdatePayload(await deleteNoticeUpdate(write, pageId, noticeId, id, versions));
  }
}
