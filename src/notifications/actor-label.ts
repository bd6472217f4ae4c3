/** SQL: who a caller is, by its key: the address of a person, label and id of a token, or the key itself. */
export const actorLabelSql = (key: string): string => `coalesce(
  (select p.email from person p where 'person ' || p.id = ${key}),
  (select t.label || ' (' || t.id || ')' from token t where t.id::text = ${key}), ${key})`;

/** SQL: what a caller is, by its key, in those of `ActorKinds`. */
export const actorKindSql = (key: string): string => `case when ${key} like 'person %' then 'person'
  when ${key} = 'bootstrap' or ${key} ~ '^[0-9]+$' then 'token' else 'automation' end`;
