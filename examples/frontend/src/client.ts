import { cacheExchange, Client, type Exchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-sse';

/** Waits before the next attempt to connect: at random, so that clients do not all come back at once. */
const retry = () => new Promise<void>(resolve => setTimeout(resolve, 1_000 + 4_000 * Math.random()));

export function createUrqlClient(service: string, token?: string, cache: Exchange = cacheExchange): Client {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const retryAttempts = Number.POSITIVE_INFINITY;
  const events = createClient({ url: `${service}/graphql/stream`, headers, retryAttempts, retry });
  return new Client({
    url: `${service}/graphql`,
    fetchOptions: { headers },
    exchanges: [
      cache,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: sink => ({ unsubscribe: events.subscribe({ query, variables }, sink) }),
        }),
      }),
    ],
  });
}
