import { Args, type ClassType, Ctx, Resolver } from 'type-graphql';
import type { Access } from '../auth/access.js';
import type { Settings } from '../core/config.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import type { Context } from '../graphql/context.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InputArg,
  OptionalIdArg,
  ParentIdArg,
  ReadQuery,
  WriteMutation,
} from '../graphql/field-decorators.js';
import type { FieldReader } from '../records/field-reader.js';
import type { ListArguments } from '../records/list-arguments.js';
import type { RecordClass } from '../records/record-path.js';
import type { Writer } from '../records/writer.js';
import { DeleteRecordPayload, nameField, type PageChangePayload } from './page-change.payload.js';
import { Page } from './page.entity.js';
import { pageRecordPath } from './page-record-path.js';

type RecordId = string | number;
type Versions = number[] | undefined;

/** The queries `metric(pageId, id)` and `metrics(pageId, filter, orderBy, first, ...)`. */
interface Queries {
  access: Access;
  /** Where the list requires another access. */
  listAccess?: Access;
  /** The descriptions of the two. */
  one: string;
  list: string;
  /** The name of the list. Default: that of the record and an s. */
  listName?: string;
  filter: ClassType;
  orderBy: string[];
}

/**
 * The mutations `createMetric(pageId, input)`, `updateMetric(pageId, id, ifVersion, input)` and
 * `deleteMetric(pageId, id, ifVersion)`: those that are described here. A resolver writes out what has another shape.
 */
interface Mutations<Create extends object, Update extends object> {
  access: Access;
  payload: new (pageId: string, id: RecordId) => PageChangePayload;
  create?: {
    description: string;
    input: ClassType<Create>;
    run: (write: Writer, pageId: string, input: Create, settings: Settings) => Promise<RecordId>;
  };
  update?: {
    description: string;
    input: ClassType<Update>;
    run: (
      write: Writer,
      pageId: string,
      id: string,
      versions: Versions,
      input: Update,
      settings: Settings,
    ) => Promise<unknown>;
  };
  delete?: {
    description: string;
    run: (write: Writer, pageId: string, id: string, versions: Versions) => Promise<RecordId>;
  };
}

/** Creates the resolver of a kind of record that belongs to a page, named after its class. Others extend it. */
export function createRecordResolver<Create extends object, Update extends object>(
  record: RecordClass,
  queries: Queries,
  mutations?: Mutations<Create, Update>,
) {
  const name = nameField(record);
  const { access, listAccess = access, listName = `${name}s`, filter, orderBy } = queries;
  const Connection = createConnectionType(record);
  const ConnectionArguments = createListArguments(record, filter, orderBy);

  /** A mutation of the schema, if the record has one of this shape. */
  const Mutates = (verb: 'create' | 'update' | 'delete', type = mutations?.payload as ClassType): MethodDecorator =>
    mutations?.[verb]
      ? WriteMutation(() => type, mutations.access, mutations[verb].description, { name: `${verb}${record.name}` })
      : () => {};

  @Resolver()
  class RecordResolver {
    @ReadQuery(() => record, access, queries.one, { name })
    findRecord(
      @OptionalIdArg('pageId') pageId: string | null,
      @IdArg('id') id: string,
      @InjectReader() read: FieldReader,
    ) {
      return read.one(pageRecordPath(pageId, record, id));
    }

    @ReadQuery(() => Connection, listAccess, queries.list, { name: listName })
    listRecords(
      @IdArg('pageId') pageId: string,
      @Args(() => ConnectionArguments) list: ListArguments,
      @InjectReader() read: FieldReader,
    ) {
      return read.list([[Page, pageId]], record, list);
    }

    @Mutates('create')
    async createRecord(
      @IdArg('pageId') pageId: string,
      @InputArg(() => mutations!.create!.input) input: Create,
      @Ctx() { write, settings }: Context,
    ) {
      return new mutations!.payload(pageId, await mutations!.create!.run(write, pageId, input, settings));
    }

    @Mutates('update')
    async updateRecord(
      @ParentIdArg('pageId', Page, record) pageId: string,
      @IdArg('id') id: string,
      @IfVersionArg() versions: Versions,
      @InputArg(() => mutations!.update!.input) input: Update,
      @Ctx() { write, settings }: Context,
    ) {
      await mutations!.update!.run(write, pageId, id, versions, input, settings);
      return new mutations!.payload(pageId, id);
    }

    @Mutates('delete', DeleteRecordPayload as unknown as ClassType)
    async deleteRecord(
      @ParentIdArg('pageId', Page, record) pageId: string,
      @IdArg('id') id: string,
      @IfVersionArg() versions: Versions,
      @Ctx() { write }: Context,
    ) {
      return new DeleteRecordPayload(pageId, record, await mutations!.delete!.run(write, pageId, id, versions));
    }
  }
  return RecordResolver;
}
