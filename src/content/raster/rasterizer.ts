import { Worker } from 'node:worker_threads';
import { Refusal } from '../../core/errors.js';

/** An SVG document to render as PNG, scaled to a width or a height in pixels. */
export interface RasterJob {
  svg: string;
  fitTo: { mode: 'width' | 'height'; value: number };
}

/** What the worker answers: the PNG, or why the document cannot be rendered. */
export type RasterResult = { png: Uint8Array } | { problem: string };

/** The SVG document is not one that can be rendered. The message is for its author. */
export class RasterFailure extends Error {}

export type Rasterize = (job: RasterJob) => Promise<Buffer>;

/** The worker with its WebAssembly memory takes about 60 MB, so it ends when it is not needed. */
const idleMs = 10_000;
const timeoutMs = 10_000;
const maxWaiting = 20;

/** Renders SVG as PNG, one after the other, in a thread of its own: the event loop serves visitors meanwhile. */
export class Rasterizer {
  private worker: Worker | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  readonly render: Rasterize = job => {
    if (this.waiting >= maxWaiting)
      return Promise.reject(new Refusal('UNAVAILABLE', 'Too many images are rendered at once.', { retryAfter: 5 }));
    this.waiting += 1;
    const result = this.last.then(() => this.run(job)).finally(() => this.waiting--);
    this.last = result.catch(() => {});
    return result;
  };

  shutdown(): void {
    clearTimeout(this.idleTimer);
    void this.worker?.terminate();
    this.worker = undefined;
  }

  private async run(job: RasterJob): Promise<Buffer> {
    clearTimeout(this.idleTimer);
    this.worker ??= new Worker(new URL('./rasterizer-worker.js', import.meta.url));
    const { worker } = this;
    worker.ref();
    const timeout = setTimeout(() => void worker.terminate(), timeoutMs);
    const ended = new AbortController();
    const result = await new Promise<RasterResult>(done => {
      const fail = () => {
        this.worker = undefined;
        done({ problem: `cannot be rendered within ${timeoutMs / 1000} seconds` });
      };
      worker.once('message', done).once('error', fail).once('exit', fail);
      ended.signal.addEventListener('abort', () => worker.off('message', done).off('error', fail).off('exit', fail));
      worker.postMessage(job);
    }).finally(() => {
      clearTimeout(timeout);
      ended.abort();
      worker.unref();
      this.idleTimer = setTimeout(() => this.shutdown(), idleMs).unref();
    });
    if ('problem' in result) throw new RasterFailure(result.problem);
    return Buffer.from(result.png);
  }
}
