import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { RequiresAccess } from '../../auth/access.js';
import { type Metadata, metadataDescription } from '../metadata.js';
import { Json, Timestamp } from '../../core/scalars.js';
import { Timestamped } from '../../core/timestamped.entity.js';
import { BelongsToPage } from '../belongs-to-page.entity.js';
import type { Page } from '../page.entity.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';

/** SQL: of the latest bucket of a metric. */
const latest = (id: string, value: string) => `(select ${value} from metric_bucket b
  where b.metric_id = ${id} and b.seconds = 300 order by b.began_at desc limit 1)`;

@ObjectType({ implements: Timestamped, description: 'A number that a page shows over time, such as a response time.' })
@Index({ name: 'metric_page_id_id_index', properties: ['page', 'id'] })
@Entity({ tableName: 'metric' })
export class Metric extends Timestamped {
  static readonly rules = defineRules<Metric>({
    recordName: 'metric',
    isPageContent: true,
    visibleWhere: ({ isShown }, { caller }) => (caller.kind === 'anonymous' ? isShown : undefined),
  });

  @Field(() => ID, { description: 'Unique among all metrics.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @RequiresAccess('page')
  @BelongsToPage(
    'metrics',
    'public',
    () => Metric,
    'The metrics, in the order of creation. Without a token those that the page shows.',
    5,
  )
  page!: Page;

  @Field(() => String, { description: 'Its name.' })
  @Property({ type: 'text' })
  name!: string;

  @NullableField(() => String, 'What is written after its values, such as `ms`. Null: nothing is.')
  @Property({ type: 'text', nullable: true })
  unit: string | null = null;

  @Field(() => String, { description: 'The colour of its line, as `#rrggbb`.' })
  @Property({ type: 'text' })
  color: string = '#3b82f6';

  @Field(() => Int, { description: 'How many decimal places its values are shown with, 0 to 5.' })
  @Property({ type: 'integer' })
  decimalPlaces: number = 0;

  @Field(() => Boolean, { description: 'Whether the page shows it.' })
  @Property({ type: 'boolean', default: true })
  isShown: Opt<boolean> = true;

  @RequiresAccess('viewer')
  @NullableField(() => Json, metadataDescription)
  @Property({ type: 'json', nullable: true })
  metadata: Metadata | null = null;

  @NullableField(() => Float, 'The average of its latest 5 minutes with data. Null: none.')
  @ComputedField<Metric>(({ id }) => latest(id!, 'b.sum / b.count'), 'float8')
  latestValue: number | null = null;

  @NullableField(() => Timestamp, 'When these 5 minutes began. Null: it has no data.')
  @ComputedField<Metric>(({ id }) => latest(id!, 'b.began_at'), 'timestamptz')
  latestValueAt: Date | null = null;
}
