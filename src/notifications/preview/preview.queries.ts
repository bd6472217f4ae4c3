import type { RunQuery } from '../../db/prepared-statements.js';
import { presentSql } from '../../notices/notice.states.js';

/** The subjects of other ongoing notices that name a component of a publication's scope, newest first. */
export async function findOverlappingNotices(run: RunQuery, publicationId: number): Promise<string[]> {
  const rows = await run<{ subject: string }>(
    `select n.subject from publication p join notice n on n.id <> p.notice_id and ${presentSql('n.state')}
     where p.id = $1 and exists (
       select 1 from notice_component c where c.notice_id = n.id and c.component_id = any(p.scope))
     order by n.id desc limit 5`,
    [publicationId],
  );
  return rows.map(({ subject }) => subject);
}

export async function hasPresentNotice(run: RunQuery, pageId: string): Promise<boolean> {
  const sql = `select 1 as one from notice where page_id = $1 and ${presentSql('state')} limit 1`;
  return (await run(sql, [pageId])).length > 0;
}

export const orderByPosition = (run: RunQuery, components: readonly { id: number }[]): Promise<{ id: number }[]> =>
  run('select id from component where id = any($1::integer[]) order by position, id', [components.map(({ id }) => id)]);
