import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { type ListArgs, listArguments, listOf } from '../graphql/lists.js';
import { Id, IfVersion, Input, Read, Shows, Write } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import { ComponentFilter } from './component.filter.js';
import { CreateComponent, UpdateComponent } from './component.inputs.js';
import { createComponent, deleteComponent, updateComponent } from './component.service.js';
import { DeletedEffect, Effect } from './component-change.payload.js';

const ComponentList = listOf(Component);
const ComponentArguments = listArguments(Component, ComponentFilter, [
  'id',
  'name',
  'position',
  'createdAt',
  'updatedAt',
]);

@ObjectType({ description: 'A component that was written, and what that changed.' })
class ComponentPayload extends Effect {
  @Shows(() => Component, 'As it is now.')
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

@ObjectType({ description: 'A component that was deleted, and what that changed.' })
class DeletedComponent extends DeletedEffect {}

@Resolver()
export class ComponentResolver {
  @Read(() => Component, 'page', 'One component of a page.')
  component(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
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

  @Read(() => ComponentList, 'public', 'The components of a page, flat, by position.')
  components(
    @Id('pageId') pageId: string,
    @Args(() => ComponentArguments) list: ListArgs,
    @Ctx() { read }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.list([[Page, pageId]], Component, info, list);
  }

  @Write(() => ComponentPayload, 'Adds a component to a page.')
  async createComponent(
    @Id('pageId') pageId: string,
    @Input(() => CreateComponent) input: CreateComponent,
    @Ctx() { write }: Context,
  ) {
    return new ComponentPayload(await createComponent(write, pageId, input));
  }

  @Write(() => ComponentPayload, 'Changes a component, or moves it in the tree.')
  async updateComponent(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => UpdateComponent) input: UpdateComponent,
    @Ctx() { write }: Context,
  ) {
    return new ComponentPayload(await updateComponent(write, pageId, id, versions, input));
  }

  @Write(() => DeletedComponent, 'Deletes a component; its parts move up to its parent.')
  async deleteComponent(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    return new DeletedComponent(await deleteComponent(write, pageId, id, versions));
  }
}
