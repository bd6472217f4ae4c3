import { createHash } from 'node:crypto';
import { executeOperation, toJsonObject } from '../graphql/fast-path.js';
import type { Context } from '../graphql/context.js';
import type { PreparedRoute } from './operation.js';

interface RestResponse {
  body: string;
  /** Of a single stored record: `"<version>.<hash of this body>"`. */
  etag?: string;
  /** The id of the record in the body. */
  id?: string;
}

/** Runs a route's operation. A field with the alias `body` is the whole response body; other fields are its keys. */
export async function runOperation(
  prepared: PreparedRoute,
  variables: Record<string, unknown>,
  context: Context,
): Promise<RestResponse> {
  const { fields, record } = await executeOperation(prepared.operation, variables, context);
  const body = fields.get('body') ?? toJsonObject(fields);
  const etag = record && `"${record.version}.${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, id: record?.id };
}
