import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, ObjectType, Resolver } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import type { Place } from '../records/record-path.js';
import type { Context } from '../graphql/context.js';
import { filterOf } from '../graphql/filters.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Deleted, Id, IfVersion, Input, Read, Shows, Write } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { ComponentTemplate, NoticeTemplate } from './template.entity.js';
import { CreateNoticeTemplate, UpdateNoticeTemplate } from './template.inputs.js';
import { createNoticeTemplate, deleteNoticeTemplate, updateNoticeTemplate } from './template.service.js';

const NoticeTemplateList = listOf(NoticeTemplate);
const NoticeTemplateFilter = filterOf(NoticeTemplate, {
  kinds: [ComponentTemplate],
  through: { component: ComponentFilter },
});
const NoticeTemplateArguments = listArguments(NoticeTemplate, NoticeTemplateFilter, [
  'id',
  'name',
  'createdAt',
  'updatedAt',
]);

const templateAt = (pageId: string, id: string): Place => [
  [Page, pageId],
  [NoticeTemplate, id],
];

@ObjectType({ description: 'A template that was written.' })
class NoticeTemplatePayload {
  constructor(
    readonly pageId: string,
    readonly id: string,
  ) {}

  @Shows(() => NoticeTemplate, 'As it is now.')
  template(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(templateAt(this.pageId, this.id), info);
  }
}

@Resolver()
export class NoticeTemplateResolver {
  @Read(() => NoticeTemplate, 'read', 'One template of a page.')
  noticeTemplate(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one(templateAt(pageId, id), info);
  }

  @Read(() => NoticeTemplateList, 'read', 'The templates of a page, in the order of their creation.')
  noticeTemplates(
    @Id('pageId') pageId: string,
    @Args(() => NoticeTemplateArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list([[Page, pageId]], NoticeTemplate, info, list);
  }

  @Write(() => NoticeTemplatePayload, 'Adds a template to a page.')
  async createNoticeTemplate(
    @Id('pageId') pageId: string,
    @Input(() => CreateNoticeTemplate) input: CreateNoticeTemplate,
    @Ctx() { write }: Context,
  ) {
    return new NoticeTemplatePayload(pageId, await createNoticeTemplate(write, pageId, input));
  }

  @Write(() => NoticeTemplatePayload, 'Changes a template.')
  async updateNoticeTemplate(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => UpdateNoticeTemplate) input: UpdateNoticeTemplate,
    @Ctx() { write }: Context,
  ) {
    return new NoticeTemplatePayload(pageId, await updateNoticeTemplate(write, pageId, id, versions, input));
  }

  @Write(() => Deleted, 'Deletes a template.')
  async deleteNoticeTemplate(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    return { id: await deleteNoticeTemplate(write, pageId, id, versions) };
  }
}
