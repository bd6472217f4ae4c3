import { Field, ID, ObjectType } from 'type-graphql';
import { DeletedNodeIdField, InjectReader, ReadField } from '../graphql/field-decorators.js';
import type { FieldReader } from '../records/field-reader.js';
import { createNodeId } from '../records/node-id.js';
import type { RecordClass } from '../records/record-path.js';
import { Page } from './page.entity.js';

/** The payload of a mutation that changes something of a page. */
@ObjectType()
export abstract class PageChangePayload {
  constructor(readonly pageId: string) {}

  @ReadField(() => Page, 'The page, after the change.')
  page(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.pageId]]);
  }
}

@ObjectType({ description: 'A deleted record, and the page that it belonged to.' })
export class DeletedRecord extends PageChangePayload {
  constructor(
    pageId: string,
    private readonly record: RecordClass,
    readonly recordId: string | number,
  ) {
    super(pageId);
  }

  @Field(() => ID, { description: 'The id of the deleted record.' })
  get deletedId(): string | number {
    return this.recordId;
  }

  @DeletedNodeIdField()
  get deletedNodeId(): string {
    return createNodeId(this.record.name, this.recordId);
  }
}
