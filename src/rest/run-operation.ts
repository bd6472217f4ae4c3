import { createHash } from 'node:crypto';
import { executeOperation, toJsonObject } from '../graphql/fast-path.js';
import type { Context } from '../graphql/context.js';
import { maximumPageSize, type PreparedRoute } from './operation.js';

export interface RestResponse {
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
  if (prepared.mayBeTruncated && !variables.paged && readCount(body) === maximumPageSize)
    return withPagination(prepared, variables, context, body);
  const etag = record && `"${record.version}.${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, id: record?.id };
}

/** "count" is the last key of a list without pagination, so the end of the text is enough. */
const readCount = (body: string): number => Number(/"count":(\d+)\}$/.exec(body.slice(-24))?.[1]);

/** Runs a list that reached the maximum again as page 1, and shows its pagination if the list was truncated. */
async function withPagination(
  prepared: PreparedRoute,
  variables: Record<string, unknown>,
  context: Context,
  unpagedBody: string,
): Promise<RestResponse> {
  const { fields } = await executeOperation(
    prepared.operation,
    { ...variables, page: 1, per_page: maximumPageSize, paged: true },
    context,
  );
  const body = fields.get('body')!;
  const { pagination } = JSON.parse(body) as { pagination: { next: number | null } };
  return { body: pagination.next === null ? unpagedBody : body };
}
