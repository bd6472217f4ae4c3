import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
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

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

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
  toPath('./'),
  toPath('../../core/escape-html.js'),
  toPath('../../i18n/'),
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

/** A child process that renders one theme. While idle it is unreferenced, so that the service can end. */
export class RenderProcess {
  private readonly child: ChildProcess;
  /** Resolves when the process accepts jobs. */
  readonly ready: Promise<unknown>;
  private onMessage: ((message: FromRenderProcess | Error) => void) | null = null;
  private failure: Error | null = null;
  /** The theme it loaded. It never gets another. */
  theme: ThemeSource | null = null;

  constructor(
    onEnd: () => void,
    private readonly timeLimitMs = renderTimeLimitMs,
  ) {
    this.child = fork(toPath('./render-process-main.js'), {
      execArgv: renderProcessFlags(),
      // liquidjs formats dates by the local time of the process, which must have no summer time.
      env: { TZ: 'UTC' },
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

  async render(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
    this.ref();
    try {
      await this.ready;
      const timer = setTimeout(
        () => this.handleMessage(new ThemeFailure(`The theme took longer than ${this.timeLimitMs} ms.`, true)),
        this.timeLimitMs,
      );
      try {
        const [message] = await Promise.all([this.waitForMessage(), this.sendJob(theme, job)]);
        if (message.kind === 'failed') throw new ThemeFailure(message.reason);
        if (message.kind !== 'rendered') throw new Error('The render process sent an unexpected message.');
        return message.result;
      } finally {
        clearTimeout(timer);
      }
    } finally {
      this.unref();
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** A crash while rendering is the theme's fault (SIGABRT and exit code 134: out of memory); any other is ours. */
  private toExitError(code: number | null, signal: NodeJS.Signals | null): Error {
    if (!this.theme || (!signal && code !== 134)) return new Error(`The render process exited (${signal ?? code}).`);
    const isOutOfMemory = signal === 'SIGABRT' || code === 134;
    return isOutOfMemory
      ? new ThemeFailure(`The theme needed more than ${renderMemoryLimitMb} MB.`, true)
      : new ThemeFailure('The theme crashed its render process.');
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
