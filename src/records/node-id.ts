import { quoteLiteral } from '../core/sql-literal.js';
import type { Meta } from './column-mapping.js';
import { findKey } from './table-sql.js';

/** The field of every record that has a global id. */
export const nodeIdField = 'nodeId';

/** Compiles the global id of a record: base64url of its class and its key, such as `Notice:12`. */
export const compileNodeId = (meta: Meta, alias: string): string => {
  const text = `${quoteLiteral(`${meta.className}:`)} || ${alias}.${findKey(meta).fieldNames[0]}`;
  return `translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
};

export const createNodeId = (className: string, id: string | number): string =>
  Buffer.from(`${className}:${id}`).toString('base64url');

/** Returns the class and the key of a global id; null for a text that is none. */
export function parseNodeId(nodeId: string): { className: string; id: string } | null {
  const [, className, id] = /^(\w+):(.*)$/s.exec(Buffer.from(nodeId, 'base64url').toString('utf8')) ?? [];
  return className && id ? { className, id } : null;
}
