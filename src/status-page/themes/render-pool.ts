import type { RenderJob, RenderResult, ThemeSource } from './render-job.js';
import { RenderProcess } from './render-process.js';

/** Processes that render at the same time. */
const maxBusy = 2;
/** Idle processes: a spare one for the next new theme, and those that already loaded a theme. */
const maxIdle = 4;
/** An idle process is killed after this time. */
const idleTimeoutMs = 60_000;

/** Renders themes in processes that are killed when they exceed their time or memory. */
export class RenderPool {
  private readonly idle = new Map<RenderProcess, NodeJS.Timeout>();
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  /** Throws ThemeFailure for faults of the theme, and RendererBusy when the machine is too busy. */
  async render(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    if (this.busy >= maxBusy) await new Promise<void>(next => this.waiting.push(next));
    else this.busy += 1;
    const process = this.takeIdle(theme) ?? this.startProcess();
    try {
      const result = await process.render(theme, job);
      this.addIdle(process);
      return result;
    } catch (error) {
      process.kill();
      throw error;
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.busy -= 1;
      // The next new theme does not wait for a process to start.
      if (!this.findSpare()) this.addIdle(this.startProcess());
    }
  }

  /** Resolves when a spare process is ready for the next new theme. */
  async waitForSpare(): Promise<void> {
    const spare = this.findSpare();
    if (spare) await spare.ready;
    else this.addIdle(this.startProcess());
  }

  /** Kills the idle processes. */
  shutdown(): void {
    for (const process of this.idle.keys()) this.killIdle(process);
  }

  private findSpare(): RenderProcess | undefined {
    return [...this.idle.keys()].find(process => !process.theme);
  }

  private startProcess(): RenderProcess {
    const process: RenderProcess = new RenderProcess(() => this.removeIdle(process));
    return process;
  }

  private takeIdle(theme: ThemeSource): RenderProcess | undefined {
    const process = [...this.idle.keys()].find(each => each.theme === theme) ?? this.findSpare();
    if (process) this.removeIdle(process);
    return process;
  }

  private addIdle(process: RenderProcess): void {
    this.idle.set(process, setTimeout(() => this.killIdle(process), idleTimeoutMs).unref());
    const oldest = [...this.idle.keys()].find(each => each.theme);
    if (this.idle.size > maxIdle && oldest) this.killIdle(oldest);
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
