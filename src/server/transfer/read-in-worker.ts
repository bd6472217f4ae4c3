import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from '../../transfer/importers/imported-page.js';
import type { ReadJob, ReadResult } from './read-worker.js';
import { sources } from '../../transfer/importers/sources/registry.js';

const timeoutMs = 60_000;
const memoryMegabytes = 512;

/**
 * Reads the answers of a product in a thread of its own: the conversion of a few kB of HTML, compressed, can take
 * minutes, in which nobody else would be answered. `clientLeft` ends it, too.
 */
export async function readInWorker(job: ReadJob, clientLeft: AbortSignal): Promise<ImportedPage> {
  const worker = new Worker(new URL('./read-worker.js', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  });
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), clientLeft]);
    const [result] = (await once(worker, 'message', { signal })) as [ReadResult];
    if ('imported' in result) return result.imported;
    throw new CommandError(result.problem);
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    if (name !== 'AbortError' && code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    const { label } = sources[job.source];
    throw new CommandError(
      `The files of ${label} take more than ${timeoutMs / 1_000} seconds or ${memoryMegabytes} MB to read. ` +
        'Use allclear import.\n',
    );
  } finally {
    await worker.terminate();
  }
}
