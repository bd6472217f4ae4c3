import { parentPort, workerData } from 'node:worker_threads';
import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from '../../transfer/importers/imported-page.js';
import { checkAnswerSize } from '../../transfer/importers/answer-size.js';
import { readAnswers } from '../../transfer/importers/read-folder.js';
import type { Answers, ReadOptions, Source } from '../../transfer/importers/source.js';
import { type SourceName, sources } from '../../transfer/importers/sources/registry.js';

export interface ReadJob {
  source: SourceName;
  answers?: Answers;
  /** In place of answers: a folder with files of them, or a file that the source opens. */
  path?: string;
  options: ReadOptions;
}

export type ReadResult = { imported: ImportedPage } | { problem: string };

/** The thread of `readInWorker`. */
async function read({ source: name, answers, path, options }: ReadJob): Promise<ReadResult> {
  const source: Source = sources[name];
  try {
    return { imported: source.read(answers ?? (await open(source, path!)), options) };
  } catch (error) {
    if (error instanceof CommandError) return { problem: error.message };
    throw error;
  }
}

/** It is parsed here: what becomes of 64 MB must not be in the memory of the process twice. */
const open = (source: Source, path: string): Promise<Answers> =>
  source.open ? source.open(path) : readAnswers(path, source.files, checkAnswerSize);

parentPort!.postMessage(await read(workerData as ReadJob));
