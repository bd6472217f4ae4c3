import { Arg, Args, Field, ID, ObjectType, Resolver } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import { createConnectionType, createListArguments } from '../../graphql/connection-types.js';
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
} from '../../graphql/field-decorators.js';
import { createFilterType } from '../../graphql/filters.js';
import { PageChangePayload } from '../../pages/page-change.payload.js';
import { Page } from '../../pages/page.entity.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { ListArguments } from '../../records/list-arguments.js';
import type { Writer } from '../../records/writer.js';
import { ClockChangeEffects } from './clock-changes.enums.js';
import type { ClockChange } from './clock-changes.js';
import { Recurrence } from './recurrence.entity.js';
import { MoveOccurrenceInput, RecurrenceInput, UpdateRecurrenceInput } from './recurrence.inputs.js';
import { endRecurrence, moveOccurrence, skipOccurrence, updateRecurrence } from './recurrence.service.js';
import {
  listUpcoming,
  type Occurrences,
  previewOccurrences,
  recurrencePath,
  type Upcoming,
} from './upcoming-occurrences.js';

const RecurrenceConnection = createConnectionType(Recurrence);
const RecurrenceArguments = createListArguments(
  Recurrence,
  createFilterType(Recurrence, { except: ['componentIds', 'plannedNoticeIds', 'windows'] }),
  ['id', 'createdAt'],
);

@ObjectType({ description: 'A maintenance that repeats, after a change.' })
class RecurrencePayload extends PageChangePayload {
  constructor(
    pageId: string,
    private readonly id: string,
  ) {
    super(pageId);
  }

  @ReadField(() => Recurrence, 'The maintenance that repeats.')
  recurrence(@InjectReader() read: FieldReader) {
    return read.one(recurrencePath(this.pageId, this.id));
  }
}

@ObjectType('ClockChange', { description: 'What a change of the clock does to an occurrence of a rule.' })
class ClockChangeType implements ClockChange {
  @Field(() => String, { description: 'The day by the clock of the time zone, such as `2027-03-28`.' })
  date!: string;

  @Field(() => ClockChangeEffects as never, { description: 'What it does.' })
  effect!: ClockChange['effect'];

  @Field(() => String, { description: 'The same in English, with the times by that clock.' })
  description!: string;
}

@ObjectType({ description: 'What a rule would lead to. Nothing was stored.' })
class OccurrencesPayload {
  constructor({ description, beginsAt, clockChanges }: Occurrences) {
    this.description = description;
    this.beginsAt = beginsAt;
    this.clockChanges = clockChanges;
  }

  @Field(() => String, { description: 'The rule in English.' })
  description: string;

  @Field(() => [Timestamp], { description: 'The starts of the first three occurrences, or fewer if it ends before.' })
  beginsAt: Date[];

  @Field(() => [ClockChangeType], {
    description: 'What changes of the clock do to occurrences of the rule within 13 months, in their order.',
  })
  clockChanges: ClockChange[];
}

@ObjectType({ description: 'One occurrence of a maintenance that repeats, which is still to begin.' })
class UpcomingOccurrence {
  @Field(() => Timestamp, { description: 'Its start by the rule.' })
  occursAt!: Date;

  @Field(() => Timestamp, { description: 'Its start: another one if its notice was moved.' })
  beginsAt!: Date;

  @Field(() => Timestamp, { description: 'Its end.' })
  endsAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The id of its notice. Null: it has none yet.' })
  noticeId!: number | null;
}

@ObjectType({ description: 'When a maintenance that repeats is next.' })
class UpcomingOccurrencesPayload {
  constructor({ description, occurrences, clockChanges }: Upcoming) {
    this.description = description;
    this.occurrences = occurrences;
    this.clockChanges = clockChanges;
  }

  @Field(() => String, { description: 'The rule in English.' })
  description: string;

  @Field(() => [UpcomingOccurrence], {
    description: 'Those that are notices, and up to three that are still to become notices, without what was skipped.',
  })
  occurrences: UpcomingOccurrence[];

  @Field(() => [ClockChangeType], {
    description: 'What changes of the clock do to occurrences of the rule within 13 months, in their order.',
  })
  clockChanges: ClockChange[];
}

@Resolver()
export class RecurrenceResolver {
  @ReadQuery(() => Recurrence, 'viewer', 'A maintenance that repeats.')
  recurrence(
    @OptionalIdArg('pageId') pageId: string | null,
    @IdArg('id') id: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.one(recurrencePath(pageId, id));
  }

  @ReadQuery(() => RecurrenceConnection, 'viewer', 'The maintenance of a page that repeats, in the order of creation.')
  recurrences(
    @IdArg('pageId') pageId: string,
    @Args(() => RecurrenceArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list([[Page, pageId]], Recurrence, list);
  }

  @ComputedQuery(() => OccurrencesPayload, 'viewer', 'The first three occurrences of a rule.', 100)
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
    return new OccurrencesPayload(await previewOccurrences(write, pageId, input, { beginsAt, endsAt }));
  }

  @ComputedQuery(() => UpcomingOccurrencesPayload, 'viewer', 'The next occurrences of a recurrence.', 100)
  async upcomingOccurrences(@IdArg('pageId') pageId: string, @IdArg('id') id: string, @InjectWriter() write: Writer) {
    return new UpcomingOccurrencesPayload(await listUpcoming(write, pageId, id));
  }

  @WriteMutation(
    () => RecurrencePayload,
    'publisher',
    'Changes all occurrences that are still to begin: later ones, and the notices that are planned. A new rule moves ' +
      'these to its next occurrences, in their order, and forgets what was skipped. To change one, use `updateNotice`.',
    { urgent: true },
  )
  async updateRecurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateRecurrenceInput) input: UpdateRecurrenceInput,
    @InjectWriter() write: Writer,
  ) {
    await updateRecurrence(write, pageId, id, versions, input);
    return new RecurrencePayload(pageId, id);
  }

  @WriteMutation(
    () => RecurrencePayload,
    'publisher',
    'Leaves out one occurrence. Its notice is cancelled, if it is planned already.',
    { urgent: true },
  )
  async skipOccurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @Arg('occursAt', () => Timestamp, { description: 'The start of the occurrence by the rule.' }) occursAt: Date,
    @Arg('shouldPublish', () => Boolean, { description: 'Whether to send notifications of a cancelled notice.' })
    shouldPublish: boolean,
    @InjectWriter() write: Writer,
  ) {
    await skipOccurrence(write, pageId, id, occursAt, shouldPublish);
    return new RecurrencePayload(pageId, id);
  }

  @WriteMutation(
    () => RecurrencePayload,
    'publisher',
    'Moves one occurrence. One that is no notice yet becomes one now, so that people learn of the unusual time.',
    { urgent: true },
  )
  async moveOccurrence(
    @ParentIdArg('pageId', Page, Recurrence) pageId: string,
    @IdArg('id') id: string,
    @InputArg(() => MoveOccurrenceInput) input: MoveOccurrenceInput,
    @InjectWriter() write: Writer,
  ) {
    await moveOccurrence(write, pageId, id, input);
    return new RecurrencePayload(pageId, id);
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
