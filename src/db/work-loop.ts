import type { Logger } from '../core/logger.js';
import { restAfter } from '../core/queues/rest.js';
import { RoundFailures } from './round-failures.js';

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
  /** Whether it rests after each round, on the embedded database. */
  rests?: boolean;
}

/** Repeats its work: after the milliseconds that it returns, 0 for at once, but after `idleMs` or when woken. */
export class WorkLoop {
  private isStopped = false;
  private isWoken = false;
  private canBeWoken = true;
  private endPause = (): void => {};
  private readonly running: Promise<void>;

  constructor(
    private readonly work: () => Promise<number>,
    private readonly options: WorkLoopOptions,
  ) {
    this.running = this.run();
  }

  readonly wake = (): void => {
    this.isWoken = true;
    if (this.canBeWoken) this.endPause();
  };

  /** Starts no more work, and waits for what is in progress. */
  stop(): Promise<void> {
    this.isStopped = true;
    this.endPause();
    return this.running;
  }

  private async run(): Promise<void> {
    const { minIntervalMs = 0, rests = false, onRound, failureMessage, log } = this.options;
    const failures = new RoundFailures(failureMessage, log);
    while (!this.isStopped) {
      const startedAt = performance.now();
      // A wake during the work means more work.
      this.isWoken = false;
      let pauseMs = waitingMs;
      let hasFailed = false;
      try {
        pauseMs = await this.work();
        failures.clear();
        onRound?.();
      } catch (error) {
        hasFailed = true;
        failures.add(error);
      }
      const tookMs = performance.now() - startedAt;
      const restMs = rests ? restAfter(tookMs) : 0;
      const nextAt = startedAt + Math.max(minIntervalMs, tookMs + restMs);
      // What failed would fail again at once.
      if (hasFailed || !this.isWoken) await this.pause(Math.min(pauseMs, idleMs), !hasFailed);
      await this.pause(nextAt - performance.now(), false);
    }
  }

  private async pause(ms: number, canBeWoken: boolean): Promise<void> {
    if (ms <= 0 || this.isStopped) return;
    this.canBeWoken = canBeWoken;
    await new Promise<void>(done => {
      const timer = setTimeout(done, ms);
      this.endPause = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
