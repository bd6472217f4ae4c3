import { type GraphQLSchema, Kind, parse, type SelectionSetNode } from 'graphql';
import { type Caller, canWrite } from '../auth/access.js';
import type { Priority } from '../http/admission.js';
import { limits } from './limits.js';

/** The priority of a request under overload. A mutation is as urgent as the most urgent of its root fields. */
export function prioritize(schema: GraphQLSchema, caller: Caller, query: unknown): Priority {
  if (caller.kind === 'anonymous') return 'anonymousQuery';
  const text = String(query);
  if (!canWrite(caller) || !text.includes('mutation')) return 'list';
  const type = schema.getMutationType()!;
  const fields = type.getFields();
  const names = readRootFields(text, type.name);
  if (!names.length) return 'list';
  return names.some(name => fields[name]?.extensions.urgent === true) ? 'noticeWrite' : 'write';
}

/** The names of the fields of a type that a document selects, by operations and fragments. None if it is invalid. */
function readRootFields(query: string, typeName: string): string[] {
  try {
    return parse(query, { noLocation: true, maxTokens: limits.tokens }).definitions.flatMap(node => {
      if (node.kind === Kind.OPERATION_DEFINITION && node.operation === 'mutation')
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
