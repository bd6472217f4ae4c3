import type { Database } from '../db/database.js';
import { recentInterval } from '../notices/notice.states.js';
import { claimInterval } from './public-url.js';

/**
 * Returns in how many milliseconds the records of pages change by time alone: when a notice becomes one of the distant
 * past, or the claim to a domain expires. Infinity if none does.
 */
export async function readValidityMs(database: Pick<Database, 'query'>, pageIds: readonly string[]): Promise<number> {
  const [row] = await database.query<{ ms: string | number | null }>(
    `select extract(epoch from min(moment) - statement_timestamp()) * 1000 as ms from (
       select ended_at + ${recentInterval} as moment from notice where page_id = any($1)
       union all
       select claimed_at + ${claimInterval} from custom_domain where page_id = any($1) and verified_at is null
     ) moments where moment > statement_timestamp()`,
    [pageIds],
  );
  return row!.ms === null ? Number.POSITIVE_INFINITY : Number(row!.ms);
}
