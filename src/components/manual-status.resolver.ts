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
import { SetComponentStatusInput } from './manual-status.inputs.js';
import { setComponentStatus } from './manual-status.service.js';

@Resolver()
export class ManualStatusResolver {
  @WriteMutation(
    () => ComponentPayload,
    'publisher',
    'Sets the status of a component, in place of the one that follows from notices, until `clearComponentStatus`. ' +
      'Notifies nobody.',
    { urgent: true },
  )
  async setComponentStatus(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetComponentStatusInput) input: SetComponentStatusInput,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentPayload(await setComponentStatus(write, pageId, id, versions, input));
  }

  @WriteMutation(
    () => ComponentPayload,
    'publisher',
    'Clears the manual status of a component, whose status follows from notices again. Notifies nobody.',
    { urgent: true },
  )
  async clearComponentStatus(
    @ParentIdArg('pageId', Page, Component) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new ComponentPayload(await setComponentStatus(write, pageId, id, versions, null));
  }
}
