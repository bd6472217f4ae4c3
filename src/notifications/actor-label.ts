/** SQL: who a caller is, by its key: the address of a person, label and id of a token, or the key itself. */
export const actorLabelSql = (key: string): string => `coalesce(
  (select p.email from person p where 'person ' || p.id = ${key}),
  (select t.label || ' (' || t.id || ')' from token t where t.id::text = ${key}), ${key})`;
