import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
const intervalMs = 200;

/** By how much the event loop was late on average, in the last interval: for that long every request has waited. */
export class LoopDelay {
  currentMs = 0;
  private readonly histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  private readonly timer = setInterval(() => this.measure(), intervalMs).unref();

  constructor() {
    this.histogram.enable();
  }

  close(): void {
    clearInterval(this.timer);
    this.histogram.disable();
  }

  /** The histogram is in nanoseconds, with the resolution in each value; empty if the loop was blocked throughout. */
  private measure(): void {
    const { count, mean } = this.histogram;
    this.currentMs = count ? Math.max(0, mean / 1e6 - resolutionMs) : 0;
    this.histogram.reset();
  }
}
