import { parentPort, workerData } from 'node:worker_threads';
import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from '../../transfer/importers/imported-page.js';
import type { Answers, ReadOptions } from '../../transfer/importers/source.js';
import { type SourceName, sources } from '../../transfer/importers/sources/registry.js';

export interface ReadJob {
  source: SourceName;
  answers: Answers;
  options: ReadOptions;
}

export type ReadResult = { imported: ImportedPage } | { problem: string };

/** The thread of `readInWorker`. */
function read({ source, answers, options }: ReadJob): ReadResult {
  try {
    return { imported: sources[source].read(answers, options) };
  } catch (error) {
    if (error instanceof CommandError) return { problem: error.message };
    throw error;
  }
}

parentPort!.postMessage(read(workerData as ReadJob));
