import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../../core/errors.js';

export interface UserError {
  path: string[];
  message: string;
}

interface ResponseError {
  message: string;
  extensions?: { code?: string; retryAfter?: number };
}

/** Sends one operation, and returns the value of its field `result`. Throws the first error as a CommandError. */
export type SendOperation = <Result>(document: string, variables: object) => Promise<Result>;

const requestTimeoutMs = 60_000;
const defaultRetrySeconds = 1;

export class RefusedOperation extends CommandError {
  constructor(
    readonly code: string | undefined,
    message: string,
  ) {
    super(message);
  }
}

/** Talks to the GraphQL API of a service. A request that is refused for its rate is sent again when it may be. */
export function createGraphqlClient(url: string, token: string): SendOperation {
  const endpoint = new URL('graphql', url.endsWith('/') ? url : `${url}/`);
  return async <Result>(document: string, variables: object) => {
    for (;;) {
      const response = await post(endpoint, token, { query: document, variables });
      const [error] = response.errors ?? [];
      if (!error) return response.data.result as Result;
      const { code, retryAfter = defaultRetrySeconds } = error.extensions ?? {};
      if (code !== 'THROTTLED') throw new RefusedOperation(code, `${error.message}\n`);
      await delay(retryAfter * 1_000);
    }
  };
}

/** Without data there are errors. */
interface GraphqlResponse {
  data: { result: unknown };
  errors?: ResponseError[];
}

async function post(endpoint: URL, token: string, body: object): Promise<GraphqlResponse> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(requestTimeoutMs);
  let response: Response;
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
  } catch (error) {
    const { cause, message } = error as Error;
    throw new CommandError(
      `${endpoint.origin} cannot be reached: ${(cause as Error | undefined)?.message ?? message}\n`,
    );
  }
  const text = await response.text();
  const parsed = parseResponse(text);
  if (!parsed) throw new CommandError(`${endpoint} is not a GraphQL API: the response was HTTP ${response.status}.\n`);
  return parsed;
}

function parseResponse(text: string): GraphqlResponse | null {
  try {
    const parsed = JSON.parse(text) as Partial<GraphqlResponse>;
    return parsed.data || Array.isArray(parsed.errors) ? (parsed as GraphqlResponse) : null;
  } catch {
    return null;
  }
}
