import { hash } from 'node:crypto';
import { type ArgumentNode, type FieldNode, getArgumentValues, type GraphQLField, Kind, visit } from 'graphql';
import { type Caller, describeRights, findAccess, requireAccess } from '../../auth/access.js';
import { badRequest } from '../../core/errors.js';
import type { ChangeSource, SubscriptionArguments } from '../change-subscription.js';
import type { ApiDependencies } from '../context.js';
import { createContext } from '../create-context.js';
import { collectRootFields, executeQuery, selectsResolvers, toJsonObject } from '../fast-path.js';
import type { Subscription } from './record-subscriptions.js';
import type { AcceptedSubscription } from './plugin.js';

/** What a document without its cursor and callers of the same rights have in common: their events. */
const createKey = (caller: Caller, source: string, operation: string | undefined, variables: object) =>
  hash('sha256', JSON.stringify([describeRights(caller), operation, source, variables]), 'base64url');

/** Of its variables, in characters of JSON. They are kept while the stream is open, and those of records are short. */
const maxVariablesLength = 10_000;

/** Prepares a subscription for the broker. Throws where the caller may not have its root field. */
export function prepareSubscription(
  api: ApiDependencies,
  caller: Caller,
  { prepared, variables, source: text }: AcceptedSubscription,
  formatErrors: (errors: readonly Error[]) => unknown[],
): Subscription {
  if (JSON.stringify(variables).length > maxVariablesLength)
    throw badRequest(`The variables of a subscription are longer than ${maxVariablesLength} characters.`);
  const [nodes] = collectRootFields(prepared, variables).values();
  if (!nodes) throw badRequest('The subscription has no field.');
  const node = nodes[0]!;
  const field: GraphQLField<unknown, unknown> = prepared.root.getFields()[node.name.value]!;
  const { source } = field.extensions as { source: ChangeSource };
  const args = getArgumentValues(field, node, variables) as SubscriptionArguments & { pageId?: string };
  requireAccess(caller, findAccess(field)!, args);
  if (selectsResolvers(prepared, variables))
    throw badRequest('An event cannot have `history`, `uptime` and `banner`: query them when it arrives.');
  // Of the cursor, which an event must not be older than.
  const context = createContext({ api, caller, outputMode: 'graphql', readsPrimary: true });
  return {
    source,
    args,
    key: createKey(caller, text, prepared.operation.name?.value, withoutCursor(node, variables, prepared)),
    caller,
    read: async cursor => {
      const { fields, errors } = await executeQuery(prepared, variables, context, { cursor });
      const data = toJsonObject(fields);
      const formatted = errors.length ? `"errors":${JSON.stringify(formatErrors(errors))},` : '';
      return { text: `{${formatted}"data":${data}}`, errors };
    },
  };
}

/** The variables but the one that is only the cursor, so that clients with different cursors share a topic. */
function withoutCursor(
  node: FieldNode,
  variables: Record<string, unknown>,
  { operation, fragments }: AcceptedSubscription['prepared'],
): Record<string, unknown> {
  const value = node.arguments?.find(({ name }: ArgumentNode) => name.value === 'after')?.value;
  if (value?.kind !== Kind.VARIABLE) return variables;
  const { [value.name.value]: _, ...others } = variables;
  let uses = 0;
  for (const definition of [operation, ...Object.values(fragments)])
    visit(definition, {
      VariableDefinition: () => false,
      Variable: ({ name }) => {
        if (name.value === value.name.value) uses += 1;
      },
    });
  return uses === 1 ? others : variables;
}
