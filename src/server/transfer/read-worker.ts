import { parentPort, workerData } from 'node:worker_threads';
import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from '../../transfer/importers/imported-page.js';
import type { Answers, ReadOptions, Source } from '../../transfer/importers/source.js';
import { type SourceName, sources } from '../../transfer/importers/sources/registry.js';

export interface ReadJob {
  source: SourceName;
  answers?: Answers;
  /** A file that the source opens instead of answers. */
  path?: string;
  options: ReadOptions;
}

export type ReadResult = { imported: ImportedPage } | { problem: string };

/** The thread of `readInWorker`. */
async function read({ source: name, answers, path, options }: ReadJob): Promise<ReadResult> {
  const source: Source = sources[name];
  try {
    return { imported: source.read(answers ?? (await source.open!(path!)), options) };
  } catch (error) {
    if (error instanceof CommandError) return { problem: error.message };
    throw error;
  }
}

parentPort!.postMessage(await read(workerData as ReadJob));
