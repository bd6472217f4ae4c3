import type { Caller } from '../auth/access.js';
import { hasRole, roleOn } from '../auth/roles.js';
import { insertToken } from '../auth/token.service.js';
import { forbidden, notFound } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { isBlank, validateText } from '../core/validation.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';
import type { CreateTokenInput } from './token.inputs.js';

const lifetimeDays = 90;
const maximumPages = 100;
const dayMs = 86_400_000;

/** Creates a token of at most the rights of its maker. Returns its id and its secret. */
export function createToken(
  write: Writer,
  caller: Caller,
  input: CreateTokenInput,
): Promise<{ id: number; secret: string }> {
  return write.transaction(async unit => {
    const pageIds = input.pageIds ? [...new Set(input.pageIds)] : null;
    requireOwner(caller, pageIds);
    await validate(unit, caller, { ...input, pageIds });
    unit.validation.throwIfInvalid();
    const { label, role } = input;
    const expiresAt =
      input.expiresAt === undefined ? new Date(unit.now.getTime() + lifetimeDays * dayMs) : input.expiresAt;
    return insertToken((sql, values) => query(unit.em, sql, values), label.trim(), { role, pageIds, expiresAt });
  });
}

/** Only owners hand out access, and only to what is theirs. */
function requireOwner(caller: Caller, pageIds: readonly string[] | null): void {
  if (caller.kind === 'anonymous') throw forbidden();
  const { grants } = caller;
  const held = pageIds ? pageIds.map(id => roleOn(grants, id)) : [grants.everywhere];
  // A page without any role is refused below, as one that does not exist.
  if (held.some(role => (pageIds === null || role !== null) && !hasRole(role, 'owner'))) throw forbidden();
}

async function validate(
  { em, now, validation }: Unit,
  caller: Caller,
  { label, pageIds, expiresAt }: CreateTokenInput,
): Promise<void> {
  if (isBlank(label)) validation.addError('label', problems.blank);
  else validateText(validation, 'label', label, 255);
  if (expiresAt && expiresAt <= now) validation.addError('expiresAt', problems.outOfRange('must be in the future'));
  if (!pageIds) return;
  if (!pageIds.length) validation.addError('pageIds', problems.blank);
  if (pageIds.length > maximumPages) validation.addError('pageIds', tooManyPages);
  const own = pageIds.filter(id => caller.kind !== 'anonymous' && roleOn(caller.grants, id) && !id.includes('\0'));
  const existing = await query(em, 'select id from page where id = any($1)', [own]);
  if (existing.length < pageIds.length) validation.addError('pageIds', pageNotFound);
}

const tooManyPages = problems.tooMany(maximumPages);
const pageNotFound = problems.notFound('must be ids of pages on which you have a role');

/** Revokes a token of some pages, or any where `pages` is null. One that is revoked stays as it is. */
export async function revokeToken(write: Writer, id: string, pages: readonly string[] | null): Promise<number> {
  const tokenId = /^\d{1,9}$/.test(id) ? Number(id) : 0;
  return write.transaction(async ({ em }) => {
    const revoked = await query<{ id: number }>(
      em,
      `update token set revoked_at = coalesce(revoked_at, clock_timestamp())
       where id = $1 and ($2::text[] is null or page_ids <@ $2::text[])
       returning id`,
      [tokenId, pages],
    );
    if (!revoked.length) throw notFound('token');
    return tokenId;
  });
}
