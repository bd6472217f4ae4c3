import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Commission,
  drawingMemory,
  drawingTime,
  type Drawn,
  ThemeFailure,
  type ThemeSource,
  timeToEnd,
} from './render-job.js';
import type { FromDrawing, ToDrawing } from './process-messages.js';

/** Milliseconds for a process to be there. A machine that needs longer has other troubles. */
const startingTime = 20_000;

/** The built files: tests run the sources, which a process of its own cannot. */
const built = (path: string) =>
  fileURLToPath(new URL(path, import.meta.url.replace(/\/src\/(status-page\/themes\/)/, '/dist/$1')));

/** The folder of its package. */
const engineFolder = join(dirname(createRequire(import.meta.url).resolve('liquidjs')), '../');

/** MB. The young generation takes up to three times this, and counts. */
const half = 4;

/** It may read what it consists of. Its memory is bounded, it makes no code of texts, and no name leads to the prototype of anything. */
export const drawingFlags = () => [
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  ...[built('./'), built('../../i18n/'), engineFolder].map(folder => `--allow-fs-read=${folder}`),
  `--max-old-space-size=${drawingMemory - 3 * half}`,
  `--max-semi-space-size=${half}`,
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
];

/** A process that draws with one theme. It holds nothing open while it is not asked for anything: neither this process nor a test waits for it. */
export class DrawingProcess {
  private readonly child: ChildProcess;
  /** Resolves once it waits for work. */
  readonly ready: Promise<unknown>;
  private answer: ((message: FromDrawing | Error) => void) | null = null;
  private ended: Error | null = null;
  /** The theme it was given: it never gets another. */
  theme: ThemeSource | null = null;

  constructor(onEnd: () => void) {
    this.child = fork(built('./render-process-main.js'), {
      execArgv: drawingFlags(),
      env: {},
      cwd: '/',
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('message', message => this.settle(message as FromDrawing));
    this.child.on('error', error => this.settle(error));
    this.child.on('exit', (code, signal) => {
      this.settle(this.deathOf(code, signal));
      onEnd();
    });
    this.ready = this.expect(startingTime, () => new Error('The process that draws themes did not start.'));
    // Whoever waits for it hears of it.
    this.ready.catch(() => {});
    this.release();
  }

  /** Of all files at once the text would be too long for one message. */
  async draw(theme: ThemeSource, commission: Commission): Promise<Drawn> {
    this.hold();
    try {
      await this.ready;
      const [start, workBefore] = [performance.now(), this.work()];
      if (!this.theme) await this.load(theme);
      const outcome = this.expect(start + timeToEnd - performance.now(), () => {
        const wasHeldUp = this.work() - workBefore < timeToEnd / 2;
        return new ThemeFailure(`The theme took longer than ${drawingTime} ms.`, wasHeldUp);
      });
      await Promise.all([outcome, this.tell({ kind: 'draw', commission })]);
      const message = await outcome;
      if (message.kind === 'failed') throw new ThemeFailure(message.why);
      if (message.kind !== 'drawn') throw new Error('The process that draws themes lost count.');
      return message.drawn;
    } finally {
      this.release();
    }
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  /** With a theme in hand it dies of that; what is wrong with its code it says by leaving. */
  private deathOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (!this.theme || (!signal && code !== 134))
      return new Error(`The process that draws themes ended by itself (${signal ?? code}).`);
    return new ThemeFailure(
      `The theme ${signal === 'SIGABRT' || code === 134 ? `needed more than ${drawingMemory} MB` : 'ended the process that draws it'}.`,
    );
  }

  /** Milliseconds that it was at work since its start, as far as the system tells. */
  private work(): number {
    try {
      // Behind the name, which may hold anything: of its own and of the system's, in hundredths of a second.
      const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  private async load(theme: ThemeSource): Promise<void> {
    this.theme = theme;
    for (const [path, text] of theme.templates) await this.tell({ kind: 'template', path, text });
    for (const [path, text] of theme.assets) await this.tell({ kind: 'asset', path, text });
    for (const [code, texts] of theme.locales) await this.tell({ kind: 'locale', code, texts });
  }

  /** A process that is gone cannot be told anything; that it is gone is heard as its end. */
  private tell(message: ToDrawing): Promise<void> {
    return new Promise(done => this.child.send(message, () => done()));
  }

  private expect(time: number, late: () => Error): Promise<FromDrawing> {
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((done, fail) => {
      const timer = setTimeout(() => this.settle(late()), time);
      this.answer = message => {
        this.answer = null;
        clearTimeout(timer);
        if (message instanceof Error) fail(message);
        else done(message);
      };
    });
  }

  private settle(message: FromDrawing | Error): void {
    if (message instanceof Error) {
      this.ended ??= message;
      // At once, also when who waits for it is held up.
      this.end();
    }
    this.answer?.(message);
  }

  private hold(): void {
    this.child.ref();
    this.child.channel?.ref();
  }

  private release(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}
