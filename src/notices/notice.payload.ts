import { ObjectType } from 'type-graphql';
import { DeletionPayload, ChangePayload } from '../components/component-change.payload.js';
import { InjectReader, ReadField } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import type { FieldReader } from '../records/field-reader.js';

@ObjectType({ description: 'A created or updated notice, and everything that the write changed.' })
export class NoticePayload extends ChangePayload {
  @ReadField(() => Notice, 'The notice, after the change.')
  notice(@InjectReader() read: FieldReader) {
    return read.one([
      [Page, this.change.pageId],
      [Notice, this.change.recordId],
    ]);
  }
}

@ObjectType({ description: 'A deleted notice, and everything that the deletion changed.' })
export class DeletedNotice extends DeletionPayload {}
