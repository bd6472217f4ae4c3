import type { Database } from '../../db/database.js';

type Run = Pick<Database, 'query'>;

type FactName = 'public_url' | 'backup';

export interface Fact {
  value: string;
  /** How long ago it was stored, by the clock of the database. */
  ageSeconds: number;
}

export async function readFact({ query }: Run, name: FactName): Promise<Fact | null> {
  const [fact] = await query<Fact>(
    `select value, extract(epoch from clock_timestamp() - stored_at)::float8 as "ageSeconds"
     from installation_fact where name = $1`,
    [name],
  );
  return fact ?? null;
}

/** Returns what was stored before. */
export async function storeFact({ query }: Run, name: FactName, value: string): Promise<string | null> {
  const [row] = await query<{ before: string | null }>(
    `with known as (select value from installation_fact where name = $1)
     insert into installation_fact (name, value, stored_at) values ($1, $2, clock_timestamp())
     on conflict (name) do update set value = excluded.value, stored_at = excluded.stored_at
     returning (select value from known) as before`,
    [name, value],
  );
  return row!.before;
}
