import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Info, ObjectType } from 'type-graphql';
import { DeletionPayload, ChangePayload } from '../components/component-change.payload.js';
import type { Context } from '../graphql/context.js';
import { ReadField } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';

@ObjectType({ description: 'A created or updated notice, and everything that the write changed.' })
export class NoticePayload extends ChangePayload {
  @ReadField(() => Notice, 'The notice, after the change.')
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

@ObjectType({ description: 'A deleted notice, and everything that the deletion changed.' })
export class DeletedNotice extends DeletionPayload {}
