import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, ObjectType, Resolver } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import type { Context } from '../graphql/context.js';
import { filterOf } from '../graphql/filters.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Deleted, Id, IfVersion, Input, Read, Shows, Write } from '../graphql/field-decorators.js';
import { NoticeFilter } from '../notices/notice.filter.js';
import { Page } from './page.entity.js';
import { CreatePage, UpdatePage } from './page.inputs.js';
import { createPage, deletePage, updatePage } from './page.service.js';

const PageList = listOf(Page);
const PageArguments = listArguments(
  Page,
  filterOf(Page, { except: ['reminder'], through: { notices: NoticeFilter, components: ComponentFilter } }),
  ['id', 'name', 'createdAt', 'updatedAt'],
);

@ObjectType({ description: 'A page that was written.' })
class PagePayload {
  constructor(readonly id: string) {}

  @Shows(() => Page, 'As it is now.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.id]], info);
  }
}

@Resolver()
export class PageResolver {
  @Read(() => Page, 'page', 'One page.')
  page(@Id('id') id: string, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, id]], info);
  }

  @Read(() => PageList, 'read', 'All pages, in the order of their creation.')
  pages(@Args(() => PageArguments) list: ListArgs, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.list([], Page, info, list);
  }

  @Write(() => PagePayload, 'Makes a page, with its brand.')
  async createPage(@Input(() => CreatePage) input: CreatePage, @Ctx() { write }: Context) {
    return new PagePayload(await createPage(write, input));
  }

  @Write(() => PagePayload, 'Changes what is set of a page.')
  async updatePage(
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => UpdatePage) input: UpdatePage,
    @Ctx() { write }: Context,
  ) {
    return new PagePayload(await updatePage(write, id, versions, input));
  }

  @Write(() => Deleted, 'Deletes a page and all that is on it.')
  async deletePage(@Id('id') id: string, @IfVersion() versions: number[] | undefined, @Ctx() { write }: Context) {
    return { id: await deletePage(write, id, versions) };
  }
}
