import type { Database } from '../db/connection.js';

/** Whether a field of a record is kept, and so written by /v1, as a whole number; the graph makes a text of every id. `names` are those of its type in the graph. */
export function isKeptAsInteger({ orm }: Database, names: string[], field: string): boolean {
  const meta = [...orm.getMetadata().getAll().values()].find(({ className }) => names.includes(className));
  return (meta?.properties as Record<string, { type: string }> | undefined)?.[field]?.type === 'integer';
}
