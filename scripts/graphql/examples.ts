import {
  coerceInputValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getVariableValues,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  validate,
} from 'graphql';
import { exampleRecords, exampleRequests } from '../../src/rest/openapi/examples.ts';
import type { Subject } from './subjects.ts';

export interface Example {
  document: string;
  variables: Record<string, unknown>;
}
type Field = GraphQLField<unknown, unknown>;

/** What the schema cannot say: by the name of an argument or a field, or by its name and type. */
const valuesByName: Record<string, unknown> = {
  ...{ pageId: exampleRecords.Page!.id, personId: '5', parentId: '4', componentIds: ['7'], addComponentIds: ['7'] },
  ...{ name: 'Acme', title: 'Acme', component: 'API', label: 'Deployments', url: 'https://acme.example/' },
  ...{ email: 'ada@acme.example', address: 'ada@acme.example', code: '123456', consentSource: 'The form of our shop' },
  ...{ subject: 'Slow responses', content: 'We are **looking into it**.', 'state: NoticeState!': 'IDENTIFIED' },
  ...{ 'from: String!': '2026-10-01', 'to: String!': '2026-11-01', month: '2026-10', first: 10, value: 42.5 },
  ...{ beginsAt: '2027-02-02T22:00:00Z', endsAt: '2027-02-02T23:30:00Z', occursAt: '2027-02-02T20:00:00Z' },
  ...{ rule: 'FREQ=MONTHLY;BYDAY=1TU', 'previewHash: String!': '(the hash of the preview)' },
  ...{
    auth: '(its secret)',
    p256dh: '(its public key)',
    csv: 'email\nada@acme.example\n',
    emailDomains: ['acme.example'],
  },
  zip: 'UEsDBA==',
  openIncident: { subject: 'Slow responses', content: 'We are looking into it.', shouldPublish: true },
};
const valuesByType: Record<string, unknown> = {
  ...{ ID: '1', Int: 1, Float: 1, Boolean: true, String: 'Text', JSON: {}, Timestamp: '2027-02-01T22:00:00Z' },
  ...{ Date: '2026-12-01', URL: 'https://acme.example/', Locale: 'en', Color: '#3b82f6' },
  Bytes: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

/** A valid document with variables: the required arguments, and of the input what is required or has an example. */
export function createExample(schema: GraphQLSchema, kind: string, field: Field, subject?: Subject): Example {
  const known = listValues(schema, field, subject);
  const hasInput = kind !== 'mutation' || field.args.some(({ name }) => name === 'input');
  const args = field.args.filter(
    arg => isRequiredArgument(arg) || arg.name === 'first' || (!hasInput && /^(person|parent)Id$/.test(arg.name)),
  );
  const variables = Object.fromEntries(args.map(arg => [arg.name, createValue(arg, known)]));
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = select(field.type, known, subject?.type.name);
  const document = `${kind} ${declared && `(${declared})`} { ${field.name} ${passed && `(${passed})`} ${selection} }`;
  return check(schema, { document, variables });
}

/** By name of the root field, the first request of a guide that has it alone. */
export function readExamples(schema: GraphQLSchema, guide: string): Map<string, Example> {
  const bodies = guide.replaceAll("'$PAGE'", `${exampleRecords.Page!.id}`).matchAll(/ -d '(\{.*?\})'\n/gs);
  const examples = Array.from(bodies, ([, body]) => JSON.parse(body!)).map(
    ({ query, variables }): [string, Example] => {
      const [operation] = parse(query).definitions as OperationDefinitionNode[];
      const roots = operation!.selectionSet.selections.map(root => (root.kind === Kind.FIELD ? root.name.value : ''));
      return [roots.join(), check(schema, { document: query, variables })];
    },
  );
  return new Map(examples.reverse());
}

/** Throws unless the document is valid and its variables fit; the document is printed in the usual format. */
export function check(schema: GraphQLSchema, { document, variables }: Example): Example {
  const parsed = parse(document);
  const [operation] = parsed.definitions as OperationDefinitionNode[];
  const { errors = [] } = getVariableValues(schema, operation!.variableDefinitions ?? [], variables);
  for (const error of [...validate(schema, parsed), ...errors]) throw error;
  return { document: print(parsed), variables };
}

/**
 * By field: the examples of the OpenAPI document for the records of the subject, for the same operation, and for the
 * creation of a subject of that name, such as an incident.
 */
function listValues(schema: GraphQLSchema, field: Field, subject?: Subject): Record<string, unknown> {
  if (!subject) return valuesByName;
  const types = isAbstractType(subject.type) ? schema.getPossibleTypes(subject.type) : [subject.type];
  const [same] = Object.values(exampleRequests[field.name.replace(/^./, letter => letter.toUpperCase())] ?? {});
  const [, created] =
    Object.entries(exampleRequests[`Create${subject.type.name}`] ?? {}).find(([title]) =>
      [field.name.toLowerCase().includes(title), title.startsWith(field.name)].includes(true),
    ) ?? [];
  const record = Object.assign({}, ...types.map(({ name }) => exampleRecords[name]));
  const values = same ? { id: record.id, ...same } : { ...record, ...created };
  const present = Object.entries(values).filter(([, value]) => value !== null);
  const named = present.map(([key, value]) => [toGraphqlName(key), value]);
  const isPagePart = subject.type.name === 'Page' && field.args.some(({ name }) => name === 'pageId');
  return { ...valuesByName, ...Object.fromEntries(named), ...(isPagePart && { id: '1' }) };
}

const toGraphqlName = (key: string) =>
  key.replace(/^(initial|additional)_comment$/, 'content').replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

type Value = GraphQLArgument | GraphQLInputField;

const createValue = ({ name, type, defaultValue }: Value, known: Record<string, unknown>) =>
  findValue({ name, type } as Value, known) ?? defaultValue ?? createTyped(type, known);

/** The example with the name of a value, where its type allows it; those of REST have enums in lower case. */
function findValue({ name, type }: Value, known: Record<string, unknown>): unknown {
  const named = getNamedType(type);
  const toValue = (value: unknown) => (named.name === 'ID' && value ? `${value}` : (value ?? undefined));
  const value = known[name] ?? known[`${name}: ${type}`];
  const texts = typeof value === 'string' && isEnumType(named) ? [value.toUpperCase()] : [];
  return [Array.isArray(value) ? value.map(toValue) : toValue(value), ...texts].find(candidate => {
    const errors: unknown[] = [];
    if (candidate !== undefined) coerceInputValue(candidate, type, (_, __, error) => errors.push(error));
    return candidate !== undefined && !errors.length;
  });
}

function createTyped(type: GraphQLInputType, known: Record<string, unknown>): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [createTyped(nullable.ofType, known)];
  if (isEnumType(nullable)) return nullable.getValues()[0]!.name;
  if (!isInputObjectType(nullable)) return nullable.name === 'ID' ? `${known.id ?? 1}` : valuesByType[nullable.name];
  const fields = Object.values(nullable.getFields());
  const shown = fields.filter(field => isRequiredInputField(field) || isWorthShowing(field, known));
  const isFilter = nullable.name.endsWith('Filter');
  const [first] = isFilter ? fields.filter(({ name }) => name === 'id' || name === 'eq') : fields;
  const chosen = isFilter || !shown.length ? [first ?? fields[0]!] : shown;
  return Object.fromEntries(chosen.map(field => [field.name, createValue(field, known)]));
}

/** Times of records are not those to write. */
const isWorthShowing = (field: GraphQLInputField, known: Record<string, unknown>) =>
  !/^(Timestamp|ID)$/.test(`${field.type}`) && findValue(field, known) !== undefined;

const selections: Record<string, string> = {
  PageInfo: '{ hasNextPage endCursor }',
  UserError: '{ path code message }',
};

/** Of a record its id and what has an example, else what is never null; of a payload or a slice its parts. */
function select(type: GraphQLOutputType, known: Record<string, unknown>, subject?: string, levels = 2): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter(
    ({ args, deprecationReason, name }) => !deprecationReason && !args.some(isRequiredArgument) && name !== 'nodeId',
  );
  const [leaves, parts] = [true, false].map(isLeaf =>
    fields.filter(one => isLeafType(getNamedType(one.type)) === isLeaf),
  );
  const isRecord = isNonNullType(named.getFields().id?.type);
  const worth = leaves!.filter(({ name }) => name in known && name !== 'id');
  const shown = worth.length ? worth : leaves!.filter(one => isNonNullType(one.type) && one.name !== 'id').slice(0, 8);
  const names = isRecord ? ['id', ...shown.map(({ name }) => name)] : leaves!.map(({ name }) => name);
  const nested = parts!
    .filter(one => !isRecord && levels > 1 && one.name !== 'edges' && (one.name !== 'page' || subject === 'Page'))
    .map(one => `${one.name} ${select(one.type, known, subject, levels - 1)}`);
  const all = [...(isAbstractType(named) ? ['__typename'] : []), ...names, ...nested];
  return selections[named.name] ?? `{ ${all.length ? all.join(' ') : '__typename'} }`;
}
