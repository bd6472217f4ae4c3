import {
  astFromValue,
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  print,
} from 'graphql';
import { cell, fence, renderTable, toJson } from '../markdown.ts';
import { createExample, type Example, readExamples } from './examples.ts';
import { findSubject, listSubjects, type Subject, toRecordType } from './subjects.ts';

type Field = GraphQLField<unknown, unknown>;
type Value = GraphQLArgument | GraphQLInputField;
interface Source {
  schema: GraphQLSchema;
  subjects: Subject[];
  /** The examples of the guide, by root field. */
  written: Map<string, Example>;
}
interface Operation {
  kind: string;
  field: Field;
  subject: Subject | undefined;
}

const origin = 'Written by `npm run schema` from [schema.graphql](../../../schema.graphql)';
/** What belongs to no record, such as signing in. */
const otherFile = 'other';
const toFile = (subject?: Subject) => `${subject?.name ?? otherFile}.md`;
const toTitle = (file: string) =>
  file
    .replace('.md', '')
    .replaceAll('_', ' ')
    .replace(/^./, letter => letter.toUpperCase());

/** The reference of GraphQL in Markdown: by name of the file in docs/api/graphql, a text a subject, and their index. */
export function renderGraphqlDocuments(sdl: string, guide: string): Map<string, string> {
  const schema = buildSchema(sdl);
  const subjects = listSubjects(schema);
  const source: Source = { schema, subjects, written: readExamples(schema, guide) };
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  const operations = roots.flatMap(root =>
    Object.values(root.getFields()).map((field): Operation => {
      return { kind: root.name.toLowerCase(), field, subject: findSubject(schema, subjects, field) };
    }),
  );
  const byFile = Map.groupBy(operations, ({ subject }) => toFile(subject));
  const sorted = [...byFile].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const files = sorted.map(([file, members]): [string, string] => [file, renderSubject(source, file, members)]);
  return new Map([['README.md', renderIndex(sorted)], ...files]);
}

function renderSubject(source: Source, file: string, operations: Operation[]): string {
  const { subject } = operations[0]!;
  const parts = operations.map(operation => renderOperation(source, operation));
  const record = subject ? [`## Fields of ${subject.type.name}\n\n${renderType(source, subject.type)}`] : [];
  const links = operations.map(({ field }) => `[${field.name}](#${field.name.toLowerCase()})`).join(' · ');
  return `# ${toTitle(file)}\n\n${origin}.\n\n${links}\n\n${[...parts, ...record].join('\n')}`;
}

function renderOperation(source: Source, { kind, field, subject }: Operation): string {
  const input = field.args.map(({ type }) => getNamedType(type)).find(type => /Input$/.test(type.name));
  const inputs = isInputObjectType(input) ? Object.values(input.getFields()) : [];
  const returned = getNamedType(field.type);
  const guide = source.written.get(field.name);
  const { document, variables } = guide ?? createExample(source.schema, kind, field, subject);
  const parts = [
    `## ${field.name}\n\n${field.description!.replace(/ Requires [^.]*\.$/, '')}\n`,
    `A ${kind}. ${describeAccess(field)}.\n`,
    renderTable(
      'Argument',
      sortRequired(field.args).map(one => renderValue(one)),
    ),
    renderTable(
      `Field of \`${input?.name}\``,
      sortRequired(inputs).map(one => renderValue(one, listFields(one))),
    ),
    `Returns ${linkType(source, field)}.\n`,
    source.subjects.some(({ type }) => type === toRecordType(source.schema, field)) ? '' : renderType(source, returned),
    guide ? 'An example of [the guide](../../graphql-api.md), which a test sends to a service:\n' : 'Example:\n',
    fence('graphql', document),
    Object.keys(variables).length ? `Variables:\n\n${fence('json', toJson(variables))}` : '',
  ];
  return parts.filter(Boolean).join('\n');
}

const sortRequired = <T extends Value>(values: readonly T[]) =>
  [true, false].flatMap(isFirst => values.filter(one => isRequired(one) === isFirst));
const isRequired = ({ type, defaultValue }: Value) => isNonNullType(type) && defaultValue === undefined;

function describeAccess({ astNode }: Field): string {
  const access = astNode!.directives!.find(({ name }) => name.value === 'access');
  const { role, anonymous, allPages } = Object.fromEntries(
    access?.arguments?.map(({ name, value }) => [name.value, print(value)]) ?? [],
  );
  if (!role || role === 'null') return 'Open to anybody, also without a token';
  const opened = anonymous ? `, or \`ANONYMOUS_READS=${anonymous.toLowerCase()}\` without a token` : '';
  return `Requires the role \`${role}\`${allPages === 'true' ? ' on all pages' : ''}${opened}`;
}

/** An argument or a field of an input: its name, its type with the default, and what it means. */
function renderValue({ name, type, description, defaultValue }: Value, more = ''): string[] {
  const initial = defaultValue === undefined ? '' : ` = ${print(astFromValue(defaultValue, type)!)}`;
  const named = getNamedType(type);
  const values = isEnumType(named) ? ` One of ${listNames(named.getValues())}.` : '';
  return [`\`${name}\``, `\`${type}${initial}\``, cell(`${description}${values}${more}`)];
}

const listNames = (named: readonly { name: string }[]) => named.map(({ name }) => `\`${name}\``).join(', ');

/** The fields of an input within an input. */
function listFields({ type }: GraphQLInputField): string {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return '';
  const fields = Object.values(named.getFields()).map(field => ({ name: `${field.name}: ${field.type}` }));
  return ` \`${named.name}\` has ${listNames(fields)}.`;
}

/** The fields of a type, and for an interface those that some of its types have besides. */
function renderType(source: Source, type: GraphQLNamedType): string {
  if (!isObjectType(type) && !isInterfaceType(type)) return '';
  const own = Object.values(type.getFields());
  const types = isInterfaceType(type) ? source.schema.getPossibleTypes(type) : [];
  const more = types.flatMap(one => {
    const fields = Object.values(one.getFields()).filter(({ name }) => !type.getFields()[name]);
    return fields.map(field => ({ ...field, name: `${field.name}\` of \`${one.name}` }));
  });
  const rows = [...own, ...more].map(one => [`\`${one.name}\``, linkType(source, one), cell(one.description!)]);
  return renderTable(`Field of \`${type.name}\``, rows);
}

/** The type of a field, with a link to the fields of the records that it holds. */
function linkType({ schema, subjects }: Source, field: Field): string {
  const subject = subjects.find(({ type }) => type === toRecordType(schema, field));
  const name = `\`${field.type}\``;
  return subject ? `[${name}](${toFile(subject)}#fields-of-${subject.type.name.toLowerCase()})` : name;
}

function renderIndex(files: [string, Operation[]][]): string {
  const sections = files.map(([file, operations]) => {
    const rows = operations.map(({ kind, field }) => [
      `[${field.name}](${file}#${field.name.toLowerCase()})`,
      kind,
      cell(field.description!),
    ]);
    return `## ${toTitle(file)}\n\n${renderTable('Field', rows)}`;
  });
  return `# Reference of GraphQL

${origin}; a test fails when it is out of date. It has
each query, mutation and subscription: the role that it requires, what it takes and returns, and an example that is
valid, but whose ids and texts are made up.

Send a document and its variables as JSON to \`POST /graphql\`. [The GraphQL API](../../graphql-api.md) explains how,
with lists, errors and limits; [access](../../access.md) explains roles and tokens. Arguments that are required come
first: their type ends with \`!\`, and they have no default. The fields of a payload are null where its \`userErrors\`
are not empty. Types that are only named here, such as filters, are in [schema.graphql](../../../schema.graphql), and in
the editor at \`/graphql\`.

${sections.join('\n')}`;
}
