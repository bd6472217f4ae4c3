import { createHash } from 'node:crypto';
import { answer, object } from '../graphql/fast-path.js';
import type { Context } from '../graphql/context.js';
import { longestPage, type Prepared } from './operation.js';

export interface RestAnswer {
  body: string;
  /** Of a single stored record: `"<version>.<hash of this body>"`. */
  etag?: string;
  /** The id of the record shown. */
  id?: string;
}

/** Runs a route's operation. The field `body` is the answer itself; any other stands in it under its own name. */
export async function run(
  prepared: Prepared,
  variables: Record<string, unknown>,
  context: Context,
): Promise<RestAnswer> {
  const { fields, record } = await answer(prepared.operation, variables, context);
  const body = fields.get('body') ?? object(fields);
  if (prepared.cuttable && !variables.paged && countOf(body) === longestPage)
    return whole(prepared, variables, context, body);
  const etag = record && `"${record.version}.${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, id: record?.id };
}

/** "count" is the last thing in a list that is not shown by pages. */
const countOf = (body: string): number => Number(/"count":(\d+)\}$/.exec(body.slice(-24))?.[1]);

/** A list that filled its bound may have been cut: then it shows its pagination, as if its first page had been asked for. */
async function whole(
  prepared: Prepared,
  variables: Record<string, unknown>,
  context: Context,
  uncut: string,
): Promise<RestAnswer> {
  const { fields } = await answer(
    prepared.operation,
    { ...variables, page: 1, per_page: longestPage, paged: true },
    context,
  );
  const body = fields.get('body')!;
  const { pagination } = JSON.parse(body) as { pagination: { next: number | null } };
  return { body: pagination.next === null ? uncut : body };
}
