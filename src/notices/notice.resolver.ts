import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field, ID, Info, ObjectType, Resolver } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import type { Context } from '../graphql/context.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Id, IfVersion, Input, Read, Shows, Write } from '../graphql/operations.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import { NoticeFilter } from './notice.filter.js';
import { CreateNotice, UpdateNotice } from './notice.inputs.js';
import { createNotice, deleteNotice, type NoticeChange, updateNotice } from './notice.service.js';

const NoticeList = listOf(Notice);
const NoticeArguments = listArguments(Notice, NoticeFilter, ['id', 'subject', 'createdAt', 'updatedAt']);

@ObjectType()
abstract class NoticeEffect implements NoticeChange {
  readonly pageId: string;
  readonly noticeId: number;
  readonly componentIds: number[];

  constructor(change: NoticeChange) {
    this.pageId = change?.pageId;
    this.noticeId = change?.noticeId;
    this.componentIds = change?.componentIds;
  }

  @Shows(() => [Component], 'The components that it names or named before, and those whose state moved, as they are now.')
  components(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.some(Component, this.componentIds, info);
  }

  @Shows(() => Page, 'Its page, as it is now.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.pageId]], info);
  }
}

@ObjectType({ description: 'A notice that was written, and what that changed.' })
class NoticePayload extends NoticeEffect {
  @Shows(() => Notice, 'As it is now.')
  notice(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(
      [
        [Page, this.pageId],
        [Notice, this.noticeId],
      ],
      info,
    );
  }
}

@ObjectType({ description: 'A notice that was deleted, and what that changed.' })
class DeletedNotice extends NoticeEffect {
  @Field(() => ID, { name: 'id', description: 'The id it had.' })
  get deletedId(): number {
    return this.noticeId;
  }
}

@Resolver()
export class NoticeResolver {
  @Read(() => Notice, 'public', 'One notice of a page.')
  notice(@Id('pageId') pageId: string, @Id('id') id: string, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(
      [
        [Page, pageId],
        [Notice, id],
      ],
      info,
    );
  }

  @Read(() => NoticeList, 'public', 'The notices of a page, newest first.')
  notices(@Id('pageId') pageId: string, @Args(() => NoticeArguments) list: ListArgs, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.list([[Page, pageId]], Notice, info, list);
  }

  @Write(() => NoticePayload, 'Opens an incident, schedules a maintenance or announces something.')
  async createNotice(@Id('pageId') pageId: string, @Input(() => CreateNotice) input: CreateNotice, @Ctx() { write }: Context) {
    return new NoticePayload(await createNotice(write, pageId, input));
  }

  @Write(() => NoticePayload, 'Changes a notice, moves it to another state, or comments on it.')
  async updateNotice(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => UpdateNotice) input: UpdateNotice,
    @Ctx() { write }: Context,
  ) {
    return new NoticePayload(await updateNotice(write, pageId, id, versions, input));
  }

  @Write(() => DeletedNotice, 'Deletes a notice and its updates.')
  async deleteNotice(@Id('pageId') pageId: string, @Id('id') id: string, @IfVersion() versions: number[] | undefined, @Ctx() { write }: Context) {
    return new DeletedNotice(await deleteNotice(write, pageId, id, versions));
  }
}
