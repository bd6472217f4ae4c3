import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { KeyedQueue } from '../../core/queues/keyed-queue.js';
import {
  RendererBusy,
  type RenderJob,
  renderTimeLimitMs,
  renderTimeoutMs,
  type RenderResult,
  ThemeFailure,
  type ThemeSource,
} from './render-job.js';
import { RenderProcess } from './render-process.js';

/** Renderings at the same time. */
const concurrency = 2;
/** Processes that wait for the next rendering of the theme that they loaded. */
const maxIdle = 2;
/** An idle process is killed after this time. */
const idleTimeoutMs = 60_000;
/** Most themes need a tenth of it. A slower one waits until no other theme does. */
const slowRenderingMs = 250;

/** Renders themes in processes that are killed when they exceed their time or memory, in order of arrival. */
export class RenderPool {
  private readonly queue = new PQueue({ concurrency });
  /** A theme belongs to one page, which has one place in the queue. */
  private readonly queueByTheme = new KeyedQueue<ThemeSource>();
  /** The themes that were slow the last time. */
  private readonly slowThemes = new WeakSet<ThemeSource>();
  private readonly idle = new LRUCache<ThemeSource, RenderProcess>({
    max: maxIdle,
    ttl: idleTimeoutMs,
    ttlAutopurge: true,
    dispose: (process, _theme, reason) => reason !== 'delete' && process.kill(),
  });
  /** Renders by outcome. Busy: the machine was, and the theme is tried again. */
  readonly counts = { rendered: 0, failed: 0, busy: 0 };

  constructor(private readonly timeLimitMs = renderTimeLimitMs) {}

  /** Throws ThemeFailure for faults of the theme, and RendererBusy when the machine is too busy. */
  async render(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    try {
      const result = await this.queueByTheme.run(theme, () => this.waitAndRender(theme, job));
      this.counts.rendered += 1;
      return result;
    } catch (error) {
      this.counts[error instanceof RendererBusy ? 'busy' : 'failed'] += 1;
      throw error;
    }
  }

  /** Kills the idle processes. */
  shutdown(): void {
    for (const process of this.idle.values()) process.kill();
    this.idle.clear();
  }

  private waitAndRender(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    const waiting = new AbortController();
    const timer = setTimeout(
      () => waiting.abort(new RendererBusy('Too many themes wait for a render process.')),
      renderTimeoutMs,
    );
    const start = () => {
      clearTimeout(timer);
      return this.renderNow(theme, job);
    };
    return this.queue.add(start, { signal: waiting.signal, priority: this.slowThemes.has(theme) ? 0 : 1 });
  }

  private async renderNow(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    const process = this.takeIdle(theme) ?? this.startProcess(theme);
    try {
      await process.ready;
      const startedAt = performance.now();
      const result = await process.render(theme, job);
      this.release(theme, process, performance.now() - startedAt);
      return result;
    } catch (error) {
      if (error instanceof ThemeFailure && error.isOverLimit) this.slowThemes.add(theme);
      process.kill();
      throw error;
    }
  }

  private startProcess(theme: ThemeSource): RenderProcess {
    const process: RenderProcess = new RenderProcess(() => {
      if (this.idle.peek(theme) === process) this.idle.delete(theme);
    }, this.timeLimitMs);
    return process;
  }

  private takeIdle(theme: ThemeSource): RenderProcess | undefined {
    const process = this.idle.get(theme);
    this.idle.delete(theme);
    return process;
  }

  /** The processes of slow themes do not evict those of others. */
  private release(theme: ThemeSource, process: RenderProcess, durationMs: number): void {
    const isSlow = durationMs >= slowRenderingMs;
    this.slowThemes[isSlow ? 'add' : 'delete'](theme);
    if (isSlow && this.idle.size >= maxIdle) process.kill();
    else this.idle.set(theme, process);
  }
}
