import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, ObjectType, Resolver } from 'type-graphql';
import type { Place } from '../records/record-path.js';
import type { Context } from '../graphql/context.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Deleted, Id, IfVersion, Input, Read, Shows, Write } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import { NoticeUpdateFilter } from './notice.filter.js';
import { CreateNoticeUpdate, UpdateNoticeUpdate } from './notice.inputs.js';
import { NoticeUpdate } from './update.entity.js';
import { createNoticeUpdate, deleteNoticeUpdate, type UpdateChange, updateNoticeUpdate } from './update.service.js';

const NoticeUpdateList = listOf(NoticeUpdate);
const NoticeUpdateArguments = listArguments(NoticeUpdate, NoticeUpdateFilter, ['id', 'createdAt', 'updatedAt']);

const noticeAt = (pageId: string, noticeId: string): Place => [
  [Page, pageId],
  [Notice, noticeId],
];

@ObjectType({ description: 'An update that was written.' })
class NoticeUpdatePayload {
  constructor(private readonly change: UpdateChange) {}

  @Shows(() => NoticeUpdate, 'As it is now.')
  update(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(
      [...noticeAt(this.change.pageId, this.change.noticeId), [NoticeUpdate, this.change.updateId]],
      info,
    );
  }

  @Shows(() => Notice, 'Its notice, as it is now.')
  notice(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(noticeAt(this.change.pageId, this.change.noticeId), info);
  }
}

@Resolver()
export class NoticeUpdateResolver {
  @Read(() => NoticeUpdate, 'public', 'One update of a notice.')
  noticeUpdate(
    @Id('pageId') pageId: string,
    @Id('noticeId') noticeId: string,
    @Id('id') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one([...noticeAt(pageId, noticeId), [NoticeUpdate, id]], info);
  }

  @Read(() => NoticeUpdateList, 'public', 'The updates of a notice, oldest first.')
  noticeUpdates(
    @Id('pageId') pageId: string,
    @Id('noticeId') noticeId: string,
    @Args(() => NoticeUpdateArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list(noticeAt(pageId, noticeId), NoticeUpdate, info, list);
  }

  @Write(() => NoticeUpdatePayload, 'Comments on a notice.')
  async createNoticeUpdate(
    @Id('pageId') pageId: string,
    @Id('noticeId') noticeId: string,
    @Input(() => CreateNoticeUpdate) input: CreateNoticeUpdate,
    @Ctx() { write }: Context,
  ) {
    return new NoticeUpdatePayload(await createNoticeUpdate(write, pageId, noticeId, input));
  }

  @Write(() => NoticeUpdatePayload, 'Changes the text of an update.')
  async updateNoticeUpdate(
    @Id('pageId') pageId: string,
    @Id('noticeId') noticeId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => UpdateNoticeUpdate) input: UpdateNoticeUpdate,
    @Ctx() { write }: Context,
  ) {
    return new NoticeUpdatePayload(await updateNoticeUpdate(write, pageId, noticeId, id, versions, input));
  }

  @Write(() => Deleted, 'Deletes an update; its notice may be left without any.')
  async deleteNoticeUpdate(
    @Id('pageId') pageId: string,
    @Id('noticeId') noticeId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    return { id: (await deleteNoticeUpdate(write, pageId, noticeId, id, versions)).updateId };
  }
}
