import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { type PreparedOperation, prepareWithVariables } from '../fast-path.js';
import type { SubscriptionDocument } from './documents.js';

/** A subscription that passed validation and the limits. */
export interface AcceptedSubscription {
  prepared: PreparedOperation;
  variables: Record<string, unknown>;
  document: SubscriptionDocument;
}

/** What the endpoint and Apollo exchange about a request that accepts server-sent events. */
export interface EventRequest {
  method: 'GET' | 'POST';
  /** Whether the client accepts nothing else. */
  isRequired: boolean;
  /**
   * Whether the client is the EventSource of a browser, which cannot read the status of a refusal, and calls
   * `onmessage` for events without a type.
   */
  isEventSource: boolean;
  /** Set if the operation is a subscription, which the endpoint opens in place of sending Apollo's response. */
  subscription?: AcceptedSubscription;
}

/** Hands subscriptions to the endpoint, since Apollo runs queries and mutations only. */
export const subscriptionPlugin: ApolloServerPlugin<{ events?: EventRequest }> = {
  requestDidStart: async ({ schema }) => ({
    didResolveOperation: async ({ operation, contextValue: { events } }) => {
      if (operation?.operation === 'subscription' && !events)
        throw refusal(406, 'Send a subscription with `Accept: text/event-stream`.');
      // Apollo sees a POST, as it runs no subscription by GET, which is how browsers request events.
      if (operation?.operation === 'mutation' && events?.method === 'GET')
        throw refusal(405, 'Send a mutation by POST.');
    },
    responseForOperation: async ({
      document: parsed,
      operation,
      request,
      source,
      contextValue: { events },
      response,
    }) => {
      if (operation?.operation !== 'subscription') return null;
      const { prepared, variables } = prepareWithVariables(schema, parsed, operation, request.variables);
      // The execution reports invalid variables.
      if (!variables) return null;
      const document = {
        source,
        operationName: request.operationName,
        variables: JSON.stringify(request.variables ?? {}),
      };
      events!.subscription = { prepared, variables, document };
      return { http: response.http, body: { kind: 'single', singleResult: {} } };
    },
  }),
};

const refusal = (status: number, message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });
