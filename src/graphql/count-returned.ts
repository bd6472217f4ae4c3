import {
  defaultFieldResolver,
  type ExecutionResult,
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isListType,
  getNullableType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { Extensions } from 'type-graphql';
import type { ResponseSize } from '../records/raise-sql.js';
import type { Context } from './context.js';

/** Declares that the resolver of a field has a maximum of its own: what it returns does not count for the response. */
export const HasOwnMaximum = () => Extensions({ hasOwnMaximum: true });

/** Quotes, a colon and a comma. */
const bytesPerName = 4;
/** Of `__typename` of an object, which has no resolver. */
const bytesPerTypeName = 40;

/**
 * Counts what resolvers return as part of the response. A query can have a field a hundred times, by its aliases, a
 * list has it for each of its objects, and a record that is read once is shown wherever another refers to it.
 */
export function countReturned(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !roots.includes(type) && !type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) if (!field.extensions.hasOwnMaximum) countField(field);
}

function countField(field: GraphQLField<unknown, Context>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  const isLeaf = isLeafType(getNamedType(field.type));
  const isList = isListType(getNullableType(field.type));
  const count = (value: unknown, { returned }: Context, info: GraphQLResolveInfo): unknown => {
    // A list can have thousands of fields beyond the maximum, each of which would be an error.
    if (returned.isExceeded && returned.refusedFields.has(findRootKey(info)) && !isNonNullType(field.type)) return null;
    try {
      returned.add(info.path.key.toString().length + bytesPerName);
      if (isLeaf) returned.addValue(value);
      else if (isList && Array.isArray(value)) countObjects(value.length, returned, info);
      return value;
    } catch (error) {
      returned.refusedFields.add(findRootKey(info));
      throw error;
    }
  };
  field.resolve = (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    return value instanceof Promise
      ? value.then(resolved => count(resolved, context, info))
      : count(value, context, info);
  };
}

function findRootKey({ path }: GraphQLResolveInfo): string {
  let root = path;
  while (root.prev) root = root.prev;
  return String(root.key);
}

/** Makes root fields null of which a part is beyond the maximum: it would look like values that are null. */
export function removeRefused({ data }: Pick<ExecutionResult, 'data'>, { refusedFields }: ResponseSize): void {
  if (data) for (const key of refusedFields) data[key] = null;
}

function countObjects(count: number, returned: ResponseSize, { fieldNodes, fragments }: GraphQLResolveInfo): void {
  const countTypeNames = (selectionSet: SelectionSetNode | undefined): number =>
    (selectionSet?.selections ?? []).reduce((sum, node) => {
      if (node.kind === 'Field') return node.name.value === '__typename' ? sum + 1 : sum;
      const fragment = node.kind === 'FragmentSpread' ? fragments[node.name.value]! : node;
      return sum + countTypeNames(fragment.selectionSet);
    }, 0);
  const names = fieldNodes.reduce((sum: number, node: FieldNode) => sum + countTypeNames(node.selectionSet), 0);
  returned.add(count * (bytesPerName + names * bytesPerTypeName));
}
