import type { Logger } from '../core/logger.js';
import { toRefusal } from './database-errors.js';

/** Runs `work` for each item and adds up the results. A failure is logged, and does not stop the others. */
export async function runEach<Item>(
  log: Logger,
  items: readonly Item[],
  work: (item: Item) => Promise<number>,
  onItem: () => void = () => {},
): Promise<number> {
  let total = 0;
  for (const item of items) {
    try {
      total += await work(item);
    } catch (error) {
      const level = toRefusal(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error';
      log[level]({ err: error, item }, 'a notice could not be advanced, or a reminder or draft published');
    }
    onItem();
  }
  return total;
}
