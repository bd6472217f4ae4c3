import { ObjectType } from 'type-graphql';
import { DeletionPayload } from '../components/component-change.payload.js';
import { Component } from '../components/component.entity.js';
import { InjectReader, ReadField } from '../graphql/field-decorators.js';
import { Notice } from './notice.entity.js';
import type { SavedNotice } from './notice.service.js';
import { PublishingPayload } from '../notifications/publishing.payload.js';
import type { FieldReader } from '../records/field-reader.js';
import { pageRecordPath } from '../pages/page-record-path.js';

@ObjectType({ description: 'A created or updated notice, and everything that the write changed.' })
export class NoticePayload extends PublishingPayload {
  constructor(private readonly change: SavedNotice) {
    super(change.pageId, change.outcome, change.recordId);
  }

  @ReadField(() => Notice, 'The notice, after the change.')
  notice(@InjectReader() read: FieldReader) {
    return read.one(pageRecordPath(this.change.pageId, Notice, this.change.recordId));
  }

  @ReadField(() => [Component], 'The components that it names or named before, and those with a new state.')
  components(@InjectReader() read: FieldReader) {
    return read.byIds(Component, this.change.componentIds);
  }
}

@ObjectType({ description: 'A deleted notice, and everything that the deletion changed.' })
export class DeleteNoticePayload extends DeletionPayload {
  protected readonly record = Notice;
}
