import { BigIntType, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';

/**
 * The only use of `createColumnMappingObject`, which MikroORM does not document: it gives a formula the columns of its
 * row. The version of MikroORM is pinned, and test/unit/records/internals.test.ts checks what the mapping holds.
 */

// biome-ignore lint/suspicious/noExplicitAny: metadata of any entity
export type Meta = EntityMetadata<any>;
export type Columns = Record<string, string>;

const mappings = new WeakMap<Meta, Map<string, Columns>>();

/** The type of an integer column; null for any other. MikroORM replaces the type of a bigint property by a class. */
export const findIntegerType = ({ type, customType }: EntityProperty): 'integer' | 'bigint' | null =>
  customType instanceof BigIntType ? 'bigint' : type === 'integer' ? 'integer' : null;

/** Maps the properties of an entity to `alias.column`. */
export function mapColumns(meta: Meta, alias: string): Columns {
  const cached = mappings.get(meta) ?? new Map<string, Columns>();
  const columns = cached.get(alias) ?? (meta.createColumnMappingObject(alias) as unknown as Columns);
  mappings.set(meta, cached.set(alias, columns));
  return columns;
}
