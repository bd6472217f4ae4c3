import { Refusal } from '../core/errors.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';

const ownersSql = `
  select m.id from membership m join person p on p.id = m.person_id
  where m.page_id is null and m.role = 'owner' and p.disabled_at is null`;

/**
 * Makes a change to roles, and throws where nobody owns all pages after it who did before: nobody could give access to
 * anybody. The owners are locked first, so that two of them cannot take the role away from each other.
 */
export async function withRemainingOwner<Result>({ em }: Unit, change: () => Promise<Result>): Promise<Result> {
  const before = await query(em, `${ownersSql} order by m.id for update of m`);
  const result = await change();
  if (before.length && !(await query(em, `${ownersSql} limit 1`)).length)
    throw new Refusal(
      'CONFLICT',
      'This is the only owner of all pages. Make somebody else an owner of all pages first.',
    );
  return result;
}
