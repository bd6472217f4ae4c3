import { RendererBusy, renderTimeoutMs, type ThemeSource } from './render-job.js';
import type { ThemeUsage } from './theme-usage.js';

interface Waiting {
  theme: ThemeSource;
  start(): void;
}

/** Limits how many renderings run at the same time. The others wait for their turn. */
export class RenderSlots {
  /** In order of arrival. */
  private readonly waiting: Waiting[] = [];
  private running = 0;

  constructor(
    private readonly limit: number,
    private readonly usage: ThemeUsage,
  ) {}

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  tryAcquire(): boolean {
    if (this.running >= this.limit) return false;
    this.running += 1;
    return true;
  }

  /** Acquires a slot that another rendering releases. Throws RendererBusy if none is released in time. */
  async waitForTurn(theme: ThemeSource): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        theme,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(new RendererBusy('Too many themes wait for a render process.'));
      }, renderTimeoutMs);
      this.waiting.push(entry);
    });
  }

  release(): void {
    const next = this.takeNext();
    if (next) next.start();
    else this.running -= 1;
  }

  /**
   * Pages take turns: the one that used the least CPU time lately is next. Among equals the last to arrive, since in
   * order of arrival, each would wait for all that many pages need at once.
   */
  private takeNext(): Waiting | undefined {
    const next = this.waiting.reduceRight<Waiting | undefined>(
      (best, each) => (best && this.usage.compare(best.theme, each.theme) <= 0 ? best : each),
      undefined,
    );
    if (next) this.waiting.splice(this.waiting.indexOf(next), 1);
    return next;
  }
}
