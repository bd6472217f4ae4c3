import { Agent, request, type RequestOptions } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** One response: its status (0: the connection failed), when it was requested, and how long it took. */
export interface Sample {
  status: number;
  atMs: number;
  durationMs: number;
}

export interface OpenLoop {
  options: RequestOptions;
  body?: string;
  perSecond: number;
  seconds: number;
}

/**
 * Sends requests at a fixed rate, however slowly they are answered, as independent clients do. Runs in a thread of its
 * own, so that measurements do not wait for each other.
 */
export function runOpenLoop(load: OpenLoop): Promise<Sample[]> {
  return new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url), { workerData: load }).once('message', resolve).once('error', reject);
  });
}

/** Resolves with the samples once all requests are answered. */
async function sendAll({ options, body, perSecond, seconds }: OpenLoop): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const pending: Promise<Sample>[] = [];
  const startedAt = performance.now();
  const total = perSecond * seconds;
  await new Promise<void>(done => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
      while (pending.length < due) pending.push(send({ ...options, agent }, body));
      if (pending.length >= total) {
        clearInterval(timer);
        done();
      }
    }, 2);
  });
  return Promise.all(pending);
}

function send(options: RequestOptions, body: string | undefined): Promise<Sample> {
  const startedAt = performance.now();
  return new Promise(resolve => {
    const finish = (status: number) =>
      resolve({ status, atMs: performance.timeOrigin + startedAt, durationMs: performance.now() - startedAt });
    request({ ...options, timeout: 60_000 }, response => {
      response.resume();
      response.on('end', () => finish(response.statusCode!)).on('error', () => finish(0));
    })
      .on('timeout', function (this: { destroy(): void }) {
        this.destroy();
      })
      .on('error', () => finish(0))
      .end(body);
  });
}

if (parentPort) parentPort.postMessage(await sendAll(workerData as OpenLoop));
