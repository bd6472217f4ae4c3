import { Resolver } from 'type-graphql';
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
import { Component } from './component.entity.js';
import { ComponentPayload } from './component.resolver.js';
import { SetComponentStateInput } from './manual-state.inputs.js';
import { setComponentState } from './manual-state.service.js';

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
}
