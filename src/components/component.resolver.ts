import { ObjectType, Resolver } from 'type-graphql';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  ParentIdArg,
  ReadField,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { createRecordResolver } from '../pages/page-record.resolver.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { Component } from './component.entity.js';
import { ComponentFilter } from './component.filter.js';
import { CreateComponentInput, UpdateComponentInput } from './component.inputs.js';
import { createComponent, deleteComponent, updateComponent } from './component.service.js';
import { DeletionPayload, ChangePayload } from './component-change.payload.js';
import type { FieldReader } from '../records/field-reader.js';
import type { Writer } from '../records/writer.js';

@ObjectType({ description: 'A created or updated component, and everything that the write changed.' })
export class ComponentPayload extends ChangePayload {
  @ReadField(() => Component, 'The component, after the change.')
  component(@InjectReader() read: FieldReader) {
    return read.one(pageRecordPath(this.change.pageId, Component, this.change.recordId));
  }
}

@ObjectType({ description: 'A deleted component, and everything that the deletion changed.' })
class DeleteComponentPayload extends DeletionPayload {
  protected readonly record = Component;
}

const RecordResolver = createRecordResolver(Component, {
  access: 'page',
  listAccess: 'public',
  one: 'Returns a component of a page.',
  list: 'Lists the components of a page, flat, by position.',
  filter: ComponentFilter,
  orderBy: ['id', 'name', 'position', 'createdAt', 'updatedAt'],
});

@Resolver()
export class ComponentResolver extends RecordResolver {
  @WriteMutation(() => ComponentPayload, 'owner', 'Creates a component. A page has 5,000 at most.')
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

  @WriteMutation(() => DeleteComponentPayload, 'owner', 'Deletes a component. Its children move up to its parent.')
  async deleteComponent(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeleteComponentPayload(await deleteComponent(write, pageId, id, versions));
  }
}
