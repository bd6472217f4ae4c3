import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { defineRules } from '../../records/record-rules.js';
import { TypicalSize } from '../../graphql/connection-field.js';
import { InverseCollection } from '../../records/inverse-relation.js';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { registerEnum } from '../../graphql/enum.js';
import { Timestamp } from '../../core/scalars.js';
import { Delivery } from './delivery.entity.js';

const attemptOutcomes = ['sent', 'failed', 'deferred', 'refused', 'lost', 'bounced', 'complained'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

const AttemptOutcomes = registerEnum(
  'AttemptOutcome',
  {
    sent: 'Accepted by the recipient server or provider.',
    failed: 'Failed for now; another attempt may succeed.',
    deferred:
      'Refused for a reason of the sender or the server, such as a quota, a rate limit or a relay that is denied. ' +
      'It does not count in `attemptCount`; the channel pauses, and tries again until the retries end.',
    refused: 'Refused for good.',
    lost: 'Unknown: the worker stopped before it recorded the outcome.',
    bounced: 'Reported as undeliverable after the mail server had accepted it.',
    complained: 'The recipient called it spam, or unsubscribed at the provider of the mail server.',
  } satisfies Record<AttemptOutcome, string>,
  'The outcome of an attempt.',
);

@ObjectType({ description: 'One attempt to send a delivery.' })
@Index({ name: 'attempt_delivery_id_index', properties: ['delivery'] })
@Entity({ tableName: 'attempt' })
export class Attempt {
  static readonly rules = defineRules<Attempt>({
    recordName: 'delivery',
    order: [{ field: 'id', direction: 'asc' }],
  });

  @Field(() => ID, { description: 'Unique among all attempts.' })
  @PrimaryKey({ type: 'bigint', runtimeType: 'string' })
  id!: string;

  @ManyToOne(() => Delivery, { deleteRule: 'cascade', updateRule: 'no action' })
  @InverseCollection(
    Delivery,
    'attempts',
    TypicalSize(5),
    Field(() => [Attempt], { description: 'Its attempts, oldest first.' }),
  )
  delivery!: Delivery;

  @Field(() => Timestamp, { description: 'When the outcome was recorded.' })
  @TimestampColumn({ fieldName: 'at' })
  recordedAt!: Date;

  @Field(() => AttemptOutcomes, { description: 'The outcome.' })
  @Property({ type: 'text' })
  outcome!: AttemptOutcome;

  @Field(() => String, { description: 'The response of the recipient server or provider, or the connection error.' })
  @Property({ type: 'text' })
  response!: string;
}
