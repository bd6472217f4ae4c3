import { pageOwnersSql } from './page-owners.js';

/**
 * SQL: the address of the person with this key of a caller, or to whom the token with it belongs, as `email`. No row
 * for a service token, and for a person who is disabled or has no role on the page any more.
 */
const authorAddressSql = (key: string, pageId: string): string => `
  select lower(p.email) as email from person p
  where ('person ' || p.id = ${key} or p.id = (select t.person_id from token t where t.id::text = ${key}))
    and p.disabled_at is null and p.email not like '%@localhost'
    and exists (select 1 from membership m where m.person_id = p.id and (m.page_id = ${pageId} or m.page_id is null))`;

/** SQL: the same; where there is no row, the addresses of the owners of the page. */
export const authorOrOwnersSql = (key: string, pageId: string): string => `
  with author as (${authorAddressSql(key, pageId)})
  select email from author
  union all select email from (${pageOwnersSql(pageId)}) owners where not exists (select 1 from author)`;
