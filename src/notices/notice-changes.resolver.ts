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
import { isPrivatePageSql } from '../pages/page-visibility.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import type { FieldReader } from '../records/field-reader.js';
import { Notice } from './notice.entity.js';
import { isOpenToAllSql } from './notice.states.js';

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
    return read.one(pageRecordPath(this.pageId, Notice, this.id));
  }
}

@Resolver()
export class NoticeChangesResolver {
  @ChangeSubscription(
    () => NoticeChangeEvent,
    'page',
    'A notice whenever its `version` has moved: it or one of its updates changed. The states of its components are ' +
      'no part of that; `pageChanged` follows them.',
    {
      // Ids of notices can be counted through: without the page's they lead to public pages alone.
      cursorSql: `
        select n.version::text as cursor, n.page_id as "pageId",
          not (${isPrivatePageSql('p.visibility')}) and ($1::text is not null or p.visibility = 'public')
            and ${isOpenToAllSql({ state: 'n.state', endedAt: 'n.ended_at' })} as "isOpen"
        from notice n join page p on p.id = n.page_id where n.id = $2 and ($1::text is null or n.page_id = $1)`,
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
