import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { RunQuery } from '../db/prepared-statements.js';
import { defineRules } from '../records/record-rules.js';
import { TypicalSize } from '../graphql/connection-field.js';
import { InverseCollection } from '../records/inverse-relation.js';
import { Channels } from './channels/channel.enums.js';
import type { ChannelName } from './channels/registry.js';
import { pageRecipientsSql, subscriberRecipientsSql } from './delivery/audience.js';
import { skipReasons } from './delivery/delivery.states.js';
import { Publication } from './publication.entity.js';

/** The recipients of publications whose deliveries have not all been created: those that the fan-out would find now. */
const expectedSql = `
  select publication_id, channel, 1 as "count", notified_earlier::integer from (
    ${subscriberRecipientsSql('subscriber s')} union all ${pageRecipientsSql}
  ) recipients where reason is null`;

const audienceSql = `
  with pub as not materialized (select * from publication where fanned_out_at is null)
  select publication_id, channel, sum("count")::integer as "count", sum(notified_earlier)::integer as notified_earlier
  from (
    ${expectedSql} union all
    select d.publication_id, d.channel, 1, d.notified_earlier::integer
    from delivery d join publication done on done.id = d.publication_id
    where done.fanned_out_at is not null and d.reason is distinct from '${skipReasons.suspended}' union all
    select publication_id, channel, "count", 0 from deleted_delivery_count where reason <> '${skipReasons.suspended}'
  ) recipients group by publication_id, channel`;

/** A view, not a table: counted when it is queried. */
@ObjectType({ description: 'The number of recipients of a publication on one channel.' })
@Entity({ expression: audienceSql })
export class PublicationAudience {
  static readonly rules = defineRules<PublicationAudience>({
    key: 'publication',
    order: [{ field: 'channel', direction: 'asc' }],
  });

  @ManyToOne(() => Publication)
  @InverseCollection(
    Publication,
    'audience',
    TypicalSize(5),
    Field(() => [PublicationAudience], {
      description: 'The number of its recipients, by channel; those expected, until all deliveries have been created.',
    }),
  )
  publication!: Publication;

  @Field(() => Channels, { description: 'The channel.' })
  @Property({ type: 'text' })
  channel!: ChannelName;

  @Field(() => Int, { description: 'The number of recipients.' })
  @Property({ type: 'integer' })
  count!: number;

  @Field(() => Int, {
    description:
      'How many of them chose none of the components that the notice named, and were notified because an earlier ' +
      'message of the notice was sent to them. Deliveries that were deleted since do not count.',
  })
  @Property({ type: 'integer', fieldName: 'notified_earlier' })
  notifiedEarlierCount!: number;
}

/** The same of one publication. */
export const loadPublicationAudience = (
  run: RunQuery,
  publicationId: number,
): Promise<Pick<PublicationAudience, 'channel' | 'count' | 'notifiedEarlierCount'>[]> =>
  run(
    `select channel, "count", notified_earlier as "notifiedEarlierCount" from (${audienceSql}) audience
     where publication_id = $1 order by channel`,
    [publicationId],
  );
