/** SQL: the addresses of those with one of the roles on a page, as `email`. The first owner has none yet. */
const withRoleSql = (pageId: string, roles: string): string => `
  select distinct lower(o.email) as email from person o join membership m on m.person_id = o.id
  where m.role in (${roles}) and (m.page_id = ${pageId} or m.page_id is null) and o.disabled_at is null
    and o.email not like '%@localhost'`;

export const pageOwnersSql = (pageId: string): string => withRoleSql(pageId, "'owner'");

/** Those who may publish on the page. */
export const pagePublishersSql = (pageId: string): string => withRoleSql(pageId, "'publisher', 'owner'");
