import { Ctx, Field, ObjectType, Resolver } from 'type-graphql';
import { parsePublicUrl, type Settings } from '../core/config.js';
import type { Context } from '../graphql/context.js';
import { IdArg, IfVersionArg, InputArg, ParentIdArg, WriteMutation } from '../graphql/field-decorators.js';
import { createFilterType } from '../graphql/filters.js';
import { Page } from '../pages/page.entity.js';
import { createRecordPayload } from '../pages/page-change.payload.js';
import { createRecordResolver } from '../pages/page-record.resolver.js';
import { AlertSource } from './alert-source.entity.js';
import { CreateAlertSourceInput, UpdateAlertSourceInput } from './alert-source.inputs.js';
import {
  createAlertSource,
  deleteAlertSource,
  type IssuedToken,
  rotateAlertSourceUrl,
  updateAlertSource,
} from './alert-source.service.js';

@ObjectType({ description: 'A source that was changed.' })
class AlertSourcePayload extends createRecordPayload(AlertSource, 'The source, after the change.') {}

@ObjectType({ description: 'A source with another address.' })
class AlertSourceUrlPayload extends AlertSourcePayload {
  constructor(pageId: string, { id, token }: IssuedToken, settings: Settings) {
    super(pageId, id);
    this.hookUrl = `${parsePublicUrl(settings).origin}/hooks/${token}`;
  }

  @Field(() => String, { description: 'Where the sender posts its alerts. It is a secret, and cannot be read again.' })
  hookUrl: string;
}

const RecordResolver = createRecordResolver(
  AlertSource,
  {
    access: 'publisher',
    one: 'A source of alerts.',
    list: 'The sources of alerts of a page, in the order of creation.',
    filter: createFilterType(AlertSource, { except: ['rules', 'fields'] }),
    orderBy: ['id', 'name', 'createdAt', 'updatedAt'],
  },
  {
    access: 'owner',
    payload: AlertSourcePayload,
    update: { description: 'Updates a source.', input: UpdateAlertSourceInput, run: updateAlertSource },
    delete: {
      description: 'Deletes a source with its requests. Drafts and notices stay.',
      run: deleteAlertSource,
    },
  },
);

@Resolver()
export class AlertSourceResolver extends RecordResolver {
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

  @WriteMutation(
    () => AlertSourceUrlPayload,
    'owner',
    'Gives a source another address, in this response only, so the request takes no Idempotency-Key. The address ' +
      'before ends at once.',
    { isSecret: true },
  )
  async rotateAlertSourceUrl(
    @ParentIdArg('pageId', Page, AlertSource) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @Ctx() { write, settings }: Context,
  ) {
    return new AlertSourceUrlPayload(
      pageId,
      await rotateAlertSourceUrl(write, settings, pageId, id, versions),
      settings,
    );
  }
}
