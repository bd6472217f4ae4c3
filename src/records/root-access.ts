import type { FragmentDefinitionNode, GraphQLResolveInfo } from 'graphql';
import { type Access, findAccess } from '../auth/access.js';
import { collectFields } from './collect-fields.js';

/** The access of the root field of a read. None for the payload of a mutation, which is checked before. */
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
