import { type Caller, requireAccess } from '../auth/access.js';
import type { Role } from '../auth/roles.js';
import { notFound, unauthenticated } from '../core/errors.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';
import { findAdministeredPages, personIdOf } from './administered.js';
import { withRemainingOwner } from './last-owner.js';
import { onlyPage, type PageIds, parseId, toFields } from './page-rights.js';

/**
 * Invites a person, or gives one who is known another role: on pages, or on all of them where `pageIds` is null. A
 * disabled person is enabled. Returns the id.
 */
export async function invitePerson(unit: Unit, email: string, role: Role, pageIds: PageIds): Promise<number> {
  const [person] = await query<{ id: number }>(
    unit.em,
    `insert into person (email, created_at) values ($1, clock_timestamp())
     on conflict (lower(email)) do update set disabled_at = null returning id`,
    [email],
  );
  await withRemainingOwner(unit, () =>
    query(
      unit.em,
      `insert into membership (person_id, page_id, role)
       select $1, page_id, $2 from unnest($3::text[]) given (page_id)
       on conflict (person_id, (coalesce(page_id, '')), is_mapped) do update set role = excluded.role`,
      [person!.id, role, pageIds ?? [null]],
    ),
  );
  unit.describeChange('Person', String(person!.id), toFields({ email, role, pageIds }), onlyPage(pageIds));
  return person!.id;
}

/** Finds an enabled person by the address. */
export async function findEnabledPerson(unit: Unit, email: string): Promise<number | null> {
  const [person] = await query<{ id: number }>(
    unit.em,
    'select id from person where lower(email) = lower($1) and disabled_at is null',
    [email],
  );
  return person?.id ?? null;
}

const endAccess = [
  'update session set revoked_at = clock_timestamp() where person_id = $1 and revoked_at is null',
  'update token set revoked_at = clock_timestamp() where person_id = $1 and revoked_at is null',
  'delete from sign_in_link where person_id = $1',
  'delete from passkey where person_id = $1',
  // An invitation enables the person again, with the roles of that invitation alone.
  'delete from membership where person_id = $1',
];

/**
 * Disables a person, but for the last owner of all pages: ends all sessions and personal tokens, and deletes the roles.
 * Returns whether there is one.
 */
export const disablePerson = (unit: Unit, id: number): Promise<boolean> =>
  withRemainingOwner(unit, () => endAllAccess(unit, id));

async function endAllAccess(unit: Unit, id: number): Promise<boolean> {
  const disabled = await query<{ at: string }>(
    unit.em,
    `update person set disabled_at = coalesce(disabled_at, clock_timestamp()) where id = $1
     returning disabled_at as at`,
    [id],
  );
  if (!disabled.length) return false;
  for (const statement of endAccess) await query(unit.em, statement, [id]);
  unit.describeChange('Person', String(id), toFields({ disabledAt: new Date(disabled[0]!.at) }));
  return true;
}

/** Ends a session of the person who asks, or of anybody where an owner of all pages asks. */
export function endSession(write: Writer, caller: Caller, id: string): Promise<void> {
  if (caller.kind === 'anonymous') throw unauthenticated();
  return write.transaction(async unit => {
    const [session] = await query<{ personId: number }>(
      unit.em,
      'select person_id as "personId" from session where id = $1 and revoked_at is null for update',
      [parseId(id)],
    );
    const isOwn = session?.personId === personIdOf(caller);
    if (!session || (!isOwn && findAdministeredPages(caller) !== null)) throw notFound('session');
    if (!isOwn) requireAccess(caller, 'administratorOfAllPages', { isWrite: true });
    await query(unit.em, 'update session set revoked_at = clock_timestamp() where id = $1', [parseId(id)]);
    unit.describeChange('Session', id, { revokedAt: { after: unit.now } });
  });
}
