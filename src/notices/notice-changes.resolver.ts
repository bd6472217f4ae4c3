import { Field, ObjectType, Resolver, Root } from 'type-graphql';
import {
  AfterArg,
  type ChangeEvent,
  ChangeSubscription,
  cursorDescription,
  parseRecordId,
} from '../graphql/change-subscription.js';
import { IdArg, InjectReader, ReadField } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import type { FieldReader } from '../records/field-reader.js';
import { Notice } from './notice.entity.js';

@ObjectType({ description: 'The state of a notice after it changed.' })
class NoticeChangeEvent {
  constructor(
    private readonly pageId: string,
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
    'public',
    'A notice whenever its `version` has moved: it or one of its updates changed. The states of its components are no ' +
      'part of that; `pageChanged` follows them.',
    {
      cursorSql: 'select version::text as cursor from notice where page_id = $1 and id = $2',
      parameters: ({ pageId, id }) => [pageId, parseRecordId(id)],
      pageId: ({ pageId }) => pageId as string,
    },
  )
  noticeChanged(
    @IdArg('pageId') pageId: string,
    @IdArg('id') id: string,
    @AfterArg() _after: string | null,
    @Root() { cursor }: ChangeEvent,
  ): NoticeChangeEvent {
    return new NoticeChangeEvent(pageId, id, cursor);
  }
}
