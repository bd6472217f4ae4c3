import 'reflect-metadata';
import {
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
import { buildSchemaSync } from 'type-graphql';
import { ComponentResolver } from './components/component.resolver.js';
import { entities } from './entities.js';
import { refusalCodes } from './core/errors.js';
import { kindKey } from './records/select-sql.js';
import { NoticeResolver } from './notices/notice.resolver.js';
import { VerbsResolver } from './notices/notice-actions.resolver.js';
import { NoticeTemplateResolver } from './notices/template.resolver.js';
import { NoticeUpdateResolver } from './notices/update.resolver.js';
import { PageDressResolver } from './pages/page-settings.resolver.js';
import { PageChannelFilter } from './notifications/page-channels/page-channel.filter.js';
import { PageChannelResolver } from './notifications/page-channels/page-channel.resolver.js';
import { PageResolver } from './pages/page.resolver.js';
import { TimeZoneResolver } from './pages/time-zone.resolver.js';
import { SubscriberListResolver } from './subscribers/import.resolver.js';
import { PublicationResolver } from './notifications/publication.resolver.js';
import { SubscriberResolver } from './subscribers/subscriber.resolver.js';
import { type Access, check } from './auth/access.js';
import type { Context } from './graphql/context.js';
import { limits } from './graphql/limits.js';

const listTypes = /(List|Edge)$|^(Pagination|PageInfo)$/;
const recordNames = new Set(entities.map(({ name }) => name));

const figure = (one: number) => one.toLocaleString('en');
const limitsSentence = `A request may have ${limits.rootFields} fields at its root, ${limits.aliases} aliases of ${limits.nameLength} characters, ${limits.depth} levels and ${figure(limits.tokens)} tokens in 100 KB, \
and ask for ${figure(limits.cost)} records (${figure(limits.anonymousCost)} without a token), where the sizes of lists multiply: a list of related records counts as 100 unless \`first\` says less.`;
const errorsSentence =
  `An error has \`extensions.code\`: ${refusalCodes.join(', ')} or SYSTEM, beside those of GraphQL itself; ` +
  'with INVALID `extensions.fields` has the texts of what is wrong, by the name of the field in the input.';

/** The graph, made once. Its types come from the entities, its verbs from the resolvers. */
export const schema = finish(
  buildSchemaSync({
    resolvers: [
      PageResolver,
      ComponentResolver,
      NoticeResolver,
      VerbsResolver,
      NoticeUpdateResolver,
      NoticeTemplateResolver,
      SubscriberResolver,
      PublicationResolver,
      SubscriberListResolver,
      PageDressResolver,
      PageChannelResolver,
      TimeZoneResolver,
    ],
    validate: false,
    // Lists of these are asked for by their page alone.
    orphanedTypes: [PageChannelFilter],
    authChecker: ({ context }: { context: Context }, [access]) => {
      check(context.caller, access as Access);
      return true;
    },
  }),
);

/** What is committed as schema.graphql. */
export const schemaText = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;

/**
 * Records reach execution as rows that the reader wrote, keyed by the names in the answer: their fields are taken as they are, and what they lead to
 * was limited in the statement already.
 */
function finish(built: GraphQLSchema): GraphQLSchema {
  built.getQueryType()!.description = `All that can be read. Each field is one statement of the database, whatever is asked below it. ${limitsSentence} ${errorsSentence}`;
  built.getMutationType()!.description =
    'All that can be written: each field is a transaction of its own, and answers with the records as they are after it. One that is refused is null and wrote nothing; the others stand, and are answered.';
  // Else the refusal of one would take the answers of those that were written.
  for (const field of Object.values(built.getMutationType()!.getFields())) field.type = getNullableType(field.type);
  const recordTypes = Object.values(built.getTypeMap()).filter(type => isRecordType(built, type));
  for (const type of recordTypes) {
    if (isInterfaceType(type)) type.resolveType = (row: Record<string, string>) => row[kindKey];
    for (const field of Object.values((type as { getFields(): GraphQLFieldMap<unknown, unknown> }).getFields())) {
      field.resolve = (row, _, __, info) => (row as Record<string, unknown>)[info.path.key];
      if (isRelatedList(built, field)) field.args = relatedListArguments(built, field);
    }
  }
  return built;
}

function isRecordType(built: GraphQLSchema, type: GraphQLNamedType): boolean {
  if (listTypes.test(type.name) || recordNames.has(type.name)) return isObjectType(type) || isInterfaceType(type);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => recordNames.has(name) && built.getType(name));
}

function isRelatedList(built: GraphQLSchema, { type, name }: GraphQLField<unknown, unknown>): boolean {
  const list = isNonNullType(type) ? type.ofType : type;
  return isListType(list) && name !== 'nodes' && name !== 'edges' && isRecordType(built, getNamedType(type));
}

/** Every list of related records can be narrowed as the list of its class can. */
function relatedListArguments(built: GraphQLSchema, { type }: GraphQLField<unknown, unknown>): GraphQLArgument[] {
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
      'Which of them are meant.',
    ),
    argument('first', GraphQLInt, 'How many at most: 1 to 100, which is also what is shown when nothing is said.'),
  ];
}
