import type { FragmentDefinitionNode, GraphQLResolveInfo } from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { type Access, findAccess } from '../auth/access.js';

/**
 * The only import of `graphql/execution/collectFields.js`, which graphql-js ships but does not export from its index:
 * the algorithms CollectFields and CollectSubfields of the specification, by which the standard execution resolves
 * fragments, @include and @skip. The version of graphql-js is pinned, and test/unit/records/internals.test.ts checks
 * what they return.
 */
export { collectFields, collectSubfields };

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
