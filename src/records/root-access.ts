import type { FragmentDefinitionNode, GraphQLResolveInfo } from 'graphql';
import { type Access, findAccess } from '../auth/access.js';
import { collectFields } from './collect-fields.js';

/**
 * The access of the root field that a read belongs to. A payload of a mutation is read after the write, which had its
 * own check, so nothing is added for it.
 */
export function collectRootAccess(info: GraphQLResolveInfo): Access[] {
  const { schema, parentType, fieldName, operation, fragments, variableValues } = info;
  if (parentType === schema.getQueryType()) return [findAccess(parentType.getFields()[fieldName]!)!];
  if (operation.operation !== 'subscription') return [];
  const root = schema.getSubscriptionType()!;
  const nodes = collectFields(
    schema,
    fragments as Record<string, FragmentDefinitionNode>,
    variableValues,
    root,
    operation.selectionSet,
  );
  return [...nodes.values()].map(([node]) => findAccess(root.getFields()[node!.name.value]!)!);
}
