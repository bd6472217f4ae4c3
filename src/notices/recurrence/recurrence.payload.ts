import { Field, ID, ObjectType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { ReferenceField } from '../../graphql/entity-field-decorators.js';
import { Timestamp } from '../../core/scalars.js';
import { InjectReader, ReadField } from '../../graphql/field-decorators.js';
import { PublishingPayload } from '../../notifications/publishing.payload.js';
import { createRecordPayload } from '../../pages/page-change.payload.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { FieldReader } from '../../records/field-reader.js';
import { Notice } from '../notice.entity.js';
import { ClockChangeEffects } from './clock-changes.enums.js';
import type { ClockChange } from './clock-changes.js';
import { Recurrence } from './recurrence.entity.js';
import type { OccurrenceChange } from './recurrence.service.js';
import { type Occurrences, type Upcoming } from './upcoming-occurrences.js';

@ObjectType({ description: 'A maintenance that repeats, after a change.' })
export class RecurrencePayload extends createRecordPayload(Recurrence, 'The maintenance that repeats.') {}

@ObjectType({ description: 'One occurrence of a maintenance that repeats, after a change.' })
export class OccurrencePayload extends PublishingPayload {
  constructor(private readonly change: OccurrenceChange) {
    super(change.pageId, change.saved?.outcome ?? { reason: 'unpublished' }, change.saved?.recordId ?? null);
  }

  @ReadField(() => Recurrence, 'The maintenance that repeats.')
  recurrence(@InjectReader() read: FieldReader) {
    return read.one(pageRecordPath(this.change.pageId, Recurrence, this.change.recurrenceId));
  }

  @ReadField(
    () => Notice,
    'The notice that was changed; of several the first, or that which was published. Null: none was.',
    {
      nullable: true,
    },
  )
  notice(@InjectReader() read: FieldReader) {
    const { pageId, saved } = this.change;
    return saved && read.one(pageRecordPath(pageId, Notice, saved.recordId));
  }
}

@ObjectType({
  description: 'The maintenance that repeats, after a change, and the first of its notices that was changed.',
})
export class UpdateRecurrencePayload extends OccurrencePayload {}

@ObjectType('ClockChange', { description: 'What a change of the clock does to an occurrence of a rule.' })
class ClockChangeType implements ClockChange {
  @Field(() => String, { description: 'The day by the clock of the time zone, such as `2027-03-28`.' })
  date!: string;

  @Field(() => ClockChangeEffects as never, { description: 'What it does.' })
  effect!: ClockChange['effect'];

  @Field(() => String, { description: 'What it does, in English, with the times by that clock.' })
  description!: string;
}

@ObjectType({ description: 'What a rule would lead to. Nothing was stored.' })
export class NextOccurrences {
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

  @NullableField(() => ID, 'The id of its notice. Null: it has none yet.')
  noticeId!: number | null;

  @ReferenceField(() => Notice, 'noticeId', { description: 'Its notice. Null: it has none yet, or it is deleted.' })
  notice?: Notice | null;
}

@ObjectType({ description: 'When a maintenance that repeats is next.' })
export class UpcomingOccurrences {
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
  occurrences: Upcoming['occurrences'];

  @Field(() => [ClockChangeType], {
    description: 'What changes of the clock do to occurrences of the rule within 13 months, in their order.',
  })
  clockChanges: ClockChange[];
}
