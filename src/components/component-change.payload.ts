import { Field, ID, ObjectType } from 'type-graphql';
import { DeletedNodeIdField, InjectReader, ReadField } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import type { ComponentsChange, RecordChange } from './component.service.js';
import type { FieldReader } from '../records/field-reader.js';
import { createNodeId } from '../records/node-id.js';
import type { RecordClass } from '../records/record-path.js';

/** What a write changed beside its own record, so that a client can update its cache without reading again. */
@ObjectType()
export abstract class ChangePayload<Change extends ComponentsChange = RecordChange> {
  constructor(protected readonly change: Change) {}

  @ReadField(
    () => [Component],
    'The affected components: the record, those that it names or named before, and those with a new state or parent.',
  )
  components(@InjectReader() read: FieldReader) {
    return read.byIds(Component, this.change.componentIds);
  }

  @ReadField(() => Page, 'The page, after the change.')
  page(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.change.pageId]]);
  }
}

@ObjectType()
export abstract class DeletionPayload extends ChangePayload {
  protected abstract readonly record: RecordClass;

  @Field(() => ID, { description: 'The id of the deleted record.' })
  get deletedId(): number {
    return this.change.recordId;
  }

  @DeletedNodeIdField()
  get deletedNodeId(): string {
    return createNodeId(this.record.name, this.change.recordId);
  }
}
