import { RendererBusy, type RenderJob, renderTimeLimitMs, type RenderResult, type ThemeSource } from './render-job.js';
import { RenderProcess, RenderStopped } from './render-process.js';
import { RenderSlots } from './render-slots.js';
import { ThemeUsage } from './theme-usage.js';

/** Renderings at the same time. Slow ones have a slot of their own, so that the others never wait for them. */
const maxQuick = 2;
const maxSlow = 1;
/** A slot more for themes that were quick a few times, when the others are taken by themes that may be slow. */
const maxProven = 1;
/** Idle processes: a spare one for the next new theme, and those that already loaded a theme. */
const maxIdle = 4;
/** An idle process is killed after this time. */
const idleTimeoutMs = 60_000;

/**
 * Renders themes in processes that are killed when they exceed their time or memory. A rendering that turns out to be
 * slow moves to the slot of the slow ones; if that is taken, it is stopped, and starts again when it is free.
 */
export class RenderPool {
  private readonly usage = new ThemeUsage();
  private readonly quick = new RenderSlots(maxQuick, this.usage);
  private readonly slow = new RenderSlots(maxSlow, this.usage);
  private readonly proven = new RenderSlots(maxProven, this.usage);
  private readonly idle = new Map<RenderProcess, NodeJS.Timeout>();
  /** Renders by outcome. Busy: the machine was, and the theme is tried again. */
  readonly counts = { rendered: 0, failed: 0, busy: 0 };

  /** @param timeLimitMs The CPU time that a rendering may take. */
  constructor(private readonly timeLimitMs = renderTimeLimitMs) {}

  /** Throws ThemeFailure for faults of the theme, and RendererBusy when the machine is too busy. */
  async render(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    try {
      const result = await this.renderInTime(theme, job);
      this.counts.rendered += 1;
      return result;
    } catch (error) {
      this.counts[error instanceof RendererBusy ? 'busy' : 'failed'] += 1;
      throw error;
    }
  }

  private async renderInTime(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    if (!this.usage.wasSlow(theme)) {
      try {
        return await this.renderIn(this.quick, theme, job);
      } catch (error) {
        if (!(error instanceof RenderStopped)) throw error;
      }
    }
    return this.renderIn(this.slow, theme, job);
  }

  /** Resolves when a spare process is ready for the next new theme. */
  async waitForSpare(): Promise<void> {
    this.ensureSpare();
    await this.findIdle(null)?.ready;
  }

  /** Kills the idle processes. */
  shutdown(): void {
    for (const process of this.idle.keys()) this.killIdle(process);
  }

  /** Throws RenderStopped for a quick rendering that became slow while there is no slot for it. */
  private async renderIn(slots: RenderSlots, theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    // A quick theme whose process is idle needs no slot: it takes a few milliseconds, and there are few such processes.
    const loaded = slots === this.quick ? this.takeIdle(theme) : undefined;
    let acquired = loaded ? null : await this.acquire(slots, theme);
    const process = loaded ?? this.takeProcess(theme);
    // From its start, which takes as long as a quick rendering.
    if (acquired === this.slow) process.lowerPriority();
    const mayContinue = (): boolean => {
      if (acquired === this.slow) return true;
      if (!this.slow.tryAcquire()) return false;
      acquired?.release();
      acquired = this.slow;
      return true;
    };
    try {
      const result = await process.render(theme, job, mayContinue);
      this.usage.add(theme, process.usedCpuTimeMs);
      this.addIdle(process);
      return result;
    } catch (error) {
      this.usage.add(theme, process.usedCpuTimeMs);
      process.kill();
      throw error;
    } finally {
      acquired?.release();
      this.ensureSpare();
    }
  }

  /** Returns the slots of which the theme has one, when it has. */
  private async acquire(slots: RenderSlots, theme: ThemeSource): Promise<RenderSlots> {
    if (slots.tryAcquire()) return slots;
    if (slots === this.quick && this.usage.isProven(theme) && this.proven.tryAcquire()) return this.proven;
    // Ready when it is the turn of the theme.
    this.ensureSpare();
    await slots.waitForTurn(theme);
    return slots;
  }

  private takeProcess(theme: ThemeSource): RenderProcess {
    const process =
      this.takeIdle(theme) ?? (this.mayTakeSpare(theme) ? this.takeIdle(null) : undefined) ?? this.startProcess();
    // The next quick theme does not wait for a process to start.
    if (this.quick.hasWaiting) this.ensureSpare();
    return process;
  }

  /** Themes that are slow, or may be while others wait, do not take the spare process from those that are quick. */
  private mayTakeSpare(theme: ThemeSource): boolean {
    return this.usage.isProven(theme) || !(this.usage.wasSlow(theme) || this.quick.hasWaiting);
  }

  private ensureSpare(): void {
    if (!this.findIdle(null)) this.addIdle(this.startProcess());
  }

  private startProcess(): RenderProcess {
    const process: RenderProcess = new RenderProcess(() => this.removeIdle(process), this.timeLimitMs);
    return process;
  }

  /** The process that loaded the theme; null: a spare one. */
  private findIdle(theme: ThemeSource | null): RenderProcess | undefined {
    return [...this.idle.keys()].find(each => each.theme === theme);
  }

  private takeIdle(theme: ThemeSource | null): RenderProcess | undefined {
    const process = this.findIdle(theme);
    if (process) this.removeIdle(process);
    return process;
  }

  private addIdle(process: RenderProcess): void {
    this.idle.set(process, setTimeout(() => this.killIdle(process), idleTimeoutMs).unref());
    if (this.idle.size > maxIdle) this.evictIdle();
  }

  /** Of a slow theme, or the one that rendered least. */
  private evictIdle(): void {
    const loaded = [...this.idle.keys()].filter(({ theme }) => theme);
    const [leastUsed] = loaded.toSorted((one, other) => one.renderingCount - other.renderingCount);
    const evicted = loaded.find(({ theme }) => this.usage.wasSlow(theme!)) ?? leastUsed;
    if (evicted) this.killIdle(evicted);
  }

  private killIdle(process: RenderProcess): void {
    this.removeIdle(process);
    process.kill();
  }

  private removeIdle(process: RenderProcess): void {
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
  }
}
