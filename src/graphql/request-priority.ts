import { type GraphQLSchema, Kind, parse, type SelectionSetNode } from 'graphql';
import { type Caller, canWrite } from '../auth/access.js';
import type { Priority } from '../http/admission.js';
import { limits } from './limits.js';

/**
 * The priority of a request under overload. A mutation with a slow root field is slow, and any other is as urgent as
 * the most urgent of its root fields.
 */
export function prioritize(schema: GraphQLSchema, caller: Caller, query: unknown): Priority {
  if (caller.kind === 'anonymous') return 'anonymousQuery';
  const text = String(query);
  if (!canWrite(caller)) return 'list';
  const type = schema.getMutationType()!;
  const fields = type.getFields();
  const names = text.includes('mutation') ? readRootFields(text, 'mutation', type.name) : [];
  if (!names.length) return isSlowQuery(schema, text) ? 'slow' : 'list';
  const isAny = (extension: 'urgent' | 'slow') => names.some(name => fields[name]?.extensions[extension] === true);
  return isAny('slow') ? 'slow' : isAny('urgent') ? 'noticeWrite' : 'write';
}

/** Most queries select none, and are not parsed for it. */
function isSlowQuery(schema: GraphQLSchema, query: string): boolean {
  const type = schema.getQueryType()!;
  const fields = Object.values(type.getFields()).filter(({ extensions }) => extensions.slow === true);
  if (!fields.some(({ name }) => query.includes(name))) return false;
  const selected = new Set(readRootFields(query, 'query', type.name));
  return fields.some(({ name }) => selected.has(name));
}

/** The names of the fields of a type that a document selects, by operations and fragments. None if it is invalid. */
function readRootFields(query: string, operation: 'query' | 'mutation', typeName: string): string[] {
  try {
    return parse(query, { noLocation: true, maxTokens: limits.tokens }).definitions.flatMap(node => {
      if (node.kind === Kind.OPERATION_DEFINITION && node.operation === operation)
        return collectNames(node.selectionSet);
      const isOfType = node.kind === Kind.FRAGMENT_DEFINITION && node.typeCondition.name.value === typeName;
      return isOfType ? collectNames(node.selectionSet) : [];
    });
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
