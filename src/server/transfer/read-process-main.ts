import { writeFileSync } from 'node:fs';
import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from '../../transfer/importers/imported-page.js';
import { createGuardedFetch, type SsrfGuard } from '../../http/guarded-request.js';
import {
  checkAnswerSize,
  checkPageSize,
  checkRecordCount,
  createAnswersCheck,
} from '../../transfer/importers/answer-size.js';
import { fetchAnswers } from '../../transfer/importers/fetch-answers.js';
import { listPeriods } from '../../transfer/importers/notice-components.js';
import { readAnswers } from '../../transfer/importers/read-folder.js';
import type { Answers, ReadOptions, Source } from '../../transfer/importers/source.js';
import { type SourceName, sources } from '../../transfer/importers/sources/registry.js';

/** The API of a product, and how it may be asked. */
interface AskedApi {
  token: string;
  sourcePage: string;
  origin?: string;
  guard: Pick<SsrfGuard, 'allowPrivate' | 'proxies' | 'timeoutMs'>;
  /** Of all answers. */
  maxBytes: number;
}

export interface ReadJob {
  source: SourceName;
  /** A folder with files of answers, or a file that the source opens; or where to ask for the answers. */
  from: { path: string } | { api: AskedApi };
  options: ReadOptions;
}

/** A problem is for who imports, and a failure a defect of this program. */
type ReadResult = { imported: ImportedPage } | { problem: string } | { failure: string };

/** Before the result: the answers of an API have been read. */
export type ReadMessage = ReadResult | 'answered';

/** The process of `readInProcess`. */
async function read({ source: name, from, options }: ReadJob): Promise<ReadResult> {
  const source: Source = sources[name];
  try {
    const answers = 'api' in from ? await ask(source, from.api) : await open(source, from.path);
    const imported = source.read(answers, options);
    checkRecordCount(imported);
    const page = { ...imported, periods: listPeriods(imported.notices) };
    checkPageSize(page);
    return { imported: page };
  } catch (error) {
    if (error instanceof CommandError) return { problem: error.message };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** It is parsed here: what becomes of 64 MB must not be in the memory of the service twice. */
const open = (source: Source, path: string): Promise<Answers> =>
  source.open ? source.open(path) : readAnswers(path, source.files, checkAnswerSize);

async function ask(source: Source, { guard, maxBytes, ...given }: AskedApi): Promise<Answers> {
  const fetch = createGuardedFetch(guard, { maxBytes, isTotal: true });
  const answers = await fetchAnswers(source.api!, { ...given, fetch, check: createAnswersCheck() });
  send('answered');
  return answers;
}

const send = (message: ReadMessage) => process.send!(message);

try {
  // Where a container has too little memory for both, Linux ends this process, and not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Elsewhere than on Linux there is no such file.
}

process.on('disconnect', () => process.exit());
process.once('message', async (job: ReadJob) => {
  send(await read(job));
});
