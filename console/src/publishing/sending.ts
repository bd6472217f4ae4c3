import type { TypedDocumentString } from '../api/documents.ts';
import { ConnectionError, request, RequestError } from '../api/transport.ts';
import type { UserError } from '../ui/field-errors.ts';
import type { SeenPreview } from './seen-preview.ts';

/** What was written on one page. */
export interface Written {
  notice?: { id: string } | null;
  publication?: { id: string } | null;
}
/** What was written; the mutation of several pages has a list. */
export interface Payload extends Written {
  results?: Written[] | null;
  userErrors: UserError[];
}
/** A mutation whose payload is `result`. */
export type PublishingDocument<Variables> = TypedDocumentString<{ result?: Payload | null }, Variables>;

interface Result {
  result: Payload;
}

export interface Pending {
  key: string;
  document: string;
  variables: object;
  /** What the author has seen of it, by page. */
  seen: SeenPreview[];
  shouldNotify: boolean;
  at: number;
  /** The screen on which it was pressed. */
  path: string;
  /** Whether an attempt was made with a network: its response may have been lost, and not the request. */
  mayHaveArrived: boolean;
}

/** A network that loses bytes, and says nothing, never answers. */
const attemptMs = 15_000;
const firstDelayMs = 500;
const longestDelayMs = 8_000;

interface Sending {
  setWaiting: (isWaiting: boolean) => void;
  /** Before the first attempt with a network. */
  onSending: () => void;
  signal: AbortSignal;
}

/** Sends it with its idempotency key until there is a response. */
export async function sendUntilAnswered(
  { key, document, variables, mayHaveArrived: wasSent }: Pending,
  { setWaiting, onSending, signal }: Sending,
): Promise<Payload> {
  let mayHaveArrived = wasSent;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    if (!mayHaveArrived && navigator.onLine) {
      mayHaveArrived = true;
      onSending();
    }
    try {
      const options = { idempotencyKey: key, signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]) };
      const sent = document as unknown as TypedDocumentString<Result, object>;
      return (await request(sent, variables, options)).result;
    } catch (error) {
      // While the first attempt runs, the second is refused as a conflict; a busy service refuses before it writes.
      const isUnanswered =
        error instanceof ConnectionError ||
        (error instanceof RequestError && ['CONFLICT', 'UNAVAILABLE'].includes(error.code));
      if (!isUnanswered || signal.aborted) throw error;
      setWaiting(true);
      await waitForConnection(delayMs);
      if (signal.aborted) throw error;
    }
  }
}

/** Until the time is over, or the browser is connected again. */
const waitForConnection = (delayMs: number): Promise<unknown> =>
  new Promise(done => {
    setTimeout(done, delayMs);
    addEventListener('online', done, { once: true });
  });
