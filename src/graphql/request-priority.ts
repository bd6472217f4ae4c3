import {
  type DocumentNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { type Caller, canWrite } from '../auth/access.js';
import type { Priority } from '../http/admission/request-classes.js';
import { limits } from './limits.js';

/** Finds the priority of a request under overload: that of the operation of its document that is run. */
export type Prioritize = (caller: Caller, query: unknown, operationName?: unknown) => Priority;

/**
 * A mutation is as urgent as the most urgent of its root fields. What selects a field that takes seconds, at any depth,
 * is slow: else many such requests would take the places of others. Most documents have neither, and are not parsed.
 */
export function createPrioritizer(schema: GraphQLSchema): Prioritize {
  const mutationType = schema.getMutationType()!;
  const mutations = mutationType.getFields();
  const slowNames = new Set(
    Object.values(schema.getTypeMap())
      .flatMap(type => (isObjectType(type) ? Object.values(type.getFields()) : []))
      .filter(({ extensions }) => extensions.slow === true)
      .map(({ name }) => name),
  );

  return (caller, query, operationName) => {
    const text = String(query);
    const isAnonymous = caller.kind === 'anonymous';
    const mayBeSlow = !isAnonymous && [...slowNames].some(name => text.includes(name));
    const document = mayBeSlow || text.includes('mutation') ? parseRun(text, operationName) : null;
    const fields = document
      ? listMutationFields(document, mutationType.name).flatMap(name => mutations[name] ?? [])
      : [];
    // Without a token there are no other mutations.
    if (isAnonymous) return fields.length ? 'signIn' : 'anonymousQuery';
    if (document && mayBeSlow && selectsAny(document, slowNames)) return 'slow';
    if (!canWrite(caller) || !fields.length) return 'list';
    const urgent = fields.filter(({ extensions }) => extensions.urgent === true);
    if (urgent.some(({ extensions }) => extensions.waits === true)) return 'slowNoticeWrite';
    return urgent.length ? 'noticeWrite' : 'write';
  };
}

/** The operation that is run, and the fragments of its document. Null where Apollo Server reports an error. */
function parseRun(text: string, operationName: unknown): DocumentNode | null {
  try {
    const { definitions, ...document } = parse(text, { noLocation: true, maxTokens: limits.tokens });
    const run = definitions.find(
      node => node.kind === Kind.OPERATION_DEFINITION && (operationName == null || node.name?.value === operationName),
    );
    const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    return run ? { ...document, definitions: [run, ...fragments] } : null;
  } catch {
    return null;
  }
}

/** The names of the root fields, and of those in fragments of the type; none of a query. */
function listMutationFields({ definitions: [run, ...fragments] }: DocumentNode, typeName: string): string[] {
  if (run?.kind !== Kind.OPERATION_DEFINITION || run.operation !== 'mutation') return [];
  const ofType = fragments.filter(node => 'typeCondition' in node && node.typeCondition.name.value === typeName);
  return [run, ...ofType].flatMap(node => ('selectionSet' in node ? collectNames(node.selectionSet) : []));
}

const collectNames = ({ selections }: SelectionSetNode): string[] =>
  selections.flatMap(node => {
    if (node.kind === Kind.FIELD) return node.name.value;
    return node.kind === Kind.INLINE_FRAGMENT ? collectNames(node.selectionSet) : [];
  });

function selectsAny(document: DocumentNode, names: ReadonlySet<string>): boolean {
  let isSelected = false;
  visit(document, {
    Field: ({ name }) => {
      isSelected ||= names.has(name.value);
    },
  });
  return isSelected;
}
