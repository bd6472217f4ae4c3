import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, ObjectType, Resolver } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import type { Context } from '../graphql/context.js';
import { createFilterType } from '../graphql/filters.js';
import { type ListArgs, createListArguments, createListType } from '../graphql/lists.js';
import {
  Deleted,
  IdArg,
  IfVersionArg,
  InputArg,
  ReadQuery,
  ReadField,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { NoticeFilter } from '../notices/notice.filter.js';
import { Page } from './page.entity.js';
import { CreatePage, UpdatePage } from './page.inputs.js';
import { createPage, deletePage, updatePage } from './page.service.js';

const PageList = createListType(Page);
const PageArguments = createListArguments(
  Page,
  createFilterType(Page, { except: ['reminder'], through: { notices: NoticeFilter, components: ComponentFilter } }),
  ['id', 'name', 'createdAt', 'updatedAt'],
);

@ObjectType({ description: 'A created or updated page.' })
class PagePayload {
  constructor(readonly id: string) {}

  @ReadField(() => Page, 'The page, after the change.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.id]], info);
  }
}

@Resolver()
export class PageResolver {
  @ReadQuery(() => Page, 'page', 'Returns a page.')
  page(@IdArg('id') id: string, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, id]], info);
  }

  @ReadQuery(() => PageList, 'read', 'Lists all pages, in the order of creation.')
  pages(@Args(() => PageArguments) list: ListArgs, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.list([], Page, info, list);
  }

  @WriteMutation(() => PagePayload, 'Creates a page with the default brand.')
  async createPage(@InputArg(() => CreatePage) input: CreatePage, @Ctx() { write }: Context) {
    return new PagePayload(await createPage(write, input));
  }

  @WriteMutation(() => PagePayload, 'Updates the settings of a page.')
  async updatePage(
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdatePage) input: UpdatePage,
    @Ctx() { write }: Context,
  ) {
    return new PagePayload(await updatePage(write, id, versions, input));
  }

  @WriteMutation(() => Deleted, 'Deletes a page and everything on it.')
  async deletePage(@IdArg('id') id: string, @IfVersionArg() versions: number[] | undefined, @Ctx() { write }: Context) {
    return { id: await deletePage(write, id, versions) };
  }
}
