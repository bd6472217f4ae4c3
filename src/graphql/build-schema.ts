import 'reflect-metadata';
import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldMap,
  GraphQLInt,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { type BuildSchemaOptions, buildSchemaSync } from 'type-graphql';
import { checkDeclarations, findAccess, requireAccess } from '../auth/access.js';
import { refusalCodes } from '../core/errors.js';
import { typeKey } from '../records/select-sql.js';
import { addAccessDirective, addAccessToFields } from './access-directive.js';
import type { Context } from './context.js';
import { filterCosts } from './filter-cost.js';
import { limits } from './limits.js';
import { getTypicalSize } from './typical-size.js';

const listTypes = /(List|Edge)$|^(Pagination|PageInfo)$/;

const formatNumber = (value: number) => value.toLocaleString('en');
const limitsDescription =
  `A request can have ${limits.rootFields} root fields, ${limits.aliases} aliases of ${limits.nameLength} characters, ` +
  `${limits.depth} levels and ${formatNumber(limits.tokens)} tokens in 100 KB, and select ` +
  `${formatNumber(limits.cost)} records (${formatNumber(limits.anonymousCost)} without a token). The sizes of ` +
  'nested lists multiply; a list of related records counts as `first`, and without it as its description says. A ' +
  `condition of a filter counts as ${formatNumber(filterCosts.condition)} records, and for each association that it ` +
  `goes through as ${filterCosts.perAssociation} times as many. The ` +
  'header `X-GraphQL-Cost: 1` adds `extensions.cost` to the response. Introspection has a limit of its own.';
const errorsDescription =
  `An error has \`extensions.code\`: ${refusalCodes.join(', ')} or SYSTEM, besides the codes of GraphQL itself. ` +
  'With INVALID, `extensions.fields` has the messages by the name of the input field.';

interface SchemaParts {
  resolvers: BuildSchemaOptions['resolvers'];
  /** Types that no query or mutation refers to. */
  orphanedTypes: BuildSchemaOptions['orphanedTypes'];
  /** The class names of the entities, which are the names of their types. */
  recordNames: ReadonlySet<string>;
}

/** Type-graphql requires one where there are subscriptions. Theirs are read by the broker, from the change feed. */
const unusedPubSub = {
  publish: () => {},
  subscribe: () => {
    throw new Error('Subscriptions are run by the broker.');
  },
};

export const buildSchema = ({ resolvers, orphanedTypes, recordNames }: SchemaParts): GraphQLSchema =>
  completeSchema(
    buildSchemaSync({
      resolvers,
      orphanedTypes,
      validate: false,
      pubSub: unusedPubSub,
    }),
    recordNames,
  );

/** Prints a schema as it is committed in schema.graphql. */
export const renderSchema = (schema: GraphQLSchema): string =>
  addAccessToFields(schema, `${printSchema(lexicographicSortSchema(schema))}\n`);

/**
 * Completes the schema for records. The reader returns rows that are keyed by response key and already filtered, so the
 * fields of records only pick their value.
 */
function completeSchema(built: GraphQLSchema, recordNames: ReadonlySet<string>): GraphQLSchema {
  built.getQueryType()!.description =
    'Everything that can be read. Each root field is one database statement, whatever is selected below it. A field ' +
    'that fails is null; the others are not affected. ' +
    `${limitsDescription} ${errorsDescription}`;
  built.getMutationType()!.description =
    'Everything that can be written. Each field is a transaction of its own and returns the records as they are ' +
    'after it. A field that fails is null and has written nothing; the others are not affected.';
  built.getSubscriptionType()!.description =
    'What can be followed, over server-sent events: POST /graphql/stream, or `Accept: text/event-stream`. The first ' +
    'event is sent at once; after it, one whenever the record has changed. An event has the record as it is then, and a ' +
    '`cursor`. A stream ends with an event that is null and has errors: when its record is deleted, its token revoked.';
  enforceAccess(built, recordNames);
  // Nullable, since the error of a non-null field would also discard the results of the others.
  for (const root of [built.getQueryType()!, built.getMutationType()!])
    for (const field of Object.values(root.getFields())) field.type = getNullableType(field.type);
  const recordTypes = Object.values(built.getTypeMap()).filter(type => isRecordType(built, type, recordNames));
  for (const type of recordTypes) {
    if (isInterfaceType(type)) type.resolveType = (row: Record<string, string>) => row[typeKey];
    for (const field of Object.values((type as { getFields(): GraphQLFieldMap<unknown, unknown> }).getFields())) {
      field.resolve = (row, _, __, info) => (row as Record<string, unknown>)[info.path.key];
      if (isRelatedList(built, field, recordNames)) field.args = createListArguments(built, field);
    }
  }
  return addAccessDirective(built);
}

/**
 * Checks the access before the resolver of every root field, and of every other field that declares one and is computed.
 * The reader checks the fields of records, of which the standard execution only picks the values.
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
      field.resolve = (source, args, context: Context, info) => {
        const { caller, write } = context;
        const { pageId } = (isRoot ? args : source) as { pageId?: string };
        if (pageId === undefined && !isRoot)
          throw new Error(`${type.name}.${field.name} needs the pageId of its object`);
        requireAccess(caller, access, { pageId, isWrite });
        if (field.extensions.read) return resolve(source, args, context, info);
        // The operation may name no page, or the page of another record: the writer checks those that it locks.
        const restricted = write.restrict(id => requireAccess(caller, access, { pageId: id, isWrite }));
        return resolve(source, args, { ...context, write: restricted }, info);
      };
    }
  }
}

function isRecordType(built: GraphQLSchema, type: GraphQLNamedType, recordNames: ReadonlySet<string>): boolean {
  if (listTypes.test(type.name) || recordNames.has(type.name)) return isObjectType(type) || isInterfaceType(type);
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

/** Gives every list of related records the filter of its class, and `first`. */
function createListArguments(
  built: GraphQLSchema,
  { type, extensions }: GraphQLField<unknown, unknown>,
): GraphQLArgument[] {
  const argument = (name: string, argumentType: GraphQLInputType, description: string): GraphQLArgument => ({
    name,
    type: argumentType,
    description,
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  });
  return [
    argument(
      'filter',
      built.getType(`${getNamedType(type).name}Filter`) as GraphQLInputType,
      'Limits the list to the records that match.',
    ),
    argument(
      'first',
      GraphQLInt,
      'The maximum number of records, from 1 to 100. Default: 100, of which the cost counts ' +
        `${getTypicalSize(extensions)}.`,
    ),
  ];
}
