import type { Database } from '../db/connection.js';

/**
 * Tells whether a field is stored as an integer. /v1 prints such an id as a number, whereas GraphQL makes a string of
 * every id. `typeNames` are the names of its types in the GraphQL schema.
 */
export function isIntegerColumn({ orm }: Database, typeNames: string[], field: string): boolean {
  const meta = [...orm.getMetadata().getAll().values()].find(({ className }) => typeNames.includes(className));
  return (meta?.properties as Record<string, { type: string }> | undefined)?.[field]?.type === 'integer';
}
