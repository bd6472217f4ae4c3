import { Arg, Args, Ctx, ID, Resolver } from 'type-graphql';
import { unauthenticated } from '../core/errors.js';
import type { Context } from '../graphql/context.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import type { ListArguments } from '../records/list-arguments.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  OptionalIdArg,
  ParentIdArg,
  PreviewHashArg,
  ReadQuery,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { Notice } from './notice.entity.js';
import { NoticeFilter } from './notice.filter.js';
import { UpdateNoticeInput } from './notice.inputs.js';
import { DeleteNoticePayload, NoticePayload } from './notice.payload.js';
import { deleteNotice, updateNotice } from './notice.service.js';
import { notifyComponentCorrection } from './component-correction.service.js';
import type { FieldReader } from '../records/field-reader.js';
import type { Writer } from '../records/writer.js';

const NoticeConnection = createConnectionType(Notice);
const NoticeArguments = createListArguments(
  Notice,
  NoticeFilter,
  ['id', 'subject', 'createdAt', 'updatedAt'],
  ['beginsAt', 'endsAt', 'beganAt', 'endedAt'],
);

@Resolver()
export class NoticeResolver {
  @ReadQuery(() => Notice, 'page', 'Returns a notice of a page.')
  notice(@OptionalIdArg('pageId') pageId: string | null, @IdArg('id') id: string, @InjectReader() read: FieldReader) {
    return read.one(pageRecordPath(pageId, Notice, id));
  }

  @ReadQuery(() => NoticeConnection, 'public', 'Lists the notices of a page, or of all pages, newest first.')
  notices(
    @Arg('pageId', () => ID, {
      nullable: true,
      description: 'The id of the page. Null or absent: all pages on which the caller has a role.',
    })
    pageId: string | null | undefined,
    @Args(() => NoticeArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
    @Ctx() { caller }: Context,
  ) {
    // Without a token no page is listed, since some are only for those who know their address.
    if (pageId == null && caller.kind === 'anonymous') throw unauthenticated(['pageId']);
    return read.list(pageId == null ? [] : [[Page, pageId]], Notice, list);
  }

  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Updates a notice, moves it to another state, or adds an update to it.',
    { urgent: true },
  )
  async updateNotice(
    @ParentIdArg('pageId', Page, Notice) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateNoticeInput) input: UpdateNoticeInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticePayload(await updateNotice(write, pageId, id, versions, { ...input, previewHash }));
  }

  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Sends the components of a notice as a correction, where its newest message names others: to those who are ' +
      'notified of the notice, and to those who were sent an earlier message of it. Refused where the newest message ' +
      'is right.',
    { urgent: true },
  )
  async notifyComponentCorrection(
    @ParentIdArg('pageId', Page, Notice) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticePayload(await notifyComponentCorrection(write, pageId, id, versions, previewHash));
  }

  @WriteMutation(() => DeleteNoticePayload, 'publisher', 'Deletes a notice and its updates.', { urgent: true })
  async deleteNotice(
    @ParentIdArg('pageId', Page, Notice) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeleteNoticePayload(await deleteNotice(write, pageId, id, versions));
  }
}
