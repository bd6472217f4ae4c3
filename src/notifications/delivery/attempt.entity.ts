import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Order } from '../../records/select-sql.js';
import { TimestampColumn } from '../../db/timestamped.entity.js';
import { enumeration } from '../../graphql/enum.js';
import { Timestamp } from '../../graphql/scalars.js';
import { Delivery } from './delivery.entity.js';

export const attemptOutcomes = ['sent', 'failed', 'refused', 'lost'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

const AttemptOutcomes = enumeration(
  'AttemptOutcome',
  {
    sent: 'The other side took it.',
    failed: 'It did not go, and may go another time.',
    refused: 'It will never go.',
    lost: 'The worker was gone before it could say.',
  } satisfies Record<AttemptOutcome, string>,
  'What became of an attempt.',
);

@ObjectType({ description: 'One time that a delivery was tried.' })
@Entity({ tableName: 'attempt' })
export class Attempt {
  static readonly word = 'delivery';

  static readonly order: Order = [{ field: 'id', direction: 'asc' }];

  @Field(() => ID, { description: 'Unique among all attempts.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Index()
  @ManyToOne(() => Delivery, { deleteRule: 'cascade', updateRule: 'no action' })
  delivery!: Delivery;

  @Field(() => Timestamp, { description: 'When its outcome was known.' })
  @TimestampColumn()
  at!: Date;

  @Field(() => AttemptOutcomes, { description: 'What became of it.' })
  @Property({ type: 'text' })
  outcome!: AttemptOutcome;

  @Field(() => String, { description: 'What the other side said, or what kept it from being reached.' })
  @Property({ type: 'text' })
  answer!: string;
}
