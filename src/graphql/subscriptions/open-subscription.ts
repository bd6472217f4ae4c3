import { hash } from 'node:crypto';
import {
  type ArgumentNode,
  execute,
  type FieldNode,
  getArgumentValues,
  type GraphQLError,
  type GraphQLField,
  Kind,
  visit,
} from 'graphql';
import { type Caller, describeRights, findAccess, requireAccess } from '../../auth/access.js';
import { badRequest } from '../../core/errors.js';
import type { ChangeEvent, ChangeSource, SubscriptionArguments } from '../change-subscription.js';
import type { OutputMode } from '../../records/statement.js';
import type { ApiDependencies } from '../context.js';
import { removeRefused } from '../count-returned.js';
import { createContext } from '../create-context.js';
import { coerceVariables, collectRootFields, executeQuery, selectsResolvers, toJsonObject } from '../fast-path.js';
import { checkLength, type SubscriptionDocument, type SubscriptionDocuments } from './documents.js';
import type { Subscription } from './record-subscriptions.js';
import type { AcceptedSubscription } from './plugin.js';

/** What a document without its cursor and callers of the same rights have in common: their events. */
const createKey = (caller: Caller, source: string, operation: string | undefined, variables: object) =>
  hash('sha256', JSON.stringify([describeRights(caller), operation, source, variables]), 'base64url');

/** Prepares a subscription for the broker. Throws where the caller may not have its root field. */
export function prepareSubscription(
  api: ApiDependencies,
  caller: Caller,
  documents: SubscriptionDocuments,
  { prepared, variables, document }: AcceptedSubscription,
  formatErrors: (errors: readonly Error[]) => unknown[],
): Subscription {
  checkLength(document);
  const [nodes] = collectRootFields(prepared, variables).values();
  if (!nodes) throw badRequest('The subscription has no field.');
  const node = nodes[0]!;
  const field: GraphQLField<unknown, unknown> = prepared.root.getFields()[node.name.value]!;
  const { source } = field.extensions as { source: ChangeSource };
  const args = getArgumentValues(field, node, variables) as SubscriptionArguments & { pageId?: string };
  requireAccess(caller, findAccess(field)!, args);
  const execution = selectsResolvers(prepared, variables) ? executeWithResolvers : executeOnFastPath;
  const { source: text } = document;
  return {
    source,
    args,
    key: createKey(caller, text, prepared.operation.name?.value, withoutCursor(node, variables, prepared)),
    caller,
    read: async cursor => {
      const { data, errors } = await execution(api, caller, prepareAgain(documents, document), { cursor });
      const formatted = errors.length ? `"errors":${JSON.stringify(formatErrors(errors))},` : '';
      return { text: `{${formatted}"data":${data}}`, errors };
    },
  };
}

/** For an event: the stream keeps neither the parsed document nor the values. */
function prepareAgain(documents: SubscriptionDocuments, document: SubscriptionDocument): PreparedSubscription {
  const prepared = documents.prepare(document);
  const given = JSON.parse(document.variables) as Record<string, unknown>;
  return { prepared, given, variables: coerceVariables(prepared.schema, prepared.operation, given).coerced! };
}

interface PreparedSubscription extends Pick<AcceptedSubscription, 'prepared' | 'variables'> {
  /** The variables as the client sent them. */
  given: Record<string, unknown>;
}

type Execution = (
  api: ApiDependencies,
  caller: Caller,
  subscription: PreparedSubscription,
  event: ChangeEvent,
) => Promise<{ data: string; errors: readonly GraphQLError[] }>;

/** A context for one event. It reads the primary database: the cursor is its, and an event must not be older. */
const createEventContext = (api: ApiDependencies, caller: Caller, outputMode: OutputMode) =>
  createContext({ api, caller, outputMode, isEvent: true });

const executeOnFastPath: Execution = async (api, caller, { prepared, variables }, event) => {
  const context = createEventContext(api, caller, 'graphql');
  const { fields, errors } = await executeQuery(prepared, variables, context, event);
  return { data: toJsonObject(fields), errors };
};

/** For what the public page computes, such as `banner`: as many statements as a query of it takes. */
const executeWithResolvers: Execution = async (api, caller, { prepared, given }, event) => {
  const { schema, operation, fragments } = prepared;
  const contextValue = createEventContext(api, caller, 'execution');
  const result = await execute({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] },
    rootValue: event,
    variableValues: given,
    contextValue,
  });
  removeRefused(result, contextValue.returned);
  const { data, errors = [] } = result;
  return { data: JSON.stringify(data ?? null), errors };
};

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
