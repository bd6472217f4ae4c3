import type { Opt } from '@mikro-orm/core';
import { Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, InterfaceType } from 'type-graphql';
import { Timestamp } from '../graphql/scalars.js';

/** Three decimals: a value that a client read back matches with `eq`. */
export const TimestampColumn = (options: { nullable?: boolean } = {}) =>
  Property({ type: 'timestamptz', length: 3, ...options });

@InterfaceType('Record', { description: 'What every stored record tells of itself.' })
export abstract class Stamped {
  @Field(() => Timestamp, { description: "When the record was made, by the database's clock." })
  @TimestampColumn()
  createdAt!: Date;

  @Field(() => Timestamp, { description: 'When the record itself was last written.' })
  @TimestampColumn()
  updatedAt!: Date;

  @Field(() => Int, {
    description:
      'Moves with every write to the record itself. Send it back as `ifVersion` to refuse a write over a change you have not seen.',
  })
  @Property({ type: 'integer', default: 1 })
  version: Opt<number> = 1;
}
