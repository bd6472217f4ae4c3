import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Field, ID, Info, InputType, ObjectType, Resolver } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import { createConnectionType, createListArguments } from '../../graphql/connection-types.js';
import type { Context } from '../../graphql/context.js';
import {
  ComputedQuery,
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  OptionalIdArg,
  ParentIdArg,
  PreviewHashArg,
  ReadQuery,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { createFilterType } from '../../graphql/filters.js';
import { NoticePayload } from '../notice.payload.js';
import { findSelectedParts, PublicationPreview } from '../../notifications/preview/preview.fields.js';
import { NoticeChangeInput } from '../../notifications/preview/preview.inputs.js';
import { previewChange } from '../../notifications/preview/preview.service.js';
import { createRecordPayload, DeleteRecordPayload } from '../../pages/page-change.payload.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { ListArguments } from '../../records/list-arguments.js';
import type { Writer } from '../../records/writer.js';
import { Draft } from './draft.entity.js';
import { deleteDraft, loadDraft, publishDraft, saveDraft } from './draft.service.js';
import { createInputFormat } from './input-format.js';
import { scheduleDraft, unscheduleDraft } from './schedule.service.js';

const DraftConnection = createConnectionType(Draft);
const DraftFilter = createFilterType(Draft, {
  except: ['change', 'subject', 'content'],
});
const DraftArguments = createListArguments(Draft, DraftFilter, ['id', 'createdAt', 'updatedAt'], ['publishAt']);

@InputType({ description: 'How a draft is published.' })
class PublishDraftInput {
  @Field(() => Boolean, { description: 'Whether to send notifications through the channels.' })
  shouldPublish!: boolean;
}

@InputType({ description: 'When a draft is published.' })
class ScheduleDraftInput {
  @Field(() => Timestamp, { description: 'When to publish it: in the future, within 366 days.' })
  publishAt!: Date;
}

@ObjectType({ description: 'A saved draft.' })
class DraftPayload extends createRecordPayload(Draft, 'The draft, after the change.') {}

@Resolver()
export class DraftResolver {
  @ReadQuery(() => Draft, 'drafter', 'A draft.')
  draft(@OptionalIdArg('pageId') pageId: string | null, @IdArg('id') id: string, @InjectReader() read: FieldReader) {
    return read.one(pageRecordPath(pageId, Draft, id));
  }

  @ReadQuery(() => DraftConnection, 'drafter', 'The drafts of a page, or of all pages, newest first.')
  drafts(
    @Arg('pageId', () => ID, {
      nullable: true,
      description: 'The id of the page. Null or absent: all pages on which the caller is a DRAFTER.',
    })
    pageId: string | null | undefined,
    @Args(() => DraftArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list(pageId == null ? [] : [[Page, pageId]], Draft, list);
  }

  @ComputedQuery(
    () => PublicationPreview,
    'drafter',
    'The publication that a draft would cause: `previewPublication` of its input. Its `hash` is what a publisher ' +
      'confirms.',
    10_000,
  )
  async previewDraft(
    @ParentIdArg('pageId', Page, Draft) pageId: string,
    @IdArg('id') id: string,
    @Ctx() { write, services }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const change = await loadDraft(write, createInputFormat(info.schema), pageId, id);
    return new PublicationPreview(
      await previewChange(write, services.preview, pageId, change, findSelectedParts(info)),
    );
  }

  @WriteMutation(
    () => DraftPayload,
    'drafter',
    'Saves a draft: a new one, or in place of the one with this `id`, which is then no longer scheduled. Its input ' +
      'is checked when it is previewed and published.',
    { isForConsole: true },
  )
  async saveDraft(
    @IdArg('pageId') pageId: string,
    @Arg('id', () => ID, { nullable: true, description: 'The draft to replace. Null: a new one.' })
    id: string | null | undefined,
    @IfVersionArg() versions: number[] | undefined,
    @Arg('noticeId', () => ID, { nullable: true, description: 'The notice to change. Null: a new one.' })
    noticeId: string | null | undefined,
    @InputArg(() => NoticeChangeInput, 'The change. Its `shouldPublish` counts for nothing.')
    input: NoticeChangeInput,
    @InjectWriter() write: Writer,
    @Info() { schema }: GraphQLResolveInfo,
  ) {
    return new DraftPayload(
      pageId,
      await saveDraft(write, createInputFormat(schema), pageId, id, versions, { noticeId, input }),
    );
  }

  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Writes the change of a draft, as its mutation would, and deletes the draft.',
    { urgent: true, isForConsole: true },
  )
  async publishDraft(
    @ParentIdArg('pageId', Page, Draft) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => PublishDraftInput, 'How to publish it.') { shouldPublish }: PublishDraftInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
    @Info() { schema }: GraphQLResolveInfo,
  ) {
    const confirmation = { shouldPublish, previewHash };
    return new NoticePayload(await publishDraft(write, createInputFormat(schema), pageId, id, versions, confirmation));
  }

  @WriteMutation(
    () => DraftPayload,
    'publisher',
    'Has a draft published at a time, once and with notifications, unless `unscheduleDraft`, `saveDraft` or ' +
      '`deleteDraft` comes before. If text, states or appearance are not those of the preview then, it is not ' +
      'published and has a `failure`; who is notified is decided then.',
    // Its dry run is a transaction of its own.
    { waits: true, isForConsole: true },
  )
  async scheduleDraft(
    @ParentIdArg('pageId', Page, Draft) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => ScheduleDraftInput, 'When to publish it.') { publishAt }: ScheduleDraftInput,
    @Arg('previewHash', () => String, { description: 'The `hash` of its `previewDraft`, which must be that of now.' })
    previewHash: string,
    @InjectWriter() write: Writer,
    @Info() { schema }: GraphQLResolveInfo,
  ) {
    const schedule = { publishAt, previewHash };
    return new DraftPayload(
      pageId,
      await scheduleDraft(write, createInputFormat(schema), pageId, id, versions, schedule),
    );
  }

  @WriteMutation(() => DraftPayload, 'drafter', 'Cancels the scheduled publication of a draft.', {
    isForConsole: true,
  })
  async unscheduleDraft(
    @ParentIdArg('pageId', Page, Draft) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DraftPayload(pageId, await unscheduleDraft(write, pageId, id, versions));
  }

  @WriteMutation(() => DeleteRecordPayload, 'drafter', 'Deletes a draft.', { isForConsole: true })
  async deleteDraft(
    @ParentIdArg('pageId', Page, Draft) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new DeleteRecordPayload(pageId, Draft, await deleteDraft(write, pageId, id, versions));
  }
}
