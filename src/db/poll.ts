import type { Heartbeats } from '../core/heartbeats.js';
import type { Logger } from '../core/logger.js';
import { RoundFailures } from './round-failures.js';

/** What a process does by itself at intervals. */
export interface BackgroundTask {
  /** As /readyz and the metrics name it: "the ...". */
  name: string;
  /** The pause after each round. */
  intervalMs: number;
  /** For how long a round may take before the task counts as late. Default: 30. */
  roundSeconds?: number;
  failureMessage: string;
  run(stop: AbortSignal): Promise<unknown>;
}

/** Repeats a task. A round that fails does not end it. Returns what stops it, which waits for a round in progress. */
export function poll(
  { name, intervalMs, roundSeconds = 30, failureMessage, run }: BackgroundTask,
  log: Logger,
  heartbeats: Heartbeats,
): () => Promise<void> {
  const stop = new AbortController();
  const failures = new RoundFailures(failureMessage, log);
  const onRound = heartbeats.expect(name, intervalMs / 1_000 + roundSeconds);
  let timer: NodeJS.Timeout | undefined;
  const runOnce = async (): Promise<void> => {
    try {
      await run(stop.signal);
      failures.clear();
      onRound();
    } catch (error) {
      if (!stop.signal.aborted) failures.add(error);
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
