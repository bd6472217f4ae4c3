import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { SessionDocument, type SessionQuery, type TypedDocumentString } from './documents.ts';
import { createKey } from './idempotency-key.ts';
import { request, RequestError, subscribe } from './transport.ts';

type Document<Result, Variables> = TypedDocumentString<Result, Variables>;

const toQuery = <Result, Variables>(document: Document<Result, Variables>, variables: Variables) => ({
  queryKey: [document.toString(), variables],
  queryFn: ({ signal }: { signal: AbortSignal }) => request(document, variables, { signal }),
});

/** Reads what a screen cannot do without: it suspends, and fails to the error boundary of the screen. */
export function useRead<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  { intervalMs }: { intervalMs?: number } = {},
): Result {
  return useSuspenseQuery({ ...toQuery(document, variables), refetchInterval: intervalMs }).data;
}

/** Reads who is signed in, with all their pages. */
export const useSessionQuery = (): SessionQuery =>
  useSuspenseQuery({
    queryKey: [SessionDocument.toString()],
    queryFn: async ({ signal }) => {
      const session = await request(SessionDocument, { after: null }, { signal });
      const pages = session.viewer?.pages;
      for (let info = pages?.pageInfo; info?.hasNextPage; ) {
        const next = (await request(SessionDocument, { after: info.endCursor }, { signal })).viewer?.pages;
        pages!.nodes.push(...(next?.nodes ?? []));
        info = next?.pageInfo;
      }
      return session;
    },
  }).data;

interface LazyOptions<Result> {
  isEnabled?: boolean;
  /** Undefined: it is not read again by itself. */
  intervalMs?: number | ((data: Result | undefined) => number | undefined);
}

/** Reads what may be absent for a while; the previous result stays until the next has arrived. */
export function useLazyRead<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  { isEnabled = true, intervalMs }: LazyOptions<Result> = {},
) {
  return useQuery({
    ...toQuery(document, variables),
    enabled: isEnabled,
    refetchInterval: typeof intervalMs === 'function' ? ({ state }) => intervalMs(state.data) : intervalMs,
    placeholderData: keepPreviousData,
  });
}

/** The same document for each of several variables, as one result. */
export function useLazyReads<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables[],
  { intervalMs }: { intervalMs?: number } = {},
) {
  return useQuery({
    queryKey: [document.toString(), variables],
    queryFn: ({ signal }) => Promise.all(variables.map(each => request(document, each, { signal }))),
    refetchInterval: intervalMs,
    placeholderData: keepPreviousData,
  });
}

/** Writes, and reads again what is on the screen. A mutation is not repeated by itself: see publishing/outbox.ts. */
export function useWrite<Result, Variables>(document: Document<Result, Variables>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => request(document, variables, { idempotencyKey: createKey() }),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Reads again who is signed in. Where that is nobody, the screen to sign in follows. */
export const readSessionAgain = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [SessionDocument.toString()] });

/** For queries that an ended session does not refuse, but answers as it answers everybody. */
export function useSessionEnd(hasEnded: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (hasEnded) void readSessionAgain(client);
  }, [client, hasEnded]);
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** Follows a subscription while the component is shown, and connects again after an interruption. */
export function useLive<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables | null,
  onEvent: (event: Result) => void,
): void {
  const key = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the variables are compared by their text
  useEffect(() => {
    if (variables === null) return;
    const ending = new AbortController();
    follow(document, variables, onEvent, ending.signal);
    return () => ending.abort();
  }, [document, key]);
}

async function follow<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  onEvent: (event: Result) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let delayMs = firstDelayMs; !signal.aborted; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    try {
      for await (const event of subscribe(document, variables, signal)) {
        delayMs = firstDelayMs;
        onEvent(event);
      }
    } catch (error) {
      // The record is gone, or the session has ended: the next read says so.
      if (error instanceof RequestError) return;
    }
    await new Promise(done => setTimeout(done, delayMs));
  }
}

/** Writes what the service refuses an idempotency key for, since its response has a secret that is not stored. */
export function useUnrepeatedWrite<Result, Variables>(document: Document<Result, Variables>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => request(document, variables),
    onSuccess: () => client.invalidateQueries(),
  });
}
