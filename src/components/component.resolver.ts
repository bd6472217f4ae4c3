import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { type ListArgs, createListArguments, createListType } from '../graphql/lists.js';
import { IdArg, IfVersionArg, InputArg, ReadQuery, ReadField, WriteMutation } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import { ComponentFilter } from './component.filter.js';
import { CreateComponent, UpdateComponent } from './component.inputs.js';
import { createComponent, deleteComponent, updateComponent } from './component.service.js';
import { DeletionPayload, ChangePayload } from './component-change.payload.js';

const ComponentList = createListType(Component);
const ComponentArguments = createListArguments(Component, ComponentFilter, [
  'id',
  'name',
  'position',
  'createdAt',
  'updatedAt',
]);

@ObjectType({ description: 'A created or updated component, and everything that the write changed.' })
class ComponentPayload extends ChangePayload {
  @ReadField(() => Component, 'The component, after the change.')
  component(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(
      [
        [Page, this.change.pageId],
        [Component, this.change.recordId],
      ],
      info,
    );
  }
}

@ObjectType({ description: 'A deleted component, and everything that the deletion changed.' })
class DeletedComponent extends DeletionPayload {}

@Resolver()
export class ComponentResolver {
  @ReadQuery(() => Component, 'page', 'Returns a component of a page.')
  component(
    @IdArg('pageId') pageId: string,
    @IdArg('id') id: string,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.one(
      [
        [Page, pageId],
        [Component, id],
      ],
      info,
    );
  }

  @ReadQuery(() => ComponentList, 'public', 'Lists the components of a page, flat, by position.')
  components(
    @IdArg('pageId') pageId: string,
    @Args(() => ComponentArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list([[Page, pageId]], Component, info, list);
  }

  @WriteMutation(() => ComponentPayload, 'Creates a component.')
  async createComponent(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateComponent) input: CreateComponent,
    @Ctx() { write }: Context,
  ) {
    return new ComponentPayload(await createComponent(write, pageId, input));
  }

  @WriteMutation(() => ComponentPayload, 'Updates a component, or moves it within the tree.')
  async updateComponent(
    @IdArg('pageId') pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateComponent) input: UpdateComponent,
    @Ctx() { write }: Context,
  ) {
    return new ComponentPayload(await updateComponent(write, pageId, id, versions, input));
  }

  @WriteMutation(() => DeletedComponent, 'Deletes a component. Its children move up to its parent.')
  async deleteComponent(
    @IdArg('pageId') pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    return new DeletedComponent(await deleteComponent(write, pageId, id, versions));
  }
}
