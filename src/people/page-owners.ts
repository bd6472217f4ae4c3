/** SQL: the addresses of those who own a page, as `email`. The first owner of a service has none yet. */
export const pageOwnersSql = (pageId: string): string => `
  select distinct lower(o.email) as email from person o join membership m on m.person_id = o.id
  where m.role = 'owner' and (m.page_id = ${pageId} or m.page_id is null) and o.disabled_at is null
    and o.email not like '%@localhost'`;
