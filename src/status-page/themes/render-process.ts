import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  RendererBusy,
  type RenderJob,
  renderMemoryLimitMb,
  renderTimeLimitMs,
  renderTimeoutMs,
  type RenderResult,
  ThemeFailure,
  type ThemeSource,
} from './render-job.js';
import type { FromRenderProcess, ToRenderProcess } from './process-messages.js';
import { slowRenderingMs } from './theme-usage.js';

/** The CPU time of a process is measured in steps of 10 ms. */
const cpuTimeStepMs = 10;
/** Of a slow rendering: others get ten times its CPU time while they compete. */
const slowNiceness = 10;

/** The rendering was stopped, since it is slow. It may be tried again. */
export class RenderStopped extends Error {}

/** The path in dist/: tests run the TypeScript sources, which a forked process cannot. */
const builtPath = (path: string) =>
  fileURLToPath(new URL(path, import.meta.url.replace(/\/src\/(status-page\/themes\/)/, '/dist/$1')));

/** The folder of an installed package. */
function packageFolder(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name);
  const folder = join('node_modules', name, '/');
  return entry.slice(0, entry.lastIndexOf(folder) + folder.length);
}

/** The young generation takes up to three times this, and counts towards the limit. */
const semiSpaceMb = 4;

/** The process's own code, and the libraries that it imports. */
const readablePaths = () => [
  builtPath('./'),
  builtPath('../../core/escape-html.js'),
  builtPath('../../i18n/'),
  packageFolder('liquidjs'),
  packageFolder('lru-cache'),
];

/** Permission model: the process may read only its own code and libraries. Heap capped; no eval; no `__proto__`. */
export const renderProcessFlags = () => [
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  ...readablePaths().map(path => `--allow-fs-read=${path}`),
  `--max-old-space-size=${renderMemoryLimitMb - 3 * semiSpaceMb}`,
  `--max-semi-space-size=${semiSpaceMb}`,
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
];

/**
 * A child process that renders one theme. While idle it is unreferenced, so that it does not keep the service alive.
 */
export class RenderProcess {
  private readonly child: ChildProcess;
  /** Resolves when the process accepts jobs. */
  readonly ready: Promise<unknown>;
  private onMessage: ((message: FromRenderProcess | Error) => void) | null = null;
  private failure: Error | null = null;
  /** The theme it loaded. It never gets another. */
  theme: ThemeSource | null = null;
  renderingCount = 0;
  /** Of the last rendering. */
  usedCpuTimeMs = 0;

  constructor(
    onEnd: () => void,
    private readonly timeLimitMs = renderTimeLimitMs,
  ) {
    this.child = fork(builtPath('./render-process-main.js'), {
      execArgv: renderProcessFlags(),
      env: {},
      cwd: '/',
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('message', message => this.handleMessage(message as FromRenderProcess));
    this.child.on('error', error => this.handleMessage(error));
    this.child.on('exit', (code, signal) => {
      this.handleMessage(this.toExitError(code, signal));
      onEnd();
    });
    const startTimer = setTimeout(
      () => this.handleMessage(new RendererBusy('The render process did not start in time.')),
      renderTimeoutMs,
    );
    this.ready = this.waitForMessage().finally(() => clearTimeout(startTimer));
    // Callers of `render` get the rejection; without them it must not be an unhandled one.
    this.ready.catch(() => {});
    this.unref();
  }

  /** Asks `mayContinue` once when the rendering becomes slow. Throws RenderStopped if it may not. */
  async render(theme: ThemeSource, job: RenderJob, mayContinue = () => true): Promise<RenderResult> {
    this.ref();
    try {
      await this.ready;
      this.renderingCount += 1;
      const stopTimer = this.limitTime(mayContinue);
      try {
        const [message] = await Promise.all([this.waitForMessage(), this.sendJob(theme, job)]);
        if (message.kind === 'failed') throw new ThemeFailure(message.reason);
        if (message.kind !== 'rendered') throw new Error('The render process sent an unexpected message.');
        return message.result;
      } finally {
        stopTimer();
      }
    } finally {
      this.unref();
    }
  }

  /** For good: only an administrator may raise it again. */
  lowerPriority(): void {
    try {
      setPriority(this.child.pid!, slowNiceness);
    } catch {
      // The process has ended, or the system does not allow it.
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /**
   * A crash while rendering is the theme's fault (SIGABRT and exit code 134 mean out of memory). A crash before, or any
   * other exit code, is ours.
   */
  private toExitError(code: number | null, signal: NodeJS.Signals | null): Error {
    if (!this.theme || (!signal && code !== 134)) return new Error(`The render process exited (${signal ?? code}).`);
    const isOutOfMemory = signal === 'SIGABRT' || code === 134;
    return isOutOfMemory
      ? new ThemeFailure(`The theme needed more than ${renderMemoryLimitMb} MB.`, true)
      : new ThemeFailure('The theme crashed its render process.');
  }

  /**
   * Ends the rendering when the process has used its CPU time, or when the machine did not give it that much in time.
   * Returns a function that ends the measurement.
   */
  private limitTime(mayContinue: () => boolean): () => void {
    const startedAt = performance.now();
    const cpuTimeBefore = this.readCpuTimeMs();
    this.usedCpuTimeMs = 0;
    const measureCpuTime = () => {
      // Wall-clock time takes the place of CPU time where the system has no /proc.
      const used = cpuTimeBefore === null ? performance.now() - startedAt : (this.readCpuTimeMs() ?? 0) - cpuTimeBefore;
      this.usedCpuTimeMs = Math.max(this.usedCpuTimeMs, used);
    };
    let nextLimitMs = slowRenderingMs;
    const check = () => {
      measureCpuTime();
      if (nextLimitMs === slowRenderingMs && this.usedCpuTimeMs >= nextLimitMs) {
        if (!mayContinue()) return this.handleMessage(new RenderStopped('The rendering is slow.'));
        this.lowerPriority();
        nextLimitMs = this.timeLimitMs;
      }
      const remainingCpuTimeMs = nextLimitMs - this.usedCpuTimeMs;
      const remainingMs = startedAt + renderTimeoutMs - performance.now();
      if (remainingCpuTimeMs <= 0)
        return this.handleMessage(new ThemeFailure(`The theme took longer than ${this.timeLimitMs} ms.`, true));
      if (remainingMs <= 0) return this.handleMessage(new RendererBusy('The theme got too little CPU time.'));
      timer = setTimeout(check, Math.max(Math.min(remainingCpuTimeMs, remainingMs), cpuTimeStepMs));
    };
    let timer = setTimeout(check, slowRenderingMs);
    return () => {
      clearTimeout(timer);
      measureCpuTime();
    };
  }

  /** CPU time since the start of the process; null when it has ended, and where the system has no /proc. */
  private readCpuTimeMs(): number | null {
    try {
      // The fields after the name, which may contain any character: utime and stime, in hundredths of a second.
      const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      return null;
    }
  }

  private async sendJob(theme: ThemeSource, job: RenderJob): Promise<void> {
    if (!this.theme) {
      this.theme = theme;
      for (const [path, text] of theme.templates) await this.send({ kind: 'template', path, text });
      for (const [path, text] of theme.assets) await this.send({ kind: 'asset', path, text });
      for (const [code, texts] of theme.locales) await this.send({ kind: 'locale', code, texts });
    }
    await this.send({ kind: 'render', job });
  }

  /** Ignores send errors: a process that is gone is reported by its exit event. */
  private send(message: ToRenderProcess): Promise<void> {
    return new Promise(resolve => this.child.send(message, () => resolve()));
  }

  private waitForMessage(): Promise<FromRenderProcess> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.onMessage = message => {
        this.onMessage = null;
        if (message instanceof Error) reject(message);
        else resolve(message);
      };
    });
  }

  private handleMessage(message: FromRenderProcess | Error): void {
    if (message instanceof Error) {
      this.failure ??= message;
      // Here rather than in the caller, which may run later.
      this.kill();
    }
    this.onMessage?.(message);
  }

  private ref(): void {
    this.child.ref();
    this.child.channel?.ref();
  }

  private unref(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}
