import type { MikroORM } from '@mikro-orm/core';
import type { Meta } from './column-mapping.js';
import { compileFilter, type Filter } from './filter-sql.js';
import { findParentProperty, type RecordClass, type RecordPath, resolvePath } from './record-path.js';
import { Statement, type StatementOptions } from './statement.js';
import { compileSource, compileVisibility, findKey } from './table-sql.js';

/** A statement that returns ids. */
export interface SelectedIds {
  sql: string;
  values: unknown[];
}

/** Compiles a statement for a write: the ids of the records of a page that match a filter, sorted. */
export function compileIds(
  orm: MikroORM,
  options: StatementOptions,
  entity: RecordClass,
  page: RecordPath,
  filter: Filter,
): SelectedIds {
  const meta = orm.getMetadata().get(entity) as Meta;
  const statement = new Statement(options, {});
  const alias = statement.nextAlias();
  const [parent] = resolvePath(orm, page);
  const key = `${alias}.${findKey(meta).fieldNames[0]}`;
  const where = [
    `${alias}.${findParentProperty(meta, parent!.meta).fieldNames[0]} = ${statement.bind(parent!.id)}`,
    ...compileVisibility(meta, alias, statement),
    ...compileFilter(filter, meta, alias, statement),
  ];
  const sql = `select ${key} as id from ${compileSource(meta)} ${alias} where ${where.join(' and ')} order by ${key}`;
  return { sql, values: statement.values };
}
