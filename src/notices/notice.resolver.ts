import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Id, IfVersion, Input, Read, Write } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import { NoticeFilter } from './notice.filter.js';
import { CreateNotice, UpdateNotice } from './notice.inputs.js';
import { DeletedNotice, NoticePayload } from './notice.payload.js';
import { createNotice, deleteNotice, updateNotice } from './notice.service.js';

const NoticeList = listOf(Notice);
const NoticeArguments = listArguments(
  Notice,
  NoticeFilter,
  ['id', 'subject', 'createdAt', 'updatedAt'],
  ['beginsAt', 'endsAt', 'beganAt', 'endedAt'],
);

@Resolver()
export class NoticeResolver {
  @Read(() => Notice, 'public', 'One notice of a page.')
  notice(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one(
      [
        [Page, pageId],
        [Notice, id],
      ],
      info,
    );
  }

  @Read(() => NoticeList, 'public', 'The notices of a page, newest first.')
  notices(
    @Id('pageId') pageId: string,
    @Args(() => NoticeArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list([[Page, pageId]], Notice, info, list);
  }

  @Write(() => NoticePayload, 'Opens an incident, schedules a maintenance or announces something.')
  async createNotice(
    @Id('pageId') pageId: string,
    @Input(() => CreateNotice) input: CreateNotice,
    @Ctx() { write }: Context,
  ) {
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
  async deleteNotice(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    return new DeletedNotice(await deleteNotice(write, pageId, id, versions));
  }
}
