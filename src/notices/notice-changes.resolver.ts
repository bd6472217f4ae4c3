import { Field, ObjectType, Resolver, Root } from 'type-graphql';
import {
  AfterArg,
  type ChangeEvent,
  ChangeSubscription,
  cursorDescription,
  parseRecordId,
  requireCursor,
} from '../graphql/change-subscription.js';
import { IdArg, InjectReader, OptionalIdArg, ReadField } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import type { FieldReader } from '../records/field-reader.js';
import { Notice } from './notice.entity.js';

@ObjectType({ description: 'The state of a notice after it changed.' })
class NoticeChangeEvent {
  constructor(
    private readonly pageId: string | null,
    private readonly id: string,
    cursor: string,
  ) {
    this.cursor = cursor;
  }

  @Field(() => String, { description: cursorDescription })
  cursor: string;

  @ReadField(() => Notice, 'The notice as it is now.')
  notice(@InjectReader() read: FieldReader) {
    return read.one([
      [Page, this.pageId],
      [Notice, this.id],
    ]);
  }
}

@Resolver()
export class NoticeChangesResolver {
  @ChangeSubscription(
    () => NoticeChangeEvent,
    'page',
    'A notice whenever its `version` has moved: it or one of its updates changed. The states of its components are no ' +
      'part of that; `pageChanged` follows them.',
    {
      cursorSql:
        'select version::text as cursor, page_id as "pageId" from notice where id = $2 and ($1::text is null or page_id = $1)',
      parameters: ({ pageId, id }) => [pageId ?? null, parseRecordId(id)],
    },
  )
  noticeChanged(
    @OptionalIdArg('pageId') pageId: string | null,
    @IdArg('id') id: string,
    @AfterArg() _after: string | null,
    @Root() event: ChangeEvent,
  ): NoticeChangeEvent {
    return new NoticeChangeEvent(pageId, id, requireCursor(event, 'notice'));
  }
}
