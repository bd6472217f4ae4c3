import type { GraphQLResolveInfo } from 'graphql';
import type { Filter } from './filter-sql.js';
import type { ListArguments } from './list-arguments.js';
import type { Reader } from './reader.js';
import type { RecordClass, RecordPath } from './record-path.js';
import { compileIds, type SelectedIds } from './select-ids.js';

/** A reader for the field that is being resolved: what it reads of a record is what the field selects. */
export class FieldReader {
  constructor(
    private readonly reader: Reader,
    private readonly info: GraphQLResolveInfo,
  ) {}

  one(path: RecordPath): Promise<unknown> {
    return this.reader.one(path, this.info);
  }

  list(path: RecordPath, entity: RecordClass, listArguments: ListArguments): Promise<unknown> {
    return this.reader.list(path, entity, this.info, listArguments);
  }

  node(nodeId: string): Promise<unknown> {
    return this.reader.node(nodeId, this.info);
  }

  nodes(nodeIds: readonly string[]): Promise<unknown> {
    return this.reader.nodes(nodeIds, this.info);
  }

  compileIds(entity: RecordClass, page: RecordPath, filter: Filter): SelectedIds {
    const { orm, options } = this.reader;
    return compileIds(orm, options, entity, page, filter);
  }

  byIds(entity: RecordClass, ids: readonly (string | number)[]): Promise<unknown> {
    return this.reader.byIds(entity, ids, this.info);
  }
}
