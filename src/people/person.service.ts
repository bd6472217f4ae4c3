import type { Caller } from '../auth/access.js';
import type { Role } from '../auth/roles.js';
import { notFound, unauthenticated } from '../core/errors.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';

/** Ends a session of the person who asks. */
export function endSession(write: Writer, caller: Caller, id: string): Promise<void> {
  if (caller.kind !== 'person') throw unauthenticated();
  const sessionId = /^\d{1,9}$/.test(id) ? Number(id) : 0;
  return write.transaction(async unit => {
    const ended = await query(
      unit.em,
      `update session set revoked_at = clock_timestamp() where id = $1 and person_id = $2 and revoked_at is null
       returning id`,
      [sessionId, caller.personId],
    );
    if (!ended.length) throw notFound('session');
    unit.describeChange('Session', id, { revokedAt: { after: unit.now } });
  });
}

/**
 * Invites a person, or gives one who is known another role: on pages, or on all of them where `pageIds` is null. A
 * disabled person is enabled. Returns the id.
 */
export async function invitePerson(
  unit: Unit,
  email: string,
  role: Role,
  pageIds: readonly string[] | null,
): Promise<number> {
  const [person] = await query<{ id: number }>(
    unit.em,
    `insert into person (email, created_at) values ($1, clock_timestamp())
     on conflict (lower(email)) do update set disabled_at = null returning id`,
    [email],
  );
  await query(
    unit.em,
    `insert into membership (person_id, page_id, role)
     select $1, page_id, $2 from unnest($3::text[]) given (page_id)
     on conflict (person_id, (coalesce(page_id, ''))) do update set role = excluded.role`,
    [person!.id, role, pageIds ?? [null]],
  );
  const fields = { email: { after: email }, role: { after: role }, pageIds: { after: pageIds } };
  unit.describeChange('Person', String(person!.id), fields);
  return person!.id;
}

/** Disables a person, and ends all sessions. Returns false when there is none with the address. */
export async function disablePerson(unit: Unit, email: string): Promise<boolean> {
  const [person] = await query<{ id: number }>(
    unit.em,
    `update person set disabled_at = clock_timestamp() where lower(email) = lower($1) and disabled_at is null
     returning id`,
    [email],
  );
  if (!person) return false;
  await query(
    unit.em,
    'update session set revoked_at = clock_timestamp() where person_id = $1 and revoked_at is null',
    [person.id],
  );
  await query(unit.em, 'delete from sign_in_link where person_id = $1', [person.id]);
  // An invitation enables the person again, with the roles of that invitation alone.
  await query(unit.em, 'delete from membership where person_id = $1', [person.id]);
  unit.describeChange('Person', String(person.id), { disabledAt: { after: unit.now } });
  return true;
}
