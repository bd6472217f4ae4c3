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
  type Source,
  TypeNameMetaFieldDef,
} from 'graphql';
import { type Access, findAccess } from '../auth/access.js';
import { collectSubfields } from './collect-fields.js';

/** How the value of a field is made of a column, where SQL cannot do it. */
export interface Conversion {
  /** The property that is read. */
  from: string;
  convert(text: string): string;
}

/** One selected field: `key` is its response key (the alias, if there is one), `name` its name in the schema. */
export interface SelectedField {
  key: string;
  name: string;
  field: GraphQLField<unknown, unknown>;
  node: FieldNode;
  /** All nodes that GraphQL merges into this field; the first is `node`. */
  nodes: readonly FieldNode[];
  /** Only for a field of a composite type. */
  selection?: Selection;
  /** Only for a field that is made of a column by this process. */
  conversion?: Conversion;
}

/** The selection set below a field, with fragments and directives resolved. */
export interface Selection {
  type: GraphQLObjectType | GraphQLInterfaceType;
  /** The selected fields by the name of the concrete type: one entry for an object type, several for an interface. */
  fieldsByType: Map<string, SelectedField[]>;
  /** The names of the composite types that are selected, its own included. */
  typeNames: Set<string>;
  /** What the fields below require, and the path of the first that does. */
  access: Map<Access, readonly string[]>;
  /** Whether a field below has a conversion. */
  hasConversions: boolean;
  /** Whether a field below has a resolver of its own, so that the standard execution is needed. */
  hasResolvers: boolean;
  /** The fields below that have arguments. */
  fieldsWithArguments: SelectedField[];
  /** Cache of compiled select lists, by the options that they depend on. */
  templates: Map<string, RowsTemplate>;
  /** Where the selection is cached; null if it is that of one request. */
  cache: SelectionCache | null;
}

/** A select list without the `from ... where ...` clause, which goes between `before` and `after`. */
export interface RowsTemplate {
  before: string;
  after: string;
  /** The argument of json_agg: the row itself, which is cheaper to aggregate than its JSON. */
  row: string;
  /** The JSON of a single row. */
  json: string;
}

type SelectionInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues' | 'operation'>;

type RecordType = Parameters<typeof getNamedType>[0];

const bytesPerField = 400;
/** Of a selection without its fields: one of which all are skipped takes as much. */
const bytesPerSelection = 1_000;

/** The maximum memory of the selections of a document, in bytes: each combination of its variables has some. */
export const maxSelectionBytes = ({ body }: Source): number => 40_000 + 50 * body.length;

/**
 * The selections of a document by field node, since documents outlive requests: Apollo caches them, the REST routes
 * parse theirs at start. The inner key is the type, and the combination of the Boolean variables that @include and
 * @skip can depend on. Those that take too much memory are dropped all at once.
 */
class SelectionCache {
  private readonly selections = new Map<FieldNode, Map<string, Selection>>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(node: FieldNode, combination: string): Selection | undefined {
    return this.selections.get(node)?.get(combination);
  }

  /** A combination has the names of variables, which can take a half of a document. */
  set(node: FieldNode, combination: string, selection: Selection): void {
    this.count(2 * combination.length);
    const ofNode = this.selections.get(node) ?? new Map<string, Selection>();
    this.selections.set(node, ofNode.set(combination, selection));
  }

  /** Counts what a selection is going to keep. */
  count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes <= this.maxBytes) return;
    this.selections.clear();
    this.bytes = bytes;
  }
}

const selectionCaches = new WeakMap<Source, SelectionCache>();

/** All nodes of a document have one source, unless it was parsed without locations. */
function findCache({ operation }: SelectionInfo): SelectionCache | null {
  const source = operation.loc?.source;
  if (!source) return null;
  const cache = selectionCaches.get(source) ?? new SelectionCache(maxSelectionBytes(source));
  selectionCaches.set(source, cache);
  return cache;
}

/** Keeps a compiled select list with its selection. */
export function cacheTemplate({ templates, cache }: Selection, key: string, template: RowsTemplate): void {
  const { before, after, row, json } = template;
  cache?.count(2 * (before.length + after.length + row.length + json.length));
  templates.set(key, template);
}

/** Collects what is selected below a field, for records of a type: its own, or one that implements it. */
export function collectSelection(info: SelectionInfo, recordType: RecordType, nodes: readonly FieldNode[]): Selection {
  const type = getNamedType(recordType) as Selection['type'];
  // A node that is merged with siblings can have other siblings elsewhere in the document, so it is not a cache key.
  const cache = nodes.length === 1 ? findCache(info) : null;
  if (!cache) return collectFields(info, type, nodes, null);
  const combination = `${type.name} ${serializeBooleans(info)}`;
  const known = cache.get(nodes[0]!, combination);
  if (known) return known;
  const selection = collectFields(info, type, nodes, cache);
  cache.set(nodes[0]!, combination, selection);
  return selection;
}

function collectFields(
  info: SelectionInfo,
  type: Selection['type'],
  nodes: readonly FieldNode[],
  cache: SelectionCache | null,
): Selection {
  cache?.count(bytesPerSelection);
  const selection: Selection = {
    type,
    fieldsByType: new Map(),
    typeNames: new Set([type.name]),
    access: new Map(),
    hasConversions: false,
    hasResolvers: false,
    fieldsWithArguments: [],
    templates: new Map(),
    cache,
  };
  const concreteTypes = isAbstractType(type) ? info.schema.getPossibleTypes(type) : [type];
  // Types that select a field by the same nodes share one object, so that its SQL is written and computed once.
  const shared = new Map<FieldNode, SelectedField>();
  for (const concreteType of concreteTypes) {
    const collected = collectSubfields(
      info.schema,
      info.fragments as Record<string, FragmentDefinitionNode>,
      info.variableValues,
      concreteType,
      nodes,
    );
    const fields: SelectedField[] = [];
    for (const [key, fieldNodes] of collected) {
      const equal = shared.get(fieldNodes[0]!);
      const field =
        equal && hasSameNodes(equal.nodes, fieldNodes) && hasSameType(equal, concreteType)
          ? equal
          : collectField(info, concreteType, key, fieldNodes, selection);
      shared.set(fieldNodes[0]!, field);
      fields.push(field);
    }
    selection.fieldsByType.set(concreteType.name, fields);
    cache?.count(bytesPerField * fields.length);
  }
  return selection;
}

const hasSameNodes = (one: readonly FieldNode[], other: readonly FieldNode[]) =>
  one.length === other.length && one.every((node, index) => node === other[index]);

/** A field can be non-null in one type and nullable in another. */
const hasSameType = ({ name, field }: SelectedField, type: GraphQLObjectType) =>
  String((type.getFields()[name] ?? TypeNameMetaFieldDef).type) === String(field.type);

/** Collects one field, and adds what it requires to the selection that it belongs to. */
function collectField(
  info: SelectionInfo,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
  parent: Selection,
): SelectedField {
  const node = nodes[0]!;
  const name = node.name.value;
  const field = type.getFields()[name] ?? TypeNameMetaFieldDef;
  const selected: SelectedField = { key, name, field, node, nodes };
  if (isCompositeType(getNamedType(field.type))) {
    selected.selection = collectFields(info, getNamedType(field.type) as Selection['type'], nodes, parent.cache);
    for (const typeName of selected.selection.typeNames) parent.typeNames.add(typeName);
    for (const [access, path] of selected.selection.access) requireFor(parent, access, [name, ...path]);
    parent.fieldsWithArguments.push(...selected.selection.fieldsWithArguments);
    parent.hasConversions ||= selected.selection.hasConversions;
    parent.hasResolvers ||= selected.selection.hasResolvers;
  }
  selected.conversion = field.extensions.conversion as Conversion | undefined;
  parent.hasConversions ||= selected.conversion !== undefined;
  parent.hasResolvers ||= field.extensions.resolvedFrom !== undefined;
  const access = findAccess(field);
  if (access) requireFor(parent, access, [name]);
  if (node.arguments?.length) parent.fieldsWithArguments.push(selected);
  return selected;
}

function requireFor({ access }: Selection, required: Access, path: readonly string[]): void {
  if (!access.has(required)) access.set(required, path);
}

const booleanVariables = new WeakMap<OperationDefinitionNode, string[]>();

function serializeBooleans({ operation, variableValues }: SelectionInfo): string {
  let names = booleanVariables.get(operation);
  if (!names) {
    names = (operation.variableDefinitions ?? [])
      .filter(({ type }) => {
        const named = type.kind === 'NonNullType' ? type.type : type;
        return named.kind === 'NamedType' && named.name.value === 'Boolean';
      })
      .map(({ variable }) => variable.name.value);
    booleanVariables.set(operation, names);
  }
  let flags = '';
  for (const name of names) flags += variableValues[name] ? `${name} ` : '-';
  return flags;
}
