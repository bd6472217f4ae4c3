import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import { Refusal } from '../../core/errors.js';
import { type FairOptions, FairQueue } from '../../core/queues/fair-queue.js';

/** An SVG document to render as PNG, scaled to a width or a height in pixels. */
export interface RasterJob {
  svg: string;
  fitTo: { mode: 'width' | 'height'; value: number };
}

/** `pageId`: whose page the document is of. Without it the document is ours, and goes first. */
export type Rasterize = (job: RasterJob, pageId?: string) => Promise<Buffer>;

/** What the worker answers: the PNG, or why the document cannot be rendered. */
export type RasterResult = { png: Uint8Array } | { problem: string };

/** The SVG document is not one that can be rendered. The message is for its author. */
export class RasterFailure extends Error {}

/** The worker with its WebAssembly memory takes about 60 MB, so it ends when it is not needed. */
const idleMs = 10_000;
const timeoutMs = 5_000;
const megabyte = 1024 * 1024;
/** Enough for an image of 4,096 × 4,096 pixels. References can repeat 60 kB until they take gigabytes. */
const maxMegabytes = 192;
/** Documents that are rendered or wait. */
const maxQueued = 20;

/**
 * Renders SVG as PNG, one after the other, in a thread of its own: the event loop serves visitors meanwhile. Pages take
 * turns, so that slow documents of one delay those of another by one of them.
 */
export class Rasterizer {
  private worker: Worker | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, queueClass: FairQueue });

  readonly render: Rasterize = async (job, pageId) => {
    if (this.queue.size + this.queue.pending >= maxQueued)
      throw new Refusal('UNAVAILABLE', 'Too many images are rendered at once.', { retryAfter: 5 });
    return this.queue.add(() => this.run(job), { turnOf: pageId === undefined ? undefined : [pageId, pageId] });
  };

  shutdown(): void {
    clearTimeout(this.idleTimer);
    void this.worker?.terminate();
    this.worker = undefined;
  }

  private async run(job: RasterJob): Promise<Buffer> {
    clearTimeout(this.idleTimer);
    this.worker ??= new Worker(new URL('./rasterizer-worker.js', import.meta.url), {
      workerData: { maxBytes: maxMegabytes * megabyte },
    });
    const { worker } = this;
    worker.ref();
    const timeout = setTimeout(() => void worker.terminate(), timeoutMs);
    const ended = new AbortController();
    const result = await new Promise<RasterResult>(done => {
      const fail = () => {
        this.worker = undefined;
        done({ problem: `cannot be rendered within ${timeoutMs / 1000} seconds and ${maxMegabytes} MB` });
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
