import { Args, Resolver } from 'type-graphql';
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
import { Notice } from './notice.entity.js';
import { NoticeFilter } from './notice.filter.js';
import { UpdateNoticeInput } from './notice.inputs.js';
import { DeletedNotice, NoticePayload } from './notice.payload.js';
import { deleteNotice, updateNotice } from './notice.service.js';
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
    return read.one([
      [Page, pageId],
      [Notice, id],
    ]);
  }

  @ReadQuery(() => NoticeConnection, 'public', 'Lists the notices of a page, newest first.')
  notices(
    @IdArg('pageId') pageId: string,
    @Args(() => NoticeArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], Notice, list);
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

  @WriteMutation(() => DeletedNotice, 'publisher', 'Deletes a notice and its updates.', { urgent: true })
  async deleteNotice(
    @ParentIdArg('pageId', Page, Notice) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeletedNotice(await deleteNotice(write, pageId, id, versions));
  }
}
