import { getHeapStatistics } from 'node:v8';
import PQueue from 'p-queue';

const megabyte = 1024 * 1024;
/** Of the process that reads what is imported. */
const maxMegabytes = 512;
const maxPlaces = 2;

/**
 * Imports of other products. All of them together read in half as much memory as V8 has for this process, which chooses
 * that by the memory of the machine or container: with 1 GB one import runs at a time, in 280 MB, and others wait.
 */
export class ImportTurns {
  readonly megabytes: number;
  private readonly queue: PQueue;

  constructor(heapBytes = getHeapStatistics().heap_size_limit) {
    const available = Math.floor(heapBytes / 2 / megabyte);
    this.megabytes = Math.min(available, maxMegabytes);
    this.queue = new PQueue({ concurrency: Math.min(Math.max(Math.floor(available / maxMegabytes), 1), maxPlaces) });
  }

  /** What was read is in the memory of this process until it is written, so a turn ends after that. */
  run<Result>(clientLeft: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return this.queue.add(work, { signal: clientLeft });
  }
}
