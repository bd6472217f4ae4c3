import { Field, ObjectType, Resolver, Root } from 'type-graphql';
import {
  AfterArg,
  type ChangeEvent,
  ChangeSubscription,
  cursorDescription,
  parseRecordId,
  requireCursor,
} from '../graphql/change-subscription.js';
import { IdArg, InjectReader, ReadField } from '../graphql/field-decorators.js';
import type { FieldReader } from '../records/field-reader.js';
import { Publication } from './publication.entity.js';

@ObjectType({ description: 'How far the deliveries of a publication are.' })
class PublicationProgressEvent {
  constructor(
    private readonly id: string,
    cursor: string,
  ) {
    this.cursor = cursor;
  }

  @Field(() => String, { description: cursorDescription })
  cursor: string;

  @ReadField(() => Publication, 'The publication as it is now.')
  publication(@InjectReader() read: FieldReader) {
    return read.one([[Publication, this.id]]);
  }
}

/** The ledger announces nothing, since that would cost each delivery: its counts are read while somebody watches. */
const cursorSql = `
  select md5(concat(p.fanned_out_at, p.stopped_at, (
    select string_agg(concat_ws(' ', c.channel, c.state, c.count), ',' order by c.channel, c.state)
    from (
      select channel, state, count(*) from delivery where publication_id = p.id group by channel, state
    ) c))) as cursor, p.page_id as "pageId"
  from publication p where p.id = $1`;

@Resolver()
export class PublicationProgressResolver {
  @ChangeSubscription(
    () => PublicationProgressEvent,
    'viewer',
    'A publication whenever the numbers of its deliveries by channel and state (`counts`) have changed, at most once ' +
      'a second.',
    {
      cursorSql,
      parameters: ({ id }) => [parseRecordId(id)],
      isPolled: true,
    },
  )
  publicationProgress(
    @IdArg('id') id: string,
    @AfterArg() _after: string | null,
    @Root() event: ChangeEvent,
  ): PublicationProgressEvent {
    return new PublicationProgressEvent(id, requireCursor(event, 'publication'));
  }
}
