import { Args, Ctx, Field, ObjectType, Resolver } from 'type-graphql';
import { parsePublicUrl, type Settings } from '../core/config.js';
import type { Context } from '../graphql/context.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
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
import { createFilterType } from '../graphql/filters.js';
import { DeletedRecord, PageChangePayload } from '../pages/page-change.payload.js';
import { Page } from '../pages/page.entity.js';
import type { FieldReader } from '../records/field-reader.js';
import type { ListArguments } from '../records/list-arguments.js';
import type { Writer } from '../records/writer.js';
import { AlertSource } from './alert-source.entity.js';
import { CreateAlertSourceInput, UpdateAlertSourceInput } from './alert-source.inputs.js';
import {
  createAlertSource,
  deleteAlertSource,
  type IssuedToken,
  rotateAlertSource,
  sourcePath,
  updateAlertSource,
} from './alert-source.service.js';

const AlertSourceConnection = createConnectionType(AlertSource);
const AlertSourceArguments = createListArguments(
  AlertSource,
  createFilterType(AlertSource, { except: ['rules', 'fields'] }),
  ['id', 'name'],
);
@ObjectType({ description: 'A source that was changed.' })
class AlertSourcePayload extends PageChangePayload {
  constructor(
    pageId: string,
    private readonly id: string | number,
  ) {
    super(pageId);
  }

  @ReadField(() => AlertSource, 'The source, after the change.')
  alertSource(@InjectReader() read: FieldReader) {
    return read.one(sourcePath(this.pageId, String(this.id)));
  }
}

@ObjectType({ description: 'A source with another address.' })
class AlertSourceUrlPayload extends AlertSourcePayload {
  constructor(pageId: string, { id, token }: IssuedToken, settings: Settings) {
    super(pageId, id);
    this.hookUrl = `${parsePublicUrl(settings).origin}/hooks/${token}`;
  }

  @Field(() => String, { description: 'Where the sender posts its alerts. It is a secret, and cannot be read again.' })
  hookUrl: string;
}

@Resolver()
export class AlertSourceResolver {
  @ReadQuery(() => AlertSource, 'publisher', 'A source of alerts.')
  alertSource(
    @OptionalIdArg('pageId') pageId: string | null,
    @IdArg('id') id: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.one(sourcePath(pageId, id));
  }

  @ReadQuery(() => AlertSourceConnection, 'publisher', 'The sources of alerts of a page, in the order of creation.')
  alertSources(
    @IdArg('pageId') pageId: string,
    @Args(() => AlertSourceArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], AlertSource, list);
  }

  @WriteMutation(
    () => AlertSourceUrlPayload,
    'owner',
    'Creates a source. Its address is in this response only, so the request takes no Idempotency-Key.',
    { isSecret: true },
  )
  async createAlertSource(
    @IdArg('pageId') pageId: string,
    @InputArg(() => CreateAlertSourceInput) input: CreateAlertSourceInput,
    @Ctx() { write, settings }: Context,
  ) {
    const issued = await createAlertSource(write, settings, pageId, input);
    return new AlertSourceUrlPayload(pageId, issued, settings);
  }

  @WriteMutation(() => AlertSourcePayload, 'owner', 'Updates a source.')
  async updateAlertSource(
    @ParentIdArg('pageId', Page, AlertSource) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateAlertSourceInput) input: UpdateAlertSourceInput,
    @Ctx() { write, settings }: Context,
  ) {
    await updateAlertSource(write, settings, pageId, id, versions, input);
    return new AlertSourcePayload(pageId, id);
  }

  @WriteMutation(
    () => AlertSourceUrlPayload,
    'owner',
    'Gives a source another address, in this response only, so the request takes no Idempotency-Key. The address ' +
      'before ends at once.',
    { isSecret: true },
  )
  async rotateAlertSource(
    @ParentIdArg('pageId', Page, AlertSource) pageId: string,
    @IdArg('id') id: string,
    @Ctx() { write, settings }: Context,
  ) {
    return new AlertSourceUrlPayload(pageId, await rotateAlertSource(write, settings, pageId, id), settings);
  }

  @WriteMutation(() => DeletedRecord, 'owner', 'Deletes a source with its requests. Drafts and notices stay.')
  async deleteAlertSource(
    @ParentIdArg('pageId', Page, AlertSource) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeletedRecord(pageId, AlertSource, await deleteAlertSource(write, pageId, id, versions));
  }
}
