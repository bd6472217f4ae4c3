import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Info, ObjectType } from 'type-graphql';
import { DeletedEffect, Effect } from '../components/component-change.payload.js';
import type { Context } from '../graphql/context.js';
import { Shows } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';

@ObjectType({ description: 'A notice that was written, and what that changed.' })
export class NoticePayload extends Effect {
  @Shows(() => Notice, 'As it is now.')
  notice(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one(
      [
        [Page, this.change.pageId],
        [Notice, this.change.recordId],
      ],
      info,
    );
  }
}

@ObjectType({ description: 'A notice that was deleted, and what that changed.' })
export class DeletedNotice extends DeletedEffect {}
