import 'reflect-metadata';
import {
  defaultFieldResolver,
  GraphQLError,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { type BuildSchemaOptions, buildSchemaSync } from 'type-graphql';
import { checkDeclarations, findAccess, requireAccess } from '../auth/access.js';
import { typeKey } from '../records/statement.js';
import { findTextScalar } from '../core/scalars.js';
import { defaultListSize } from '../records/list-arguments.js';
import { addAccessDirective, addAccessToFields, describeAccess } from './access-directive.js';
import { getTypicalSize, isConnectionField } from './connection-field.js';
import type { Context } from './context.js';
import { countReturned } from './count-returned.js';
import { isNumberedPage, removeV1 } from './one-interface.js';
import { createFieldResolver, findResolvedFrom } from './entity-field-decorators.js';
import { schemaDescription } from './schema-description.js';
import { typeStoredInputs } from './stored-input.js';
import { addUserErrors, UserError } from './user-errors.js';

const connectionTypes = /(Connection|Edge)$|^(Pagination|PageInfo)$/;

interface SchemaParts {
  resolvers: BuildSchemaOptions['resolvers'];
  /** The class names of the entities, which are the names of their types. */
  recordNames: ReadonlySet<string>;
  /** In /v1 lists have numbered pages at the root, and are plain below it; in the public schema they have cursors. */
  hasNumberedPages: boolean;
  /** Whether problems of an input are returned in the payload; otherwise they are thrown. */
  hasUserErrors: boolean;
}

export function buildSchema({ resolvers, hasUserErrors, ...completion }: SchemaParts): GraphQLSchema {
  const schema = completeSchema(
    buildSchemaSync({
      resolvers,
      orphanedTypes: [UserError],
      validate: false,
      // A query for introspection takes a tenth of a start. A test validates both schemas.
      skipCheck: true,
      // Required where there are subscriptions. Theirs are read by the broker, from the change feed.
      pubSub: {
        publish: () => {},
        subscribe: () => {
          throw new Error('Subscriptions are run by the broker.');
        },
      },
    }),
    completion,
  );
  if (hasUserErrors) addUserErrors(schema);
  countReturned(schema);
  // The order in schema.graphql is the order in the editor, too.
  return boundEnumTexts(completion.hasNumberedPages ? schema : lexicographicSortSchema(schema));
}

/** In characters. */
const maxEnumName = 100;

/** graphql-js compares a wrong text with all names, to suggest one: 90 ms for a megabyte. */
function boundEnumTexts(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type)) continue;
    const parseValue = type.parseValue.bind(type);
    type.parseValue = value => {
      if (typeof value === 'string' && value.length > maxEnumName)
        throw new GraphQLError(`The text does not exist in "${type.name}" enum.`);
      return parseValue(value);
    };
  }
  return schema;
}

/** Prints a schema as it is committed in schema.graphql. */
export const renderSchema = (schema: GraphQLSchema): string => addAccessToFields(schema, `${printSchema(schema)}\n`);

/** Completes the schema for records, whose fields only pick their value: the reader returns rows by response key. */
function completeSchema(
  built: GraphQLSchema,
  { recordNames, hasNumberedPages }: Pick<SchemaParts, 'recordNames' | 'hasNumberedPages'>,
): GraphQLSchema {
  built.getQueryType()!.description =
    'Everything that can be read. Each root field is one database statement, whatever is selected below it. A field ' +
    'that fails is null; the others are not affected. The description of the schema has the limits and the errors.';
  built.getMutationType()!.description =
    'Everything that can be written. Each field is a transaction of its own and returns the records as they are ' +
    'after it. A field that fails is null and has written nothing, but where its response is too long; the others ' +
    'are not affected. Where the input is refused, `userErrors` says why, and other fields of the payload are null.';
  built.getSubscriptionType()!.description =
    'What can be followed, over server-sent events: POST /graphql/stream, or `Accept: text/event-stream`. The first ' +
    'event is sent at once; after it, one whenever the record has changed. An event has the record as it is then, ' +
    'with all fields that a query of it can select, and a `cursor`. A stream ends with an event that is null and has ' +
    'errors: when its record is deleted, its token revoked. A document that is refused is such an event at once.';
  enforceAccess(built, recordNames);
  // Nullable, since the error of a non-null field would also discard the results of the others.
  for (const root of [built.getQueryType()!, built.getMutationType()!])
    for (const field of Object.values(root.getFields())) field.type = getNullableType(field.type);
  for (const type of Object.values(built.getTypeMap()))
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of getFields(type)) field.resolve = createFieldResolver(field.extensions) ?? field.resolve;
  const recordTypes = Object.values(built.getTypeMap()).filter(type => isRecordType(built, type, recordNames));
  declareNodes(built, recordNames);
  for (const type of recordTypes) {
    if (isInterfaceType(type)) type.resolveType = resolveRecordType;
    for (const field of getFields(type)) {
      const { resolve } = field;
      const pick = (row: unknown, info: GraphQLResolveInfo) => (row as Record<string, unknown>)[info.path.key];
      field.resolve = findResolvedFrom(field.extensions)
        ? (row, args, context, info) => resolve!(pick(row, info), args, context, info)
        : (row, _, __, info) => pick(row, info);
      if (!isRelatedList(built, field, recordNames)) continue;
      if (hasNumberedPages) field.args = createFilterArgument(built, field);
      else if (isConnectionField(field.extensions)) turnIntoConnection(built, field);
    }
  }
  if (!hasNumberedPages) {
    removeV1(built);
    refineTexts(built);
    declareOneOf(built);
    typeStoredInputs(built);
    describeAccess(built);
  }
  return addAccessDirective(
    new GraphQLSchema({
      ...built.toConfig(),
      description: schemaDescription,
    }),
  );
}

/**
 * Checks the access before the resolver of every root field, and of every other field that declares one and is
 * computed. The reader checks the fields of records, of which the standard execution only picks the values.
 */
function enforceAccess(built: GraphQLSchema, recordNames: ReadonlySet<string>): void {
  const roots = [built.getQueryType()!, built.getMutationType()!, built.getSubscriptionType()!];
  checkDeclarations(roots);
  for (const type of Object.values(built.getTypeMap())) {
    if (!isObjectType(type) || isRecordType(built, type, recordNames)) continue;
    for (const field of Object.values(type.getFields())) {
      const access = findAccess(field);
      if (!access) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      const isRoot = roots.includes(type);
      const isWrite = type === built.getMutationType();
      // The internal operations of /v1 are those of GraphQL with other inputs.
      const operation = field.name.replace(/V1$/, '');
      field.resolve = (source, args, context: Context, info) => {
        const { caller, write } = context;
        const pageId = ((isRoot ? args : source) as { pageId?: string | null }).pageId ?? undefined;
        if (pageId === undefined && !isRoot)
          throw new Error(`${type.name}.${field.name} needs the pageId of its object`);
        requireAccess(caller, access, { pageId, isWrite });
        if (field.extensions.read) return resolve(source, args, context, info);
        if (isRoot) write.checkTime();
        // The operation may name no page, or the page of another record: the writer checks those that it locks.
        const authorize = (id: string) => requireAccess(caller, access, { pageId: id, isWrite });
        return resolve(source, args, { ...context, write: write.forOperation(operation, authorize) }, info);
      };
    }
  }
}

const resolveRecordType = (row: Record<string, string>) => row[typeKey];

/** A record is read by its global id by those who are allowed to read it by the query of its type. */
function declareNodes(built: GraphQLSchema, recordNames: ReadonlySet<string>): void {
  (built.getType('Node') as GraphQLInterfaceType).resolveType = resolveRecordType;
  for (const field of Object.values(built.getQueryType()!.getFields())) {
    const record = getNullableType(field.type);
    if (isCompositeType(record) && field.extensions.read && isRecordType(built, record, recordNames))
      record.extensions = { ...record.extensions, recordAccess: findAccess(field) };
  }
}

const getFields = (type: GraphQLNamedType): GraphQLField<unknown, unknown>[] =>
  Object.values((type as GraphQLObjectType).getFields());

function isRecordType(built: GraphQLSchema, type: GraphQLNamedType, recordNames: ReadonlySet<string>): boolean {
  if (connectionTypes.test(type.name) || recordNames.has(type.name)) return isObjectType(type) || isInterfaceType(type);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => recordNames.has(name) && built.getType(name));
}

function isRelatedList(
  built: GraphQLSchema,
  { type, name }: GraphQLField<unknown, unknown>,
  recordNames: ReadonlySet<string>,
): boolean {
  const list = isNonNullType(type) ? type.ofType : type;
  return (
    isListType(list) && name !== 'nodes' && name !== 'edges' && isRecordType(built, getNamedType(type), recordNames)
  );
}

function declareOneOf(built: GraphQLSchema): void {
  for (const type of Object.values(built.getTypeMap()))
    if (isInputObjectType(type) && type.extensions.isOneOf) type.isOneOf = true;
}

/** Names what texts are: links, languages and so on. Those of /v1 are strings. */
function refineTexts(built: GraphQLSchema): void {
  for (const type of Object.values(built.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const scalar = getNamedType(field.type) === GraphQLString ? findTextScalar(field.name) : undefined;
      if (scalar) field.type = isNonNullType(field.type) ? new GraphQLNonNull(scalar) : scalar;
    }
  }
}

/** The filter of the records of a list, if they have one. */
function createFilterArgument(built: GraphQLSchema, { type }: GraphQLField<unknown, unknown>): GraphQLArgument[] {
  const filter = built.getType(`${getNamedType(type).name}Filter`) as GraphQLInputType | undefined;
  if (!filter) return [];
  const description = 'Limits the list to the records that match.';
  const rest = { defaultValue: undefined, deprecationReason: undefined, extensions: {}, astNode: undefined };
  return [{ name: 'filter', type: filter, description, ...rest }];
}

/** The arguments are those of the root field that lists all records of the class. */
function turnIntoConnection(built: GraphQLSchema, field: GraphQLField<unknown, unknown>): void {
  const connection = built.getType(`${getNamedType(field.type).name}Connection`) as GraphQLObjectType;
  const root = Object.values(built.getQueryType()!.getFields()).find(({ type }) => getNamedType(type) === connection)!;
  field.type = new GraphQLNonNull(connection) as GraphQLOutputType;
  field.args = root.args.filter(({ name }) => !isNumberedPage(name) && !/Id$/.test(name));
  const size = getTypicalSize(field.extensions);
  if (size !== defaultListSize) field.description += ` The cost counts ${size} where the query does not say how many.`;
}
