import 'reflect-metadata';
import type { Opt } from '@mikro-orm/core';
import { Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, InterfaceType } from 'type-graphql';
import { Node } from './node.entity.js';
import { Timestamp } from './scalars.js';

/** Millisecond precision, so that a value that a client has read matches with `eq`. */
export const TimestampColumn = (options: { nullable?: boolean; fieldName?: string } = {}) =>
  Property({ type: 'timestamptz', length: 3, ...options });

@InterfaceType('Record', { implements: Node, description: 'The fields that every stored record has.' })
export abstract class Timestamped extends Node {
  @Field(() => Timestamp, { description: "When the record was created, by the database's clock." })
  @TimestampColumn()
  createdAt!: Date;

  @Field(() => Timestamp, { description: 'When the record itself was last changed.' })
  @TimestampColumn()
  updatedAt!: Date;

  @Field(() => Int, {
    description:
      'Increases with every change to the record itself. Send it as `ifVersion` to avoid overwriting a change that ' +
      'you have not seen.',
  })
  @Property({ type: 'integer', default: 1 })
  version: Opt<number> = 1;
}
