import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Resolver } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import type { Context } from '../../graphql/context.js';
import {
  ComputedQuery,
  IdArg,
  IfVersionArg,
  InjectWriter,
  InputArg,
  ParentIdArg,
  PreviewHashArg,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { createFilterType } from '../../graphql/filters.js';
import { findSelectedParts, PublicationPreview } from '../../notifications/preview/preview.fields.js';
import { previewWrite } from '../../notifications/preview/preview.service.js';
import { Page } from '../../pages/page.entity.js';
import { createRecordResolver } from '../../pages/page-record.resolver.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { Recurrence } from './recurrence.entity.js';
import {
  MoveOccurrenceInput,
  RecurrenceInput,
  SkipOccurrenceInput,
  UpdateRecurrenceInput,
} from './recurrence.inputs.js';
import {
  NextOccurrences,
  OccurrencePayload,
  RecurrencePayload,
  UpcomingOccurrences,
  UpdateRecurrencePayload,
} from './recurrence.payload.js';
import { endRecurrence, moveOccurrence, skipOccurrence } from './recurrence.service.js';
import { listUpcoming, previewOccurrences } from './upcoming-occurrences.js';
import { saveRecurrence, updateRecurrence } from './update-recurrence.js';

const RecordResolver = createRecordResolver(Recurrence, {
  access: 'viewer',
  one: 'A maintenance that repeats.',
  list: 'The maintenance of a page that repeats, in the order of creation.',
  filter: createFilterType(Recurrence, { except: ['componentIds', 'plannedNoticeIds', 'timezone', 'windows'] }),
  orderBy: ['id', 'createdAt', 'updatedAt'],
});

@Resolver()
export class RecurrenceResolver extends RecordResolver {
  @ComputedQuery(() => NextOccurrences, 'viewer', 'The first three occurrences of a rule.', 100)
  async nextOccurrences(
    @IdArg('pageId') pageId: string,
    @InputArg(() => RecurrenceInput, 'The rule.') input: RecurrenceInput,
    @Arg('beginsAt', () => Timestamp, { description: 'The start of the first window.' }) beginsAt: Date,
    @Arg('endsAt', () => Timestamp, {
      nullable: true,
      description: 'Its end. With it, `clockChanges` names those that end at another time of day.',
    })
    endsAt: Date | null,
    @InjectWriter() write: Writer,
  ) {
    return new NextOccurrences(await previewOccurrences(write, pageId, input, { beginsAt, endsAt }));
  }

  @ComputedQuery(() => UpcomingOccurrences, 'viewer', 'The next occurrences of a recurrence.', 100)
  async upcomingOccurrences(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @InjectWriter() write: Writer,
  ) {
    return new UpcomingOccurrences(await listUpcoming(write, pageId, id));
  }

  @ComputedQuery(
    () => PublicationPreview,
    'publisher',
    'The publication that `updateRecurrence` would cause, with the next dates that its message names. Saves nothing ' +
      'and notifies nobody.',
    10_000,
  )
  async previewRecurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @InputArg(() => UpdateRecurrenceInput, 'The change to preview. It counts as one to be published.')
    input: UpdateRecurrenceInput,
    @Ctx() { write, services }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const change = { ...input, shouldPublish: true };
    const makeChange = async (unit: Unit) => (await saveRecurrence(unit, pageId, id, undefined, change)).saved;
    const parts = findSelectedParts(info);
    return new PublicationPreview(await previewWrite(write, services.preview, pageId, makeChange, parts));
  }

  @WriteMutation(
    () => UpdateRecurrencePayload,
    'publisher',
    'Changes all occurrences that are still to begin: later ones, and the notices that are planned. A new rule moves ' +
      'these to its next occurrences, in their order. A start that was skipped stays so if the new rule has it, too, ' +
      'unless it is the new `beginsAt`. To change one, use `updateNotice`.',
    { urgent: true },
  )
  async updateRecurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateRecurrenceInput) input: UpdateRecurrenceInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new UpdateRecurrencePayload(await updateRecurrence(write, pageId, id, versions, input, previewHash));
  }

  @WriteMutation(
    () => OccurrencePayload,
    'publisher',
    'Leaves out one occurrence. Its notice is cancelled, if it is planned already. With `shouldPublish`, a date that ' +
      'a message about the series named becomes a notice for the message that it is cancelled.',
    { urgent: true },
  )
  async skipOccurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SkipOccurrenceInput, 'The occurrence.') { occursAt, shouldPublish }: SkipOccurrenceInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    const confirmation = { shouldPublish, previewHash };
    return new OccurrencePayload(await skipOccurrence(write, pageId, id, versions, occursAt, confirmation));
  }

  @WriteMutation(
    () => OccurrencePayload,
    'publisher',
    'Moves one occurrence. One that is no notice yet becomes one now, so that people learn of the unusual time.',
    { urgent: true },
  )
  async moveOccurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => MoveOccurrenceInput) input: MoveOccurrenceInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new OccurrencePayload(await moveOccurrence(write, pageId, id, versions, input, previewHash));
  }

  @WriteMutation(
    () => RecurrencePayload,
    'publisher',
    'Ends a maintenance that repeats. Its planned notices stay; `advanceNotice` cancels each.',
    { urgent: true },
  )
  async endRecurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    await endRecurrence(write, pageId, id, versions);
    return new RecurrencePayload(pageId, id);
  }
}
