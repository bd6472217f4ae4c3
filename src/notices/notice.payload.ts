import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, ID, Info, ObjectType } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import type { Context } from '../graphql/context.js';
import { Shows } from '../graphql/operations.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import type { NoticeChange } from './notice.service.js';

@ObjectType()
abstract class NoticeEffect implements NoticeChange {
  readonly pageId: string;
  readonly noticeId: number;
  readonly componentIds: number[];

  constructor(change: NoticeChange) {
    this.pageId = change?.pageId;
    this.noticeId = change?.noticeId;
    this.componentIds = change?.componentIds;
  }

  @Shows(() => [Component], 'The components that it names or named before, and those whose state moved, as they are now.')
  components(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.some(Component, this.componentIds, info);
  }

  @Shows(() => Page, 'Its page, as it is now.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.pageId]], info);
  }
}

@ObjectType({ description: 'A notice that was written, and what that changed.' })
export class NoticePayload extends NoticeEffect {
  @Shows(() => Notice, 'As it is now.')
  notice(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(
      [
        [Page, this.pageId],
        [Notice, this.noticeId],
      ],
      info,
    );
  }
}

@ObjectType({ description: 'A notice that was deleted, and what that changed.' })
export class DeletedNotice extends NoticeEffect {
  @Field(() => ID, { name: 'id', description: 'The id it had.' })
  get deletedId(): number {
    return this.noticeId;
  }
}
