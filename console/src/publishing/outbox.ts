import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TypedDocumentString } from '../api/documents.ts';
import { createKey } from '../api/idempotency-key.ts';
import { useStored } from '../api/stored.ts';
import { ConnectionError, request, RequestError } from '../api/transport.ts';
import { type FieldErrors, toFieldErrors, type UserError } from '../ui/field-errors.ts';

/** A mutation whose payload is `result`. */
interface Payload {
  notice?: { id: string } | null;
  publication?: { id: string } | null;
  userErrors: UserError[];
}
type PublishingDocument<Variables> = TypedDocumentString<{ result?: Payload | null }, Variables>;

interface Pending<Variables> {
  key: string;
  variables: Variables;
  at: number;
}

/** Idle; on its way; waiting for a connection; or found after a long time, when the world may have moved. */
export type OutboxState = 'idle' | 'sending' | 'waiting' | 'old';

const oldMs = 10 * 60_000;
const firstDelayMs = 500;
const longestDelayMs = 8_000;

/**
 * Sends a mutation exactly once. It is stored with its idempotency key before it is sent, and sent with that key until
 * there is a response, also after a reload: nobody knows whether a request without a response was carried out.
 */
export function useOutbox<Variables>(
  name: string,
  document: PublishingDocument<Variables>,
  onDone: (payload: Payload) => void,
) {
  const client = useQueryClient();
  const [pending, setPending] = useStored<Pending<Variables>>(`outbox ${name}`);
  const [isWaiting, setWaiting] = useState(false);
  const [confirmedKey, setConfirmedKey] = useState<string>();
  const [errors, setErrors] = useState<FieldErrors>({});
  const isOld = pending !== undefined && pending.key !== confirmedKey && Date.now() - pending.at > oldMs;

  // biome-ignore lint/correctness/useExhaustiveDependencies: one attempt after the other for each key
  useEffect(() => {
    if (!pending || isOld) return;
    const ending = new AbortController();
    sendUntilAnswered(document, pending, setWaiting, ending.signal).then(
      result => {
        setPending(undefined);
        setErrors(toFieldErrors(result.userErrors));
        if (result.userErrors.length) return;
        client.invalidateQueries();
        onDone(result);
      },
      error => {
        if (ending.signal.aborted) return;
        setPending(undefined);
        setErrors({ '': error.message });
      },
    );
    return () => ending.abort();
  }, [pending?.key, isOld]);

  const state: OutboxState = !pending ? 'idle' : isOld ? 'old' : isWaiting ? 'waiting' : 'sending';
  return {
    state,
    errors,
    send: (variables: Variables) => {
      setErrors({});
      setPending({ key: createKey(), variables, at: Date.now() });
    },
    /** Sends what was found after a long time. */
    confirm: () => setConfirmedKey(pending?.key),
    discard: () => setPending(undefined),
  };
}

async function sendUntilAnswered<Variables>(
  document: PublishingDocument<Variables>,
  { key, variables }: Pending<Variables>,
  setWaiting: (isWaiting: boolean) => void,
  signal: AbortSignal,
): Promise<Payload> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    try {
      const { result } = await request(document, variables, { idempotencyKey: key, signal });
      setWaiting(false);
      return result!;
    } catch (error) {
      // While the first attempt runs, the second is refused as a conflict.
      const isUnanswered =
        error instanceof ConnectionError || (error instanceof RequestError && error.code === 'CONFLICT');
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
