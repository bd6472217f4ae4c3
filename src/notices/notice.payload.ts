import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, ID, Info, ObjectType } from 'type-graphql';
import { Effect } from '../components/effect.payload.js';
import type { Context } from '../graphql/context.js';
import { Shows } from '../graphql/operations.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import type { NoticeChange } from './notice.service.js';

@ObjectType()
abstract class NoticeEffect extends Effect implements NoticeChange {
  readonly noticeId: number;

  constructor(change: NoticeChange) {
    super(change);
    this.noticeId = change?.noticeId;
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
