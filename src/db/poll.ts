import type { Logger } from '../core/logger.js';
import { toRefusal } from './database-errors.js';

/**
 * Runs work repeatedly, with a pause after each run. Failures are logged with `failureMessage` and do not end it.
 * Returns what stops it, which waits for a run in progress.
 */
export function poll(
  work: (stop: AbortSignal) => Promise<unknown>,
  intervalMs: number,
  failureMessage: string,
  log: Logger,
): () => Promise<void> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const runOnce = async (): Promise<void> => {
    try {
      await work(stop.signal);
    } catch (error) {
      const isUnavailable = toRefusal(error)?.code === 'UNAVAILABLE';
      if (!stop.signal.aborted) log[isUnavailable ? 'debug' : 'error']({ err: error }, failureMessage);
    }
    if (!stop.signal.aborted) timer = setTimeout(() => (running = runOnce()), intervalMs);
  };
  let running = runOnce();
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}
