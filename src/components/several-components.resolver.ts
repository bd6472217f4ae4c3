import { Arg, Field, ID, ObjectType, Resolver } from 'type-graphql';
import { IdArg, InjectWriter, InputArg, WriteMutation } from '../graphql/field-decorators.js';
import { createNodeId } from '../records/node-id.js';
import type { Writer } from '../records/writer.js';
import { Component } from './component.entity.js';
import type { ComponentsChange } from './component.service.js';
import { ChangePayload } from './component-change.payload.js';
import { SetComponentStatusInput } from './manual-status.inputs.js';
import { setComponentStatuses } from './manual-status.service.js';
import { deleteComponents, moveComponents } from './several-components.service.js';

@ObjectType({ description: 'Several components, and everything that the write changed.' })
class ComponentsPayload extends ChangePayload<ComponentsChange> {}

@ObjectType({ description: 'Deleted components, and everything that the deletion changed.' })
class DeleteComponentsPayload extends ChangePayload<Awaited<ReturnType<typeof deleteComponents>>> {
  @Field(() => [ID], { description: 'The ids of the deleted components.' })
  get deletedIds(): number[] {
    return this.change.deletedIds;
  }

  @Field(() => [ID], { description: 'Their `nodeId`s, such as for `@deleteRecord` of Relay.' })
  get deletedNodeIds(): string[] {
    return this.change.deletedIds.map(id => createNodeId(Component.name, id));
  }
}

const IdsArg = () => Arg('ids', () => [ID], { description: 'The ids of up to 500 components of the page.' });

/** What is done to several components of a page: to all of them, or to none. */
@Resolver()
export class SeveralComponentsResolver {
  @WriteMutation(
    () => ComponentsPayload,
    'publisher',
    'Sets the status of several components, as `setComponentStatus` does. Notifies nobody.',
    { urgent: true },
  )
  async setComponentStatuses(
    @IdArg('pageId') pageId: string,
    @IdsArg() ids: string[],
    @InputArg(() => SetComponentStatusInput) input: SetComponentStatusInput,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentsPayload(await setComponentStatuses(write, pageId, ids, input));
  }

  @WriteMutation(
    () => ComponentsPayload,
    'publisher',
    'Clears the manual statuses of several components. Notifies nobody.',
    { urgent: true },
  )
  async clearComponentStatuses(
    @IdArg('pageId') pageId: string,
    @IdsArg() ids: string[],
    @InjectWriter() write: Writer,
  ) {
    return new ComponentsPayload(await setComponentStatuses(write, pageId, ids, null));
  }

  @WriteMutation(
    () => ComponentsPayload,
    'publisher',
    'Moves components below another one, or to the root: after those that are there, or before one of them.',
  )
  async moveComponents(
    @IdArg('pageId') pageId: string,
    @IdsArg() ids: string[],
    @Arg('parentId', () => ID, {
      nullable: true,
      description: 'A component of the same page, but none of the moved ones or their descendants. Null: the root.',
    })
    parentId: string | null | undefined,
    @Arg('beforeId', () => ID, {
      nullable: true,
      description:
        'The component before which they are placed: a child of `parentId`, or a root component. Null: they come last.',
    })
    beforeId: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentsPayload(await moveComponents(write, pageId, ids, { parentId, beforeId }));
  }

  @WriteMutation(
    () => DeleteComponentsPayload,
    'owner',
    'Deletes several components. Children that are not deleted, too, move up to the nearest one that stays.',
  )
  async deleteComponents(@IdArg('pageId') pageId: string, @IdsArg() ids: string[], @InjectWriter() write: Writer) {
    return new DeleteComponentsPayload(await deleteComponents(write, pageId, ids));
  }
}
