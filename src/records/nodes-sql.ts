import type { MikroORM } from '@mikro-orm/core';
import { type GraphQLSchema, isCompositeType, isUnionType } from 'graphql';
import { quoteLiteral } from '../core/sql-literal.js';
import { findIntegerType, type Meta } from './column-mapping.js';
import { parseNodeId } from './node-id.js';
import { completePath, isPossibleId, type PathStep } from './record-path.js';
import type { Statement } from './statement.js';
import { findKey } from './table-sql.js';

interface NamedNode {
  meta: Meta;
  id: string;
}

/** Finds out what a global id names; null for a text that is none, and for a type that has none. */
export function findNode(orm: Pick<MikroORM, 'getMetadata'>, schema: GraphQLSchema, nodeId: string): NamedNode | null {
  const parsed = parseNodeId(nodeId);
  const type = parsed && schema.getType(parsed.className);
  if (!isCompositeType(type) || isUnionType(type) || !type.extensions.recordAccess) return null;
  if (!type.getInterfaces().some(({ name }) => name === 'Node')) return null;
  const meta = orm.getMetadata().getByClassName(type.name as never) as unknown as Meta;
  const { id } = parsed!;
  return isPossibleId({ meta, id, alias: '' }) ? { meta, id } : null;
}

/**
 * Compiles records of several classes to one list, in the order of `nodes`, with null for what is not found. The text
 * depends on the classes alone. `compileRecord` compiles the select of a record from the expression of its id.
 */
export function compileNodes(
  nodes: readonly (NamedNode | null)[],
  statement: Statement,
  compileRecord: (meta: Meta, steps: PathStep[], id: string) => string,
): { list: string; from: string } {
  const branches = [...new Set(nodes.flatMap(node => node?.meta ?? []))].map(meta => {
    const id = `asked.id::${findIntegerType(findKey(meta)) ?? 'text'}`;
    return `when ${quoteLiteral(meta.className)} then (${compileRecord(meta, completePath(meta, 0), id)})`;
  });
  const classes = statement.bind(nodes.map(node => node?.meta.className ?? null));
  const ids = statement.bind(nodes.map(node => node?.id ?? null));
  const record = branches.length ? `case asked.class ${branches.join(' ')} end` : 'null::json';
  return {
    list: `coalesce(json_agg(${record} order by asked.position), '[]')`,
    from: `unnest(${classes}::text[], ${ids}::text[]) with ordinality asked(class, id, position)`,
  };
}
