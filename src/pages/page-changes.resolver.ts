import { Field, ObjectType, Resolver, Root } from 'type-graphql';
import {
  AfterArg,
  type ChangeEvent,
  ChangeSubscription,
  cursorDescription,
  requireCursor,
} from '../graphql/change-subscription.js';
import { IdArg, InjectReader, ReadField } from '../graphql/field-decorators.js';
import type { FieldReader } from '../records/field-reader.js';
import { Page } from './page.entity.js';
import { isPrivatePageSql } from './page-visibility.js';

@ObjectType({ description: 'The state of a page after it changed.' })
class PageChangeEvent {
  constructor(
    private readonly pageId: string,
    cursor: string,
  ) {
    this.cursor = cursor;
  }

  @Field(() => String, { description: cursorDescription })
  cursor: string;

  @ReadField(() => Page, 'The page as it is now.')
  page(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.pageId]]);
  }
}

@Resolver()
export class PageChangesResolver {
  @ChangeSubscription(
    () => PageChangeEvent,
    'page',
    'A page whenever it, or anything on it, has changed: settings, components, notices. Changes that follow each ' +
      'other closely are one event.',
    {
      cursorSql:
        `select change_count::text as cursor, id as "pageId", not (${isPrivatePageSql('visibility')}) as "isOpen" ` +
        'from page where id = $1',
      parameters: ({ pageId }) => [pageId],
    },
  )
  pageChanged(
    @IdArg('pageId') pageId: string,
    @AfterArg() _after: string | null,
    @Root() event: ChangeEvent,
  ): PageChangeEvent {
    return new PageChangeEvent(pageId, requireCursor(event, 'page'));
  }
}
