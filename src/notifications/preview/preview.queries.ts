import type { RunQuery } from '../../db/prepared-statements.js';
import { isCurrentSql, type ManualComponentStatus } from '../../components/manual-status.rules.js';
import { isDegradedPageSql } from '../../pages/page-state.js';
import { presentSql } from '../../notices/notice.states.js';

/** Another open notice that names one of the components. */
export interface OverlappingNotice {
  id: number;
  subject: string;
}

/** Other ongoing notices that name a component of the scope of a publication, newest first. */
export const findOverlappingNotices = (run: RunQuery, publicationId: number): Promise<OverlappingNotice[]> =>
  run(
    `select n.id, n.subject from publication p join notice n on n.id <> p.notice_id and ${presentSql('n.state')}
     where p.id = $1 and exists (
       select 1 from notice_component c where c.notice_id = n.id and c.component_id = any(p.scope))
     order by n.id desc limit 5`,
    [publicationId],
  );

/** The components that a publication's notice names and that have a manual status, by position. */
export const findManualStatuses = (
  run: RunQuery,
  publicationId: number,
): Promise<{ name: string; state: ManualComponentStatus }[]> =>
  run(
    `select c.name, m.state from publication p join notice_component nc on nc.notice_id = p.notice_id
     join component c on c.id = nc.component_id join manual_status m on m.component_id = c.id and ${isCurrentSql('m')}
     where p.id = $1 order by c.position, c.id limit 5`,
    [publicationId],
  );

export async function isPageDegraded(run: RunQuery, pageId: string): Promise<boolean> {
  const [row] = await run<{ isDegraded: boolean }>(`select ${isDegradedPageSql('$1')} as "isDegraded"`, [pageId]);
  return row!.isDegraded;
}

export const orderByPosition = (run: RunQuery, components: readonly { id: number }[]): Promise<{ id: number }[]> =>
  run('select id from component where id = any($1::integer[]) order by position, id', [components.map(({ id }) => id)]);
