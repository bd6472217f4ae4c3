import type { RunQuery } from '../../db/prepared-statements.js';
import { isDegradedPageSql } from '../../pages/page-state.js';

export async function isPageDegraded(run: RunQuery, pageId: string): Promise<boolean> {
  const [row] = await run<{ isDegraded: boolean }>(`select ${isDegradedPageSql('$1')} as "isDegraded"`, [pageId]);
  return row!.isDegraded;
}

export const orderByPosition = (run: RunQuery, components: readonly { id: number }[]): Promise<{ id: number }[]> =>
  run('select id from component where id = any($1::integer[]) order by position, id', [components.map(({ id }) => id)]);
