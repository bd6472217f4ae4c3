import type { Caller } from '../auth/access.js';
import { hasRole, roleOn } from '../auth/roles.js';
import { insertToken, type TokenRights } from '../auth/token.service.js';
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
    return issueToken(unit, label.trim(), { role, pageIds, expiresAt });
  });
}

/** Inserts a token with any rights, for those who have all. */
export async function issueToken(
  unit: Unit,
  label: string,
  rights: TokenRights,
): Promise<{ id: number; secret: string }> {
  const token = await insertToken((sql, values) => query(unit.em, sql, values), label, rights);
  unit.describeChange('Token', String(token.id), toFields({ label, ...rights }), onlyPage(rights.pageIds ?? null));
  return token;
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
  return write.transaction(async unit => {
    const [revoked] = await query<{ pageIds: string[] | null; revokedAt: string }>(
      unit.em,
      `update token set revoked_at = coalesce(revoked_at, clock_timestamp())
       where id = $1 and ($2::text[] is null or page_ids <@ $2::text[])
       returning page_ids as "pageIds", revoked_at as "revokedAt"`,
      [tokenId, pages],
    );
    if (!revoked) throw notFound('token');
    const { pageIds, revokedAt } = revoked;
    unit.describeChange('Token', id, toFields({ revokedAt: new Date(revokedAt) }), onlyPage(pageIds));
    return tokenId;
  });
}

const toFields = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([field, after]) => [field, { after }]));

/** The page in whose log the change is; null for several. */
const onlyPage = (pageIds: readonly string[] | null) => (pageIds?.length === 1 ? pageIds[0]! : null);
