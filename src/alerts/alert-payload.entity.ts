import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../core/node.entity.js';
import { Timestamp } from '../core/scalars.js';
import { TimestampColumn } from '../core/timestamped.entity.js';
import { NullableField } from '../graphql/nullable-field.js';
import { registerEnum } from '../graphql/enum.js';
import { Page } from '../pages/page.entity.js';
import { defineRules } from '../records/record-rules.js';
import { AlertSource } from './alert-source.entity.js';
import { allFormats, type FormatName } from './formats/registry.js';

const AlertFormats = registerEnum(
  'AlertFormat',
  Object.fromEntries(Object.entries(allFormats).map(([name, { description }]) => [name, description])) as Record<
    FormatName,
    string
  >,
  'The format of a payload.',
);

@ObjectType({ implements: Node, description: 'A request that a source has received.' })
@Index({ name: 'alert_payload_page_id_id_index', properties: ['page', 'id'] })
@Index({ name: 'alert_payload_received_at_index', properties: ['receivedAt'] })
@Index({ name: 'alert_payload_source_id_id_index', properties: ['source', 'id'] })
@Entity({ tableName: 'alert_payload' })
export class AlertPayload {
  static readonly rules = defineRules<AlertPayload>({
    recordName: 'alert payload',
    order: [{ field: 'id', direction: 'desc' }],
  });

  @Field(() => ID, { description: 'Unique among all requests of all sources; a later one is greater.' })
  @PrimaryKey({ type: 'bigint' })
  id!: string;

  @Field(() => Page, { description: 'The page it belongs to.' })
  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Field(() => AlertSource, { description: 'The source.' })
  @ManyToOne(() => AlertSource, { deleteRule: 'cascade', updateRule: 'no action' })
  source!: AlertSource;

  @Field(() => ID, { description: 'The id of the source.' })
  @Property({ type: 'integer', persist: false, fieldName: 'source_id' })
  sourceId!: number;

  @Field(() => Timestamp, { description: 'When it was received.' })
  @TimestampColumn()
  receivedAt!: Date;

  @NullableField(() => AlertFormats, 'Its format. Null: none of them.')
  @Property({ type: 'text', nullable: true })
  format: FormatName | null = null;

  @Field(() => Int, { description: 'The number of its alerts.' })
  @Property({ type: 'integer' })
  alertCount!: number;

  @Field(() => String, { description: 'Its body, as it was sent.' })
  @Property({ type: 'text' })
  body!: string;

  @NullableField(() => String, 'Why it was refused. Null: it was not.')
  @Property({ type: 'text', nullable: true, fieldName: 'error' })
  failure: string | null = null;
}
