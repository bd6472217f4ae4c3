import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isAbstractType,
  isCompositeType,
  type OperationDefinitionNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields.js';
import type { Access } from '../auth/access.js';

/** One field as it was asked for: `key` is its name in the answer, `name` its name in the graph. */
export interface Asked {
  key: string;
  name: string;
  field: GraphQLField<unknown, unknown>;
  node: FieldNode;
  /** All that are merged into it; the first is `node`. */
  nodes: readonly FieldNode[];
  /** Only where the field leads to an object. */
  selection?: Selection;
}

/** What was asked of a place in the graph, by concrete type; it knows no SQL. */
export interface Selection {
  type: GraphQLObjectType | GraphQLInterfaceType;
  kinds: Map<string, Asked[]>;
  /** All that the fields below ask of the caller. */
  access: Set<Access>;
  /** The fields below that were given arguments. */
  withArguments: Asked[];
}

export type SelectionInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues' | 'operation'>;

/**
 * Parsed documents live on (Apollo keeps them, the routes are prepared at start), so what a field of one asks is worked out once
 * for each combination of the Boolean variables that @include and @skip may look at.
 */
const memo = new WeakMap<FieldNode, Map<string, Selection>>();
const combinationsKept = 64;

/** What is asked below a field of a composite type. */
export function selectionBelow(
  info: SelectionInfo,
  returnType: Parameters<typeof getNamedType>[0],
  nodes: readonly FieldNode[],
): Selection {
  // A node that is merged with siblings may have others elsewhere in its document: it is no key.
  if (nodes.length > 1) return collect(info, getNamedType(returnType) as Selection['type'], nodes);
  const known = memo.get(nodes[0]!) ?? new Map<string, Selection>();
  const combination = includeFlags(info);
  const found = known.get(combination);
  if (found) return found;
  const selection = collect(info, getNamedType(returnType) as Selection['type'], nodes);
  if (known.size < combinationsKept) memo.set(nodes[0]!, known.set(combination, selection));
  return selection;
}

function collect(info: SelectionInfo, type: Selection['type'], nodes: readonly FieldNode[]): Selection {
  const selection: Selection = { type, kinds: new Map(), access: new Set(), withArguments: [] };
  const kinds = isAbstractType(type) ? info.schema.getPossibleTypes(type) : [type];
  // What several kinds ask by the same nodes is one thing: whoever computes it knows by that to do so once.
  const shared = new Map<FieldNode, Asked>();
  for (const kind of kinds) {
    const fields = collectSubfields(
      info.schema,
      info.fragments as Record<string, FragmentDefinitionNode>,
      info.variableValues,
      kind,
      nodes,
    );
    const asked: Asked[] = [];
    for (const [key, fieldNodes] of fields) {
      const before = shared.get(fieldNodes[0]!);
      const one = before && isSame(before.nodes, fieldNodes) ? before : ask(info, kind, key, fieldNodes, selection);
      shared.set(fieldNodes[0]!, one);
      asked.push(one);
    }
    selection.kinds.set(kind.name, asked);
  }
  return selection;
}

const isSame = (one: readonly FieldNode[], other: readonly FieldNode[]) =>
  one.length === other.length && one.every((node, place) => node === other[place]);

function ask(
  info: SelectionInfo,
  kind: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
  above: Selection,
): Asked {
  const node = nodes[0]!;
  const name = node.name.value;
  const field = kind.getFields()[name] ?? TypeNameMetaFieldDef;
  const asked: Asked = { key, name, field, node, nodes };
  if (isCompositeType(getNamedType(field.type))) {
    asked.selection = collect(info, getNamedType(field.type) as Selection['type'], nodes);
    for (const access of asked.selection.access) above.access.add(access);
    above.withArguments.push(...asked.selection.withArguments);
    if (field.extensions.access) above.access.add(field.extensions.access as Access);
  }
  if (node.arguments?.length) above.withArguments.push(asked);
  return asked;
}

const booleans = new WeakMap<OperationDefinitionNode, string[]>();

function includeFlags({ operation, variableValues }: SelectionInfo): string {
  let names = booleans.get(operation);
  if (!names) {
    names = (operation.variableDefinitions ?? [])
      .filter(({ type }) => {
        const named = type.kind === 'NonNullType' ? type.type : type;
        return named.kind === 'NamedType' && named.name.value === 'Boolean';
      })
      .map(({ variable }) => variable.name.value);
    booleans.set(operation, names);
  }
  let flags = '';
  for (const name of names) flags += variableValues[name] ? `${name} ` : '-';
  return flags;
}
