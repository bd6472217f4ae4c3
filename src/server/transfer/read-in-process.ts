import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from '../../transfer/importers/imported-page.js';
import { sources } from '../../transfer/importers/sources/registry.js';
import type { ReadJob, ReadMessage } from './read-process-main.js';

const timeoutMs = 60_000;
/** For asking the API of a product, which some allow once a second. */
const maxAskingMs = 30 * 60_000;
/** The young generation takes up to three times this, and counts towards the limit. */
const semiSpaceMb = 8;

/**
 * Reads the answers of a product in a process of its own, from files or its API: the conversion of a few kB of HTML,
 * compressed, can take minutes, in which nobody else would be answered, and one text of 60 MB more memory at once than
 * V8 can refuse to a thread. It would end the service. `clientLeft` ends it, too.
 */
export async function readInProcess(
  job: ReadJob,
  memoryMegabytes: number,
  clientLeft: AbortSignal,
): Promise<ImportedPage> {
  const child = fork(fileURLToPath(new URL('./read-process-main.js', import.meta.url)), {
    execArgv: [`--max-old-space-size=${memoryMegabytes - 3 * semiSpaceMb}`, `--max-semi-space-size=${semiSpaceMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const { label } = sources[job.source];
  const late = new AbortController();
  const limit = (milliseconds: number) => setTimeout(() => late.abort(), milliseconds);
  let timer = limit('api' in job.from ? maxAskingMs : timeoutMs);
  const tooLarge = new CommandError(
    `The data of ${label} take more than ${timeoutMs / 1_000} seconds or ${memoryMegabytes} MB to read, or its ` +
      `API ${maxAskingMs / 60_000} minutes to answer. Use allclear import.\n`,
  );
  try {
    const signal = AbortSignal.any([late.signal, clientLeft]);
    const messages = on(child, 'message', { signal, close: ['disconnect'] });
    // A process that is gone is reported by the end of its messages.
    child.send(job, () => {});
    for await (const [received] of messages) {
      const message = received as ReadMessage;
      if (message === 'answered') {
        clearTimeout(timer);
        timer = limit(timeoutMs);
      } else if ('imported' in message) return message.imported;
      else if ('problem' in message) throw new CommandError(message.problem);
      else throw new Error(message.failure);
    }
    // It has reported each failure but that of its memory.
    throw tooLarge;
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? tooLarge : error;
  } finally {
    clearTimeout(timer);
    await kill(child);
  }
}

/** Resolves when its memory is free. */
async function kill(child: ChildProcess): Promise<void> {
  // Without an id it was never started.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
