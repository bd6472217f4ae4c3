import { toRefusal } from '../../db/database-errors.js';
import type { Logger } from '../../core/logger.js';

/** Repeats its work for as long as there is more of it, then sleeps until it is woken or the interval is over. */
export class WorkerLoop {
  private isStopped = false;
  private wakeCount = 0;
  private endSleep: () => void = () => {};
  private readonly running: Promise<void>;

  constructor(
    /** True when there may be more. */
    private readonly work: () => Promise<boolean>,
    private readonly intervalMs: number,
    private readonly failureMessage: string,
    private readonly log: Logger,
    /** Called after each round without an error. */
    private readonly onRound: () => void = () => {},
  ) {
    this.running = this.run();
  }

  wake(): void {
    this.wakeCount += 1;
    this.endSleep();
  }

  /** Starts no more work, and waits for what is in progress. */
  stop(): Promise<void> {
    this.isStopped = true;
    this.endSleep();
    return this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const { wakeCount } = this;
      let hasMore = false;
      let hasFailed = false;
      try {
        hasMore = await this.work();
        this.onRound();
      } catch (error) {
        hasFailed = true;
        this.log[toRefusal(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error']({ err: error }, this.failureMessage);
      }
      // A wake during the work means more work; but what failed would fail again at once.
      if (hasFailed || (!hasMore && wakeCount === this.wakeCount)) await this.sleep();
    }
  }

  private sleep(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    return new Promise(done => {
      const timer = setTimeout(done, this.intervalMs);
      this.endSleep = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
