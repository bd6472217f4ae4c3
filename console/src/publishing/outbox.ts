import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { createKey } from '../api/idempotency-key.ts';
import { readSessionAgain } from '../api/hooks.ts';
import { useStored } from '../api/stored.ts';
import { RequestError } from '../api/transport.ts';
import { type FieldErrors, toFieldErrors } from '../ui/field-errors.ts';
import { delayDuringUnload } from './delay-during-unload.ts';
import type { SeenPreview } from './seen-preview.ts';
import { type Payload, type Pending, type PublishingDocument, sendUntilAnswered } from './sending.ts';

/** The service has not published it, since it would differ from what the author has seen. */
export interface ChangedPreview {
  message: string;
  seen: SeenPreview[];
}

/** Idle; on its way; waiting for a connection; or found after a long time, when the world may have moved. */
export type OutboxState = 'idle' | 'sending' | 'waiting' | 'old';

const changedMeanwhile =
  'Nothing was published, since somebody has changed this meanwhile. It is on the screen as it is now; press again ' +
  'to publish.';
const goneMeanwhile = 'Nothing was published, since somebody has published or deleted this meanwhile.';
const stoppedWaiting =
  'This may have been published: a request was sent, and its response was lost. Check that before you publish again.';
const oldMs = 10 * 60_000;

/**
 * Sends a mutation exactly once. It is stored with its idempotency key before it is sent, and sent with that key until
 * there is a response, also after a reload and on other screens (left-outboxes.tsx): nobody knows whether a request
 * without a response was carried out.
 */
export function useOutbox(name: string, onDone: (payload: Payload) => void) {
  const client = useQueryClient();
  const here = useHere();
  const [pending, setPending] = useStored<Pending>(`outbox ${name}`);
  const [isWaiting, setWaiting] = useState(false);
  const [confirmedKey, setConfirmedKey] = useState<string>();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [changed, setChanged] = useState<ChangedPreview>();
  const isOld = pending !== undefined && pending.key !== confirmedKey && Date.now() - pending.at > oldMs;

  // biome-ignore lint/correctness/useExhaustiveDependencies: one attempt after the other for each key
  useEffect(() => {
    if (!pending || isOld) return;
    setWaiting(false);
    const onSending = () => setPending({ ...pending, mayHaveArrived: true });
    const ending = new AbortController();
    const sent = sendUntilAnswered(pending, { setWaiting, onSending, signal: ending.signal });
    sent.finally(delayDuringUnload(ending.signal)).then(
      result => {
        if (ending.signal.aborted) return;
        setPending(undefined);
        setErrors(toFieldErrors(result.userErrors));
        if (result.userErrors.length) return;
        client.invalidateQueries();
        onDone(result);
      },
      async error => {
        if (ending.signal.aborted) return;
        if (error instanceof RequestError && error.code === 'PRECONDITION_FAILED') {
          const isOther = error.path.at(-1) === 'ifVersion';
          setChanged({ message: isOther ? changedMeanwhile : error.message, seen: pending.seen });
          // Until the new preview is there, another attempt would be refused for the same reason.
          await client.invalidateQueries();
        } else {
          const isGone = error instanceof RequestError && error.code === 'NOT_FOUND';
          setErrors({ '': isGone ? goneMeanwhile : error.message });
          // What is written is stored, and is there again after the sign-in.
          if (error instanceof RequestError && error.code === 'UNAUTHENTICATED') void readSessionAgain(client);
        }
        setPending(undefined);
      },
    );
    return () => ending.abort();
  }, [pending?.key, isOld]);

  const state: OutboxState = !pending ? 'idle' : isOld ? 'old' : isWaiting ? 'waiting' : 'sending';
  return {
    state,
    errors,
    changed,
    /** Which of the two buttons was pressed. */
    shouldNotify: pending?.shouldNotify ?? true,
    send<Variables extends object>(
      document: PublishingDocument<Variables>,
      variables: Variables,
      { seen, shouldNotify }: Pick<Pending, 'seen' | 'shouldNotify'>,
    ) {
      setErrors({});
      setChanged(undefined);
      const pressed = { document: document.toString(), variables, seen, shouldNotify, path: here };
      setPending({ key: createKey(), ...pressed, at: Date.now(), mayHaveArrived: false });
    },
    /** Sends what was found after a long time. */
    confirm: () => setConfirmedKey(pending?.key),
    mayHaveArrived: pending?.mayHaveArrived ?? false,
    discard() {
      setPending(undefined);
      if (pending?.mayHaveArrived) setErrors({ '': stoppedWaiting });
    },
  };
}

/** The address of the screen. */
export function useHere(): string {
  const [path] = useLocation();
  const search = useSearch();
  return search ? `${path}?${search}` : path;
}

export type Outbox = ReturnType<typeof useOutbox>;
