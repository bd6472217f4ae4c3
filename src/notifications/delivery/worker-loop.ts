import { refusalOf } from '../../db/database-errors.js';
import { log } from '../../core/logger.js';

/** Does something for as long as there is more of it, then waits until it is nudged, or for some time. */
export class Loop {
  private isStopped = false;
  private nudges = 0;
  private wake: () => void = () => {};
  private readonly running: Promise<void>;

  constructor(
    /** True when there may be more. */
    private readonly work: () => Promise<boolean>,
    private readonly everyMilliseconds: number,
    private readonly failure: string,
  ) {
    this.running = this.run();
  }

  nudge(): void {
    this.nudges += 1;
    this.wake();
  }

  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    return this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const { nudges } = this;
      let more = false;
      let failed = false;
      try {
        more = await this.work();
      } catch (error) {
        failed = true;
        log[refusalOf(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error']({ err: error }, this.failure);
      }
      // Whoever was nudged meanwhile has something to do; but what failed would fail again at once.
      if (failed || (!more && nudges === this.nudges)) await this.sleep();
    }
  }

  private sleep(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    return new Promise(done => {
      const timer = setTimeout(done, this.everyMilliseconds);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
