import { createClient } from 'graphql-sse';
import type { TypedDocumentString } from './graphql.js';

/** Where the service is: this origin, unless the build names another. */
const url = `${import.meta.env.VITE_SERVICE_URL ?? ''}/graphql`;

/** The code of a refusal is in `extensions.code`; what is refused about an argument, in `extensions.path`. */
export class GraphqlError extends Error {
  constructor(readonly errors: { message: string; path?: string[]; extensions?: { code: string } }[]) {
    super(errors.map(({ message }) => message).join(' '));
  }

  /** Whether the same query can be answered in a moment, since others ask for more than the service can. */
  get isTemporary(): boolean {
    return this.errors.some(({ extensions }) => /^(UNAVAILABLE|THROTTLED)$/.test(extensions?.code ?? ''));
  }
}

/** Reads by GET, so that the browser keeps the response and asks again with its ETag: unchanged, it is 304. */
export async function query<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const parameters = new URLSearchParams({ query: String(document), variables: JSON.stringify(variables) });
  const response = await fetch(`${url}?${parameters}`, { headers: { Accept: 'application/graphql-response+json' } });
  const { data, errors } = await response.json();
  if (errors) throw new GraphqlError(errors);
  return data;
}

/**
 * Calls back at each event, the first of which comes at once. A lost connection is opened again; an event with errors
 * is the last.
 */
export function follow<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  onEvent: (result: Result) => void,
  onEnd: (error: unknown) => void,
): () => void {
  const client = createClient({ url: `${url}/stream`, retryAttempts: Number.POSITIVE_INFINITY });
  return client.subscribe<Result>(
    { query: String(document), variables },
    {
      next: ({ data, errors }) => (data && !errors ? onEvent(data) : onEnd(errors)),
      error: onEnd,
      complete: () => {},
    },
  );
}
