import { Resolver } from 'type-graphql';
import { IdArg, IfVersionArg, InjectWriter, InputArg, WriteMutation } from '../graphql/field-decorators.js';
import type { Writer } from '../records/writer.js';
import { NoticePayload } from './notice.payload.js';
import {
  CreateNoticeTemplateV1,
  CreateNoticeUpdateV1,
  CreateNoticeV1,
  UpdateNoticeTemplateV1,
  UpdateNoticeV1,
} from './notice-v1.inputs.js';
import { createNotice, updateNotice } from './notice.service.js';
import { NoticeTemplatePayload } from './templates/template.resolver.js';
import { createNoticeTemplate, updateNoticeTemplate } from './templates/template.service.js';
import { NoticeUpdatePayload } from './updates/update.resolver.js';
import { createNoticeUpdate } from './updates/update.service.js';

/** Operations of /v1 alone, where it takes other inputs than GraphQL: they are in its schema, not in the public one. */
@Resolver()
export class NoticeV1Resolver {
  @WriteMutation(() => NoticePayload, 'publisher', 'Creates a notice of any type.', { urgent: true })
  async createNoticeV1(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateNoticeV1) { initialComment, ...input }: CreateNoticeV1,
    @InjectWriter() write: Writer,
  ) {
    const comment = { content: initialComment, contentField: 'initialComment' };
    return new NoticePayload(await createNotice(write, pageId, { ...input, ...comment, isFromV1: true }));
  }

  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Updates a notice, moves it to another state, or adds an update to it.',
    { urgent: true },
  )
  async updateNoticeV1(
    @IdArg('pageId') pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateNoticeV1) { additionalComment, ...input }: UpdateNoticeV1,
    @InjectWriter() write: Writer,
  ) {
    const comment = { content: additionalComment, contentField: 'additionalComment' };
    return new NoticePayload(await updateNotice(write, pageId, id, versions, { ...input, ...comment, isFromV1: true }));
  }

  @WriteMutation(() => NoticeUpdatePayload, 'publisher', 'Adds an update to a notice.', { urgent: true })
  async createNoticeUpdateV1(
    @IdArg('pageId') pageId: string,
    @IdArg('noticeId') noticeId: string,
    @InputArg(() => CreateNoticeUpdateV1) input: CreateNoticeUpdateV1,
    @InjectWriter() write: Writer,
  ) {
    return new NoticeUpdatePayload(await createNoticeUpdate(write, pageId, noticeId, { ...input, isFromV1: true }));
  }

  @WriteMutation(() => NoticeTemplatePayload, 'publisher', 'Creates a template.')
  async createNoticeTemplateV1(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateNoticeTemplateV1) input: CreateNoticeTemplateV1,
    @InjectWriter() write: Writer,
  ) {
    return new NoticeTemplatePayload(pageId, await createNoticeTemplate(write, pageId, toTemplateValues(input)));
  }

  @WriteMutation(() => NoticeTemplatePayload, 'publisher', 'Updates a template.')
  async updateNoticeTemplateV1(
    @IdArg('pageId') pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateNoticeTemplateV1) input: UpdateNoticeTemplateV1,
    @InjectWriter() write: Writer,
  ) {
    const values = toTemplateValues(input);
    return new NoticeTemplatePayload(pageId, await updateNoticeTemplate(write, pageId, id, versions, values));
  }
}

const toTemplateValues = ({ initialComment, content, ...input }: UpdateNoticeTemplateV1) => ({
  ...input,
  content: initialComment,
  contentField: 'initialComment',
  fallbackContent: content,
});
