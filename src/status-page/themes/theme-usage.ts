import type { ThemeSource } from './render-job.js';

/** CPU time after which a rendering counts as slow. */
export const slowRenderingMs = 150;

const halfLifeMs = 5_000;
/** Quick renderings in a row, from which on the next one is expected to be quick. */
const provenCount = 3;

interface Usage {
  /** As of `at`. */
  recentMs: number;
  at: number;
  /** Of the last rendering. */
  lastMs: number;
  /** Renderings in a row that were not slow. */
  quickCount: number;
}

/** How much CPU time the themes used lately. A theme belongs to one page, so this is the share of the page. */
export class ThemeUsage {
  private readonly usages = new WeakMap<ThemeSource, Usage>();

  add(theme: ThemeSource, cpuTimeMs: number): void {
    this.usages.set(theme, {
      recentMs: this.getRecentMs(theme) + cpuTimeMs,
      at: performance.now(),
      lastMs: cpuTimeMs,
      quickCount: cpuTimeMs < slowRenderingMs ? this.getQuickCount(theme) + 1 : 0,
    });
  }

  /** Whether the theme was quick often enough, so that it does not wait for themes that may turn out to be slow. */
  isProven(theme: ThemeSource): boolean {
    return this.getQuickCount(theme) >= provenCount;
  }

  wasSlow(theme: ThemeSource): boolean {
    return this.getLastMs(theme) >= slowRenderingMs;
  }

  /**
   * Sorts first the theme that used less CPU time lately, in whole seconds, so that a page that changes a few times does
   * not wait for those that did not. Then the one that needed less the last time, in steps of `slowRenderingMs`, and the
   * proven one.
   */
  compare(one: ThemeSource, other: ThemeSource): number {
    const compareSteps = (first: number, second: number, step: number) =>
      Math.floor(first / step) - Math.floor(second / step);
    return (
      compareSteps(this.getRecentMs(one), this.getRecentMs(other), 1_000) ||
      compareSteps(this.getLastMs(one), this.getLastMs(other), slowRenderingMs) ||
      Number(this.isProven(other)) - Number(this.isProven(one))
    );
  }

  private getQuickCount(theme: ThemeSource): number {
    return this.usages.get(theme)?.quickCount ?? 0;
  }

  private getLastMs(theme: ThemeSource): number {
    return this.usages.get(theme)?.lastMs ?? 0;
  }

  private getRecentMs(theme: ThemeSource): number {
    const usage = this.usages.get(theme);
    return usage ? usage.recentMs * 0.5 ** ((performance.now() - usage.at) / halfLifeMs) : 0;
  }
}
