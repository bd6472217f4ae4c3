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

/** Of a page in a round: others, and the other steps of the automation, wait for these alone. */
const maxOfPage = 10;
const maxItems = 100;

/**
 * SQL: what a round of the automation works on, of the rows of `dueSql` with a `page` and the time `due_at`. Pages take
 * turns: first what has been due for longest on each page, so that thousands of one page do not delay those of others.
 */
export const takeTurnsSql = (columns: string, dueSql: string): string => `
  select ${columns} from (
    select due.*, row_number() over (partition by page order by due_at, id) as turn from (${dueSql}) due
  ) placed where turn <= ${maxOfPage} order by turn, due_at, id limit ${maxItems}`;
