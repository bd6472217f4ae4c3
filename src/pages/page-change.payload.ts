import { Field, ID, ObjectType } from 'type-graphql';
import { DeletedNodeIdField, InjectReader, ReadField } from '../graphql/field-decorators.js';
import type { FieldReader } from '../records/field-reader.js';
import { createNodeId } from '../records/node-id.js';
import type { RecordClass } from '../records/record-path.js';
import { Page } from './page.entity.js';
import { pageRecordPath } from './page-record-path.js';

/** The payload of a mutation that changes something of a page. */
@ObjectType()
export abstract class PageChangePayload {
  constructor(readonly pageId: string) {}

  @ReadField(() => Page, 'The page, after the change.')
  page(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.pageId]]);
  }
}

/** Creates the payload of a mutation of one record of a page. Its field of the record is named after the class. */
export function createRecordPayload(record: RecordClass, description: string) {
  @ObjectType()
  abstract class RecordPayload extends PageChangePayload {
    constructor(
      pageId: string,
      readonly id: string | number,
    ) {
      super(pageId);
    }

    @ReadField(() => record, description, { name: nameField(record) })
    changedRecord(@InjectReader() read: FieldReader) {
      return read.one(pageRecordPath(this.pageId, record, this.id));
    }
  }
  return RecordPayload;
}

/** A record's name as a field: `alertSource` of AlertSource. */
export const nameField = ({ name }: RecordClass): string => name[0]!.toLowerCase() + name.slice(1);

@ObjectType({ description: 'A deleted record, and the page that it belonged to.' })
export class DeleteRecordPayload extends PageChangePayload {
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
