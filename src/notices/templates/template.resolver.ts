import { Args, ObjectType, Resolver } from 'type-graphql';
import { ComponentFilter } from '../../components/component.filter.js';
import type { RecordPath } from '../../records/record-path.js';
import { createFilterType } from '../../graphql/filters.js';
import { createConnectionType, createListArguments } from '../../graphql/connection-types.js';
import type { ListArguments } from '../../records/list-arguments.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  OptionalIdArg,
  ParentIdArg,
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { Page } from '../../pages/page.entity.js';
import { DeletedRecord, PageChangePayload } from '../../pages/page-change.payload.js';
import { ComponentTemplate, NoticeTemplate } from './template.entity.js';
import { CreateNoticeTemplateInput, UpdateNoticeTemplateInput } from './template.inputs.js';
import { createNoticeTemplate, deleteNoticeTemplate, updateNoticeTemplate } from './template.service.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { Writer } from '../../records/writer.js';

const NoticeTemplateConnection = createConnectionType(NoticeTemplate);
const NoticeTemplateFilter = createFilterType(NoticeTemplate, {
  kinds: [ComponentTemplate],
  except: ['componentIds'],
  graphqlOnly: ['type', 'state'],
  through: { component: ComponentFilter },
});
const NoticeTemplateArguments = createListArguments(NoticeTemplate, NoticeTemplateFilter, [
  'id',
  'name',
  'createdAt',
  'updatedAt',
]);

const templatePath = (pageId: string | null, id: string): RecordPath => [
  [Page, pageId],
  [NoticeTemplate, id],
];

@ObjectType({ description: 'A created or updated template.' })
export class NoticeTemplatePayload extends PageChangePayload {
  constructor(
    pageId: string,
    readonly id: string,
  ) {
    super(pageId);
  }

  @ReadField(() => NoticeTemplate, 'The template, after the change.')
  template(@InjectReader() read: FieldReader) {
    return read.one(templatePath(this.pageId, this.id));
  }
}

@Resolver()
export class NoticeTemplateResolver {
  @ReadQuery(() => NoticeTemplate, 'viewer', 'Returns a template of a page.')
  noticeTemplate(
    @OptionalIdArg('pageId') pageId: string | null,
    @IdArg('id') id: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.one(templatePath(pageId, id));
  }

  @ReadQuery(() => NoticeTemplateConnection, 'viewer', 'Lists the templates of a page, in the order of creation.')
  noticeTemplates(
    @IdArg('pageId') pageId: string,
    @Args(() => NoticeTemplateArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], NoticeTemplate, list);
  }

  @WriteMutation(() => NoticeTemplatePayload, 'publisher', 'Creates a template.')
  async createNoticeTemplate(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateNoticeTemplateInput) input: CreateNoticeTemplateInput,
    @InjectWriter() write: Writer,
  ) {
    return new NoticeTemplatePayload(pageId, await createNoticeTemplate(write, pageId, input));
  }

  @WriteMutation(() => NoticeTemplatePayload, 'publisher', 'Updates a template.')
  async updateNoticeTemplate(
    @ParentIdArg('pageId', Page, NoticeTemplate) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateNoticeTemplateInput) input: UpdateNoticeTemplateInput,
    @InjectWriter() write: Writer,
  ) {
    return new NoticeTemplatePayload(pageId, await updateNoticeTemplate(write, pageId, id, versions, input));
  }

  @WriteMutation(() => DeletedRecord, 'publisher', 'Deletes a template.')
  async deleteNoticeTemplate(
    @ParentIdArg('pageId', Page, NoticeTemplate) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeletedRecord(pageId, NoticeTemplate, await deleteNoticeTemplate(write, pageId, id, versions));
  }
}
