import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { type Caller, canWrite } from '../auth/access.js';
import type { Priority } from '../http/admission.js';
import { limits } from './limits.js';

/**
 * The priority of a request under overload: that of the operation that is run. A mutation is as urgent as the most
 * urgent of its root fields, but where one takes seconds: else many could wait at once in a class that never waits.
 */
export function prioritize(schema: GraphQLSchema, caller: Caller, query: unknown, operationName?: unknown): Priority {
  const text = String(query);
  const isAnonymous = caller.kind === 'anonymous';
  if (!isAnonymous && selectsSlowField(schema, text)) return 'slow';
  if (!isAnonymous && !canWrite(caller)) return 'list';
  const mutations = text.includes('mutation') ? findRootFields(text, operationName, schema.getMutationType()!) : [];
  // Without a token there are no others.
  if (isAnonymous) return mutations.length ? 'signIn' : 'anonymousQuery';
  if (!mutations.length) return isSlowQuery(schema, text, operationName) ? 'slow' : 'list';
  if (mutations.some(isSlow)) return 'slow';
  const urgent = mutations.filter(({ extensions }) => extensions.urgent === true);
  if (urgent.some(({ extensions }) => extensions.waits === true)) return 'slowNoticeWrite';
  return urgent.length ? 'noticeWrite' : 'write';
}

type RootField = GraphQLField<unknown, unknown>;

const isSlow = ({ extensions }: RootField) => extensions.slow === true;

const slowFields = new WeakMap<GraphQLSchema, readonly string[]>();

/** The fields of records that take seconds, such as monthly reports, by name. */
function findSlowFields(schema: GraphQLSchema): readonly string[] {
  const known = slowFields.get(schema);
  if (known) return known;
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const types = Object.values(schema.getTypeMap()).filter(type => isObjectType(type) && !roots.includes(type));
  const fields = (types as GraphQLObjectType[]).flatMap(type => Object.values(type.getFields()));
  const names = fields.filter(isSlow).map(({ name }) => name);
  slowFields.set(schema, names);
  return names;
}

/** Whether a document selects a field of a record that takes seconds, at any depth. Most do not, and are not parsed. */
function selectsSlowField(schema: GraphQLSchema, text: string): boolean {
  const names = findSlowFields(schema).filter(name => text.includes(name));
  if (!names.length) return false;
  let isSelected = false;
  try {
    visit(parse(text, { noLocation: true, maxTokens: limits.tokens }), {
      Field: ({ name }) => {
        isSelected ||= names.includes(name.value);
      },
    });
  } catch {
    // Apollo Server reports the error.
  }
  return isSelected;
}

/** Most queries select none, and are not parsed for it. */
function isSlowQuery(schema: GraphQLSchema, query: string, operationName: unknown): boolean {
  const type = schema.getQueryType()!;
  const slow = Object.values(type.getFields()).filter(isSlow);
  return slow.some(({ name }) => query.includes(name)) && findRootFields(query, operationName, type).some(isSlow);
}

/**
 * The fields of a type that the operation of a document selects which is run, and the fragments of the document. None
 * if that operation is of another type, and if the document is invalid.
 */
function findRootFields(query: string, operationName: unknown, type: GraphQLObjectType): RootField[] {
  try {
    const { definitions } = parse(query, { noLocation: true, maxTokens: limits.tokens });
    const run = definitions.find(
      node => node.kind === Kind.OPERATION_DEFINITION && (operationName == null || node.name?.value === operationName),
    );
    if (run?.kind !== Kind.OPERATION_DEFINITION || run.operation !== type.name.toLowerCase()) return [];
    const names = definitions.flatMap(node => {
      const isOfType = node.kind === Kind.FRAGMENT_DEFINITION && node.typeCondition.name.value === type.name;
      return node === run || isOfType ? collectNames(node.selectionSet) : [];
    });
    const fields = type.getFields();
    return names.flatMap(name => fields[name] ?? []);
  } catch {
    // Apollo Server reports the error.
    return [];
  }
}

const collectNames = ({ selections }: SelectionSetNode): string[] =>
  selections.flatMap(node => {
    if (node.kind === Kind.FIELD) return node.name.value;
    return node.kind === Kind.INLINE_FRAGMENT ? collectNames(node.selectionSet) : [];
  });
