/** SQL: whether a later publication of the same notice has the news of an earlier one, to recipients of both. */
export const supersedesSql = ({ later, earlierId }: { later: string; earlierId: string }): string => `case
  when ${later}.corrects is not null then ${earlierId} = any(${later}.corrects)
  else not exists (select 1 from publication c where c.id = ${earlierId} and c.corrects is not null) end`;
