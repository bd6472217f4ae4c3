import { Arg, ID, ObjectType, Resolver } from 'type-graphql';
import {
  IdArg,
  IfVersionArg,
  InjectWriter,
  InputArg,
  ParentIdArg,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import type { Writer } from '../records/writer.js';
import { ChangePayload } from './component-change.payload.js';
import { Component } from './component.entity.js';
import { ComponentPayload } from './component.resolver.js';
import type { ComponentsChange } from './component.service.js';
import { SetComponentStateInput } from './manual-state.inputs.js';
import { setComponentState, setComponentStates } from './manual-state.service.js';

@ObjectType({ description: 'Several components, and everything that the write changed.' })
class ComponentsPayload extends ChangePayload<ComponentsChange> {}

const IdsArg = () => Arg('ids', () => [ID], { description: 'The ids of up to 500 components of the page.' });

@Resolver()
export class ManualStateResolver {
  @WriteMutation(
    () => ComponentPayload,
    'publisher',
    'Sets the state of a component, in place of the one that follows from notices, until `clearComponentState`. ' +
      'Notifies nobody.',
    { urgent: true },
  )
  async setComponentState(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetComponentStateInput) input: SetComponentStateInput,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentPayload(await setComponentState(write, pageId, id, versions, input));
  }

  @WriteMutation(
    () => ComponentPayload,
    'publisher',
    'Takes back the manual state of a component, whose state follows from notices again. Notifies nobody.',
    { urgent: true },
  )
  async clearComponentState(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentPayload(await setComponentState(write, pageId, id, versions, null));
  }

  @WriteMutation(
    () => ComponentsPayload,
    'publisher',
    'Sets the state of several components, as `setComponentState` does. Notifies nobody.',
    { urgent: true },
  )
  async setComponentStates(
    @IdArg('pageId') pageId: string,
    @IdsArg() ids: string[],
    @InputArg(() => SetComponentStateInput) input: SetComponentStateInput,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentsPayload(await setComponentStates(write, pageId, ids, input));
  }

  @WriteMutation(
    () => ComponentsPayload,
    'publisher',
    'Takes back the manual states of several components. Notifies nobody.',
    { urgent: true },
  )
  async clearComponentStates(@IdArg('pageId') pageId: string, @IdsArg() ids: string[], @InjectWriter() write: Writer) {
    return new ComponentsPayload(await setComponentStates(write, pageId, ids, null));
  }
}
