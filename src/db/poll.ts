import { log } from '../core/logger.js';
import { refusalOf } from './database-errors.js';

/** Does something again and again, each time so long after the last was done, until it is stopped; the returned function waits for the one that is under way. */
export function recurring(
  work: (stop: AbortSignal) => Promise<unknown>,
  everyMilliseconds: number,
  failure: string,
): () => Promise<void> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const once = async (): Promise<void> => {
    try {
      await work(stop.signal);
    } catch (error) {
      const away = refusalOf(error)?.code === 'UNAVAILABLE';
      if (!stop.signal.aborted) log[away ? 'debug' : 'error']({ err: error }, failure);
    }
    if (!stop.signal.aborted) timer = setTimeout(() => (running = once()), everyMilliseconds);
  };
  let running = once();
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}
