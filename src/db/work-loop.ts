import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../core/logger.js';
import { toRefusal } from './database-errors.js';

/** How long a loop sleeps that has nothing planned: a safety net for a notification that was lost. */
export const idleMs = 5_000;
/** How long it sleeps where others must act first, such as a mail server that does not accept more. */
export const waitingMs = 500;

interface WorkLoopOptions {
  failureMessage: string;
  log: Logger;
  /** Called after each round without an error. */
  onRound?(): void;
  /** The shortest time between the starts of two rounds, however often it is woken. */
  minIntervalMs?: number;
}

/** Repeats its work: after the milliseconds that it returns, 0 for at once, but after `idleMs` or when woken. */
export class WorkLoop {
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    private readonly work: () => Promise<number>,
    private readonly options: WorkLoopOptions,
  ) {
    this.running = this.run();
  }

  readonly wake = (): void => this.waking.abort();

  /** Starts no more work, and waits for what is in progress. */
  stop(): Promise<void> {
    this.stopping.abort();
    return this.running;
  }

  private async run(): Promise<void> {
    const { minIntervalMs = 0, onRound, failureMessage, log } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const startedAt = performance.now();
      // A wake during the work means more work.
      this.waking = new AbortController();
      let pauseMs = waitingMs;
      let canBeWoken = true;
      try {
        pauseMs = await this.work();
        onRound?.();
      } catch (error) {
        // What failed would fail again at once.
        canBeWoken = false;
        log[toRefusal(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error']({ err: error }, failureMessage);
      }
      await pause(Math.min(pauseMs, idleMs), canBeWoken ? [signal, this.waking.signal] : [signal]);
      await pause(startedAt + minIntervalMs - performance.now(), [signal]);
    }
  }
}

/** Returns early when one of the signals is aborted. */
const pause = (ms: number, signals: AbortSignal[]): Promise<void> =>
  ms > 0 ? sleep(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => {}) : Promise.resolve();
