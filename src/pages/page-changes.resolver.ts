import { Args, Field, ObjectType, Resolver, Root } from 'type-graphql';
import {
  AfterArg,
  type ChangeEvent,
  ChangeSubscription,
  cursorDescription,
  requireCursor,
} from '../graphql/change-subscription.js';
import { IdArg, InjectReader, ReadField } from '../graphql/field-decorators.js';
import { findReadablePages } from '../auth/access.js';
import type { FieldReader } from '../records/field-reader.js';
import type { ListArguments } from '../records/list-arguments.js';
import { Page } from './page.entity.js';
import { PageArguments, PageConnection } from './page.resolver.js';
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

@ObjectType({ description: 'All pages on which the caller has a role, after one of them changed.' })
class PagesChangeEvent {
  constructor(cursor: string) {
    this.cursor = cursor;
  }

  @Field(() => String, { description: cursorDescription })
  cursor: string;

  @ReadField(() => PageConnection, 'The pages as they are now, in the order of creation.')
  pages(@Args(() => PageArguments) list: ListArguments, @InjectReader() read: FieldReader) {
    return read.list([], Page, list);
  }
}

@Resolver()
export class PageChangesResolver {
  @ChangeSubscription(
    () => PagesChangeEvent,
    'viewer',
    'All pages on which the caller has a role, whenever one of them, or anything on it, has changed: one stream for ' +
      'a wall of many pages.',
    {
      cursorSql: `
        select md5(coalesce(string_agg(id || ' ' || change_count, ',' order by id), '')) as cursor
        from page where $1::text[] is null or id = any($1)`,
      parameters: (_args, caller) => [findReadablePages(caller, ['viewer'])],
      isOfAllPages: true,
    },
  )
  pagesChanged(@AfterArg() _after: string | null, @Root() event: ChangeEvent): PagesChangeEvent {
    return new PagesChangeEvent(requireCursor(event, 'page'));
  }

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
