import type { Caller } from '../auth/access.js';
import { hasRole, roleOn } from '../auth/roles.js';
import { forbidden } from '../core/errors.js';
import { isPossibleKey } from '../core/ids.js';
import { problems } from '../core/problems.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';

/** An id of the API; 0, which no record has, for a text that is none. */
export const parseId = (id: string): number => (isPossibleKey(id) ? Number(id) : 0);

/** The pages of a token or of an invitation; null: all pages. */
export type PageIds = readonly string[] | null;

const maxPages = 100;
const tooManyPages = problems.tooMany(maxPages);
const pageNotFound = problems.notFound('must be the id of a page on which you have a role');

/** Only owners hand out access, and only to what is theirs. A page without any role is left to `validatePages`. */
export function requireOwner(caller: Caller, pageIds: PageIds): void {
  if (caller.kind === 'anonymous') throw forbidden();
  const { grants } = caller;
  const held = pageIds ? pageIds.map(id => roleOn(grants, id)) : [grants.everywhere];
  if (held.some(role => (pageIds === null || role !== null) && !hasRole(role, 'owner'))) throw forbidden();
}

/** Adds an error for a page that does not exist, and the same one for a page on which the caller has no role. */
export async function validatePages({ em, validation }: Unit, caller: Caller, pageIds: PageIds): Promise<void> {
  if (!pageIds) return;
  if (!pageIds.length) validation.addError('pageIds', problems.blank);
  if (pageIds.length > maxPages) return validation.addError('pageIds', tooManyPages);
  const own = pageIds.filter(id => caller.kind !== 'anonymous' && roleOn(caller.grants, id) && !id.includes('\0'));
  const rows = await query<{ id: string }>(em, 'select id from page where id = any($1)', [own]);
  const existing = new Set(rows.map(({ id }) => id));
  for (const [index, id] of pageIds.entries())
    if (!existing.has(id)) validation.addError('pageIds', { ...pageNotFound, index });
}

/** The page in whose log a change is; null for several. */
export const onlyPage = (pageIds: PageIds): string | null => (pageIds?.length === 1 ? pageIds[0]! : null);

/** Fields of a change for the audit log. */
export const toFields = (values: Record<string, unknown>): Record<string, { after: unknown }> =>
  Object.fromEntries(Object.entries(values).map(([field, after]) => [field, { after }]));
