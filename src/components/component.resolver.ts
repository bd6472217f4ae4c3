import { Args, ObjectType, Resolver } from 'type-graphql';
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
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import { ComponentFilter } from './component.filter.js';
import { CreateComponentInput, UpdateComponentInput } from './component.inputs.js';
import { createComponent, deleteComponent, updateComponent } from './component.service.js';
import { DeletionPayload, ChangePayload } from './component-change.payload.js';
import type { FieldReader } from '../records/field-reader.js';
import type { Writer } from '../records/writer.js';

const ComponentConnection = createConnectionType(Component);
const ComponentArguments = createListArguments(Component, ComponentFilter, [
  'id',
  'name',
  'position',
  'createdAt',
  'updatedAt',
]);

@ObjectType({ description: 'A created or updated component, and everything that the write changed.' })
export class ComponentPayload extends ChangePayload {
  @ReadField(() => Component, 'The component, after the change.')
  component(@InjectReader() read: FieldReader) {
    return read.one([
      [Page, this.change.pageId],
      [Component, this.change.recordId],
    ]);
  }
}

@ObjectType({ description: 'A deleted component, and everything that the deletion changed.' })
class DeletedComponent extends DeletionPayload {
  protected readonly record = Component;
}

@Resolver()
export class ComponentResolver {
  @ReadQuery(() => Component, 'page', 'Returns a component of a page.')
  component(
    @OptionalIdArg('pageId') pageId: string | null,
    @IdArg('id') id: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.one([
      [Page, pageId],
      [Component, id],
    ]);
  }

  @ReadQuery(() => ComponentConnection, 'public', 'Lists the components of a page, flat, by position.')
  components(
    @IdArg('pageId') pageId: string,
    @Args(() => ComponentArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], Component, list);
  }

  @WriteMutation(() => ComponentPayload, 'owner', 'Creates a component.')
  async createComponent(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateComponentInput) input: CreateComponentInput,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentPayload(await createComponent(write, pageId, input));
  }

  @WriteMutation(() => ComponentPayload, 'publisher', 'Updates a component, or moves it within the tree.')
  async updateComponent(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateComponentInput) input: UpdateComponentInput,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentPayload(await updateComponent(write, pageId, id, versions, input));
  }

  @WriteMutation(() => DeletedComponent, 'owner', 'Deletes a component. Its children move up to its parent.')
  async deleteComponent(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeletedComponent(await deleteComponent(write, pageId, id, versions));
  }
}
