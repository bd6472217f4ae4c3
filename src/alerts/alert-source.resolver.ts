import { Arg, Args, Ctx, Field, ID, ObjectType, Resolver } from 'type-graphql';
import { parsePublicUrl, type Settings } from '../core/config.js';
import { Timestamp } from '../core/scalars.js';
import type { Context } from '../graphql/context.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import {
  ComputedQuery,
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
import { AlertGroup } from './alert-group.entity.js';
import { AlertPayload } from './alert-payload.entity.js';
import { AlertSource } from './alert-source.entity.js';
import {
  AlertActions,
  AlertFieldsInput,
  AlertRuleInput,
  CreateAlertSourceInput,
  UpdateAlertSourceInput,
} from './alert-source.inputs.js';
import {
  createAlertSource,
  deleteAlertSource,
  type IssuedToken,
  rotateAlertSource,
  sourcePath,
  updateAlertSource,
} from './alert-source.service.js';
import type { AlertAction } from './alert.rules.js';
import { type TriedAlert, tryRules } from './try-rules.js';

const AlertSourceConnection = createConnectionType(AlertSource);
const AlertSourceArguments = createListArguments(
  AlertSource,
  createFilterType(AlertSource, { except: ['rules', 'fields'] }),
  ['id', 'name'],
);
const AlertPayloadConnection = createConnectionType(AlertPayload);
const AlertPayloadArguments = createListArguments(AlertPayload, createFilterType(AlertPayload, { except: ['body'] }), [
  'id',
  'receivedAt',
]);
const AlertGroupConnection = createConnectionType(AlertGroup);
const AlertGroupArguments = createListArguments(
  AlertGroup,
  createFilterType(AlertGroup, { except: ['firingCount', 'draftId'] }),
  ['id', 'beganAt', 'lastAt'],
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

@ObjectType({ description: 'What would be made of an alert.' })
class AlertTrial implements TriedAlert {
  @Field(() => String, { description: 'Its title.' })
  title!: string;

  @Field(() => String, { description: 'Its text, as Markdown; may be empty.' })
  text!: string;

  @Field(() => String, { description: 'What it has in common with the alerts of the same draft.' })
  group!: string;

  @Field(() => Timestamp, { nullable: true, description: 'When it began. Null: its sender does not say.' })
  startsAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether it is not over.' })
  isFiring!: boolean;

  @Field(() => String, { description: 'The service that it is about; empty where its sender does not say.' })
  service!: string;

  @Field(() => [String], { description: 'Its labels, each as `name=value`.' })
  labels!: string[];

  @Field(() => AlertActions as never, { description: 'What would be made of it.' })
  action!: AlertAction;

  @Field(() => [ID], { description: 'The components that the notice would name.' })
  componentIds!: readonly string[];

  @Field(() => ID, { nullable: true, description: 'The template of the notice. Null: none.' })
  templateId!: string | null;
}

@ObjectType({ description: 'What the rules would make of the latest request of a source. Nothing was stored.' })
class AlertTrialPayload {
  constructor(alerts: TriedAlert[]) {
    this.alerts = alerts;
  }

  @Field(() => [AlertTrial], { description: 'What would be made of each of its alerts.' })
  alerts!: TriedAlert[];
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

  @ReadQuery(
    () => AlertPayloadConnection,
    'publisher',
    'The requests that the sources of a page have received, latest first: 200 of each source at most, for 7 days.',
  )
  alertPayloads(
    @IdArg('pageId') pageId: string,
    @Args(() => AlertPayloadArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], AlertPayload, list);
  }

  @ReadQuery(
    () => AlertGroupConnection,
    'publisher',
    'The groups of alerts that the sources of a page have received within 7 days, latest first.',
  )
  alertGroups(
    @IdArg('pageId') pageId: string,
    @Args(() => AlertGroupArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], AlertGroup, list);
  }

  @ComputedQuery(
    () => AlertTrialPayload,
    'publisher',
    'What rules would make of the latest request of an alert source. It stores nothing.',
    100,
  )
  async tryAlertRules(
    @IdArg('pageId') pageId: string,
    @IdArg('id') id: string,
    @Arg('rules', () => [AlertRuleInput], { nullable: true, description: 'The rules. Null: those of the source.' })
    rules: AlertRuleInput[] | null | undefined,
    @Arg('fields', () => AlertFieldsInput, {
      nullable: true,
      description: 'The field paths. Null: those of the source. With paths, the latest request may be a refused one.',
    })
    fields: AlertFieldsInput | null | undefined,
    @Ctx() { write }: Context,
  ) {
    return new AlertTrialPayload(await tryRules(write, pageId, id, { rules: rules ?? null, fields: fields ?? null }));
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
    'Gives a source another address, in this response only. The address before ends at once.',
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
