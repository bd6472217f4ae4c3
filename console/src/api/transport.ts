import type { TypedDocumentString } from './documents.ts';

export type ErrorCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND' | 'PRECONDITION_FAILED' | (string & {});

/** A refusal by the service. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly code: ErrorCode,
    /** Of the argument that it is about. */
    readonly path: string[] = [],
  ) {
    super(message);
  }
}

/** The response did not arrive: nobody knows whether the request did. */
export class ConnectionError extends Error {}

/** Whether another attempt may succeed: the connection was lost, or the service was busy. */
export const isTransient = (error: Error): boolean =>
  !(error instanceof RequestError) || error.code === 'UNAVAILABLE' || error.code === 'THROTTLED';

interface Options {
  signal?: AbortSignal;
  idempotencyKey?: string;
}

interface GraphqlResult<Result> {
  data?: Result | null;
  errors?: { message: string; extensions?: { code?: string; path?: string[] } }[];
}

/** Runs a document. The session is a cookie of this origin. */
export async function request<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { signal, idempotencyKey }: Options = {},
): Promise<Result> {
  const response = await post('/graphql', document, variables, {
    signal,
    headers: { accept: 'application/json', ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
  });
  // A connection that ends within the response is a lost response, too.
  const result = await response.json().catch(error => {
    // A proxy has refused its size: another attempt would be refused, too, as was each before.
    if (error instanceof SyntaxError && response.status === 413)
      throw new RequestError(`The request was refused with status ${response.status}.`, 'REFUSED');
    throw toConnectionError(error, signal);
  });
  return readResult(result);
}

/** The events of a subscription, until it ends. */
export async function* subscribe<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal: AbortSignal,
): AsyncGenerator<Result> {
  const response = await post('/graphql/stream', document, variables, {
    signal,
    headers: { accept: 'text/event-stream' },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const events = (buffer + chunk.value).split('\n\n');
    buffer = events.pop()!;
    for (const event of events) {
      const data = /^data: ?(.+)$/m.exec(event)?.[1];
      if (data) yield readResult<Result>(JSON.parse(data));
    }
  }
}

async function post(path: string, document: { toString(): string }, variables: unknown, options: RequestInit) {
  const headers = { ...(options.headers as Record<string, string>), 'content-type': 'application/json' };
  const body = JSON.stringify({ query: document.toString(), variables });
  const response = await fetch(path, { ...options, method: 'POST', headers, body }).catch(error => {
    throw toConnectionError(error, options.signal);
  });
  if (response.status === 502 || response.status === 503 || response.status === 504)
    throw new ConnectionError('The service is unavailable at the moment. Nothing that you wrote is lost.');
  return response;
}

/** Not for what the console itself has ended. */
const toConnectionError = (error: unknown, signal?: AbortSignal | null): unknown =>
  signal?.aborted && signal.reason?.name !== 'TimeoutError'
    ? error
    : new ConnectionError('The service cannot be reached. Nothing that you wrote is lost.');

function readResult<Result>({ data, errors }: GraphqlResult<Result>): Result {
  const [error] = errors ?? [];
  if (error) throw new RequestError(error.message, error.extensions?.code ?? 'SYSTEM', error.extensions?.path);
  return data!;
}
