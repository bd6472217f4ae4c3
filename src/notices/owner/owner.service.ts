import { query } from '../../db/prepared-statements.js';
import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import { parseId } from '../../people/page-rights.js';
import type { Writer } from '../../records/writer.js';
import { Notice } from '../notice.entity.js';

export interface Assignee {
  personId: number;
  email: string;
}

/** SQL: the people who have a role on the page `$1`. */
const assigneesSql = `
  select p.id as "personId", p.email from person p where p.disabled_at is null
    and exists (select 1 from membership m where m.person_id = p.id and (m.page_id = $1 or m.page_id is null))`;

export const listAssignees = (write: Writer, pageId: string): Promise<Assignee[]> =>
  write.readOnly(async unit => {
    await unit.find([[Page, pageId]]);
    return query<Assignee>(unit.em, `${assigneesSql} order by p.email limit 500`, [pageId]);
  });

/** Hands a notice over to a person, or to nobody. Its version stays: what visitors see does not change. */
export function assignNotice(write: Writer, pageId: string, id: string, personId: string | null): Promise<void> {
  return write.transaction(async unit => {
    const notice = await unit.find<Notice>(pageRecordPath(pageId, Notice, id));
    const ownerId = personId === null ? null : parseId(personId);
    if (ownerId !== null && !(await query(unit.em, `${assigneesSql} and p.id = $2`, [pageId, ownerId])).length)
      throw invalid({ personId: [problems.notFound('must be the id of a person with a role on the page')] });
    notice.ownerId = ownerId;
    await unit.save();
  });
}
