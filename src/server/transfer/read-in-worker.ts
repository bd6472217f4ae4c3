import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from '../../transfer/importers/imported-page.js';
import type { ReadJob, ReadMessage } from './read-worker.js';
import { sources } from '../../transfer/importers/sources/registry.js';

const timeoutMs = 60_000;
/** For asking the API of a product, which some allow once a second. */
const maxAskingMs = 30 * 60_000;
const memoryMegabytes = 512;

/**
 * Reads the answers of a product in a thread of its own, from files or its API: the conversion of a few kB of HTML,
 * compressed, can take minutes, in which nobody else would be answered. `clientLeft` ends it, too.
 */
export async function readInWorker(job: ReadJob, clientLeft: AbortSignal): Promise<ImportedPage> {
  const worker = new Worker(new URL('./read-worker.js', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  });
  const { label } = sources[job.source];
  const late = new AbortController();
  const limit = (milliseconds: number) => setTimeout(() => late.abort(), milliseconds);
  let timer = limit('api' in job.from ? maxAskingMs : timeoutMs);
  try {
    const signal = AbortSignal.any([late.signal, clientLeft]);
    for await (const [received] of on(worker, 'message', { signal, close: ['exit'] })) {
      const message = received as ReadMessage;
      if (message === 'answered') {
        clearTimeout(timer);
        timer = limit(timeoutMs);
      } else if ('imported' in message) return message.imported;
      else throw new CommandError(message.problem);
    }
    throw new Error('the thread ended without a result');
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    if (name !== 'AbortError' && code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new CommandError(
      `The data of ${label} take more than ${timeoutMs / 1_000} seconds or ${memoryMegabytes} MB to read, or its ` +
        `API ${maxAskingMs / 60_000} minutes to answer. Use allclear import.\n`,
    );
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
