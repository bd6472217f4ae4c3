import type { Caller } from '../auth/access.js';
import { hasRole } from '../auth/roles.js';
import { insertToken, type TokenRights } from '../auth/token.service.js';
import { notFound } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { isBlank, validateText } from '../core/validation.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { personIdOf } from './administered.js';
import { onlyPage, parseId, requireOwner, toFields, validatePages } from './page-rights.js';
import type { CreateTokenInput } from './token.inputs.js';

const lifetimeDays = 90;
const dayMs = 86_400_000;

/** Creates a token of at most the rights of its maker. Returns its id and its secret. */
export function createToken(
  write: Writer,
  caller: Caller,
  input: CreateTokenInput,
): Promise<{ id: number; secret: string }> {
  return write.transaction(async unit => {
    const { label, role, isService } = input;
    const pageIds = input.pageIds ? [...new Set(input.pageIds)] : null;
    requireOwner(caller, pageIds);
    const maker = await findMaker(unit, caller);
    const expiresAt = chooseExpiry(unit, input.expiresAt, maker.expiresAt);
    if (isBlank(label)) unit.validation.addError('label', problems.blank);
    else validateText(unit.validation, 'label', label, 255);
    const isOwnerOfAll = caller.kind !== 'anonymous' && hasRole(caller.grants.everywhere, 'owner');
    if (isService && maker.personId !== null && !(caller.kind === 'person' && isOwnerOfAll))
      unit.validation.addError('isService', notService);
    await validatePages(unit, caller, pageIds);
    unit.validation.throwIfInvalid();
    const personId = isService ? null : maker.personId;
    return issueToken(unit, label.trim(), { role, pageIds, expiresAt, personId, makerId: maker.tokenId });
  });
}

const notService = problems.notApplicable('is for an OWNER of all pages who has signed in');

/** What limits a token: the person and the token that make it. */
interface Maker {
  tokenId: number | null;
  personId: number | null;
  /** Null: never. */
  expiresAt: Date | null;
}

/** The token that asks is locked, so that it is not revoked before those that it makes are known. */
async function findMaker({ em }: Unit, caller: Caller): Promise<Maker> {
  const none = { tokenId: null, personId: personIdOf(caller) || null, expiresAt: null };
  if (caller.kind !== 'token' || caller.key === 'bootstrap') return none;
  const [token] = await query<{ personId: number | null; expiresAt: string | null }>(
    em,
    `select person_id as "personId", expires_at as "expiresAt" from token
     where id = $1 and revoked_at is null for no key update`,
    [Number(caller.key)],
  );
  if (!token) throw notFound('token');
  const { personId, expiresAt } = token;
  return { tokenId: Number(caller.key), personId, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

/** Without a time of its own a token ends after 90 days, and always with the token that makes it. */
function chooseExpiry({ now, validation }: Unit, given: Date | null | undefined, latest: Date | null): Date | null {
  if (given === undefined) {
    const preset = new Date(now.getTime() + lifetimeDays * dayMs);
    return latest && latest < preset ? latest : preset;
  }
  if (given && given <= now) validation.addError('expiresAt', problems.outOfRange('must be in the future'));
  else if (latest && (given === null || given > latest))
    validation.addError(
      'expiresAt',
      problems.outOfRange(`must be at most ${latest.toISOString()}, when the token that makes it expires`),
    );
  return given;
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

/** Revokes a token of some pages, or any where `pages` is null, and those that it has made. */
export async function revokeToken(write: Writer, id: string, pages: readonly string[] | null): Promise<number> {
  const tokenId = parseId(id);
  return write.transaction(async unit => {
    const rows = await query<{ id: number; pageIds: string[] | null; revokedAt: string }>(
      unit.em,
      `with recursive chosen (id) as (
         select id from token where id = $1 and ($2::text[] is null or page_ids <@ $2::text[])
         union select t.id from token t join chosen c on t.maker_id = c.id
       )
       update token t set revoked_at = coalesce(t.revoked_at, clock_timestamp()) from chosen c where t.id = c.id
       returning t.id, t.page_ids as "pageIds", t.revoked_at as "revokedAt"`,
      [tokenId, pages],
    );
    const revoked = rows.find(row => row.id === tokenId);
    if (!revoked) throw notFound('token');
    const { pageIds, revokedAt } = revoked;
    unit.describeChange('Token', id, toFields({ revokedAt: new Date(revokedAt) }), onlyPage(pageIds));
    return tokenId;
  });
}
