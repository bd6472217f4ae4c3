import { type Caller, requireAccess } from '../auth/access.js';
import type { Authenticator } from '../auth/authenticator.js';
import type { Role } from '../auth/roles.js';
import { notFound, unauthenticated } from '../core/errors.js';
import type { AuditedChange } from '../db/audit.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { findAdministeredPages, personIdOf } from './administered.js';
import { withRemainingOwner } from './last-owner.js';
import { onlyPage, type PageIds, parseId, toFields } from './page-rights.js';

/**
 * Invites a person, or gives one who is known another role: on pages, or on all of them where `pageIds` is null. A
 * disabled person is enabled. Returns the id.
 */
export const invitePerson = (unit: Unit, email: string, role: Role, pageIds: PageIds): Promise<number> =>
  withRemainingOwner(unit, () => giveRole(unit, email, role, pageIds));

async function giveRole(unit: Unit, email: string, role: Role, pageIds: PageIds): Promise<number> {
  // What a statement selects is the row as it was before.
  const [person] = await query<{ id: number; known: string | null; disabledAt: string | null }>(
    unit.em,
    `insert into person (email, created_at) values ($1, clock_timestamp())
     on conflict (lower(email)) do update set disabled_at = null
     returning id, (select p.email from person p where p.id = person.id) as known,
       (select p.disabled_at from person p where p.id = person.id) as "disabledAt"`,
    [email],
  );
  const { id, known, disabledAt } = person!;
  if (disabledAt) await forgetAccounts(unit, id);
  const memberships = await query<{ id: number; before: Role | null }>(
    unit.em,
    `insert into membership (person_id, page_id, role)
     select $1, page_id, $2 from unnest($3::text[]) given (page_id)
     on conflict (person_id, (coalesce(page_id, '')), is_mapped) do update set role = excluded.role
     returning id, (select m.role from membership m where m.id = membership.id) as before`,
    [id, role, pageIds ?? [null]],
  );
  const fields = {
    email: { before: known, after: known ?? email },
    ...(disabledAt && { disabledAt: { before: new Date(disabledAt) } }),
    pageIds: { after: pageIds },
  };
  unit.describeChange('Person', String(id), fields, onlyPage(pageIds));
  const changed = memberships.filter(({ before }) => before !== role);
  unit.describeChanges(changed.map(({ id: membership, before }) => describeRole(membership, before, role)));
  return id;
}

/**
 * Of a person who is enabled again: accounts at the identity provider are linked anew, by the address that was invited,
 * which somebody else may have by now. While a person is disabled they are known, so that none of them becomes a new
 * person under another address.
 */
export const forgetAccounts = ({ em }: Unit, personId: number): Promise<unknown> =>
  query(em, 'delete from identity where person_id = $1', [personId]);

/** A role before and after, for the audit log. */
export const describeRole = (id: number, before: Role | null, after: Role | null): AuditedChange => ({
  record: 'Membership',
  recordId: String(id),
  field: 'role',
  before,
  after,
});

/** The roles that a person loses, for the audit log. */
export const describeLostRoles = (
  lost: readonly { id: number; role: Role; pageId: string | null }[],
): AuditedChange[] =>
  lost.flatMap(({ id, role, pageId }) => [
    describeRole(id, role, null),
    ...(pageId === null
      ? []
      : [{ record: 'Membership', recordId: String(id), field: 'pageId', before: pageId, after: null }]),
  ]);

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
  'delete from alert_browser where person_id = $1',
  'update notice set owner_id = null where owner_id = $1',
];

/** Disables a person other than the last owner: ends sessions and personal tokens, deletes roles. False: not found. */
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
  // An invitation enables the person again, with the roles of that invitation alone.
  const lost = await query<{ id: number; role: Role; pageId: string | null }>(
    unit.em,
    'delete from membership where person_id = $1 returning id, role, page_id as "pageId"',
    [id],
  );
  unit.describeChange('Person', String(id), toFields({ disabledAt: new Date(disabled[0]!.at) }));
  unit.describeChanges(describeLostRoles(lost));
  return true;
}

/** What ends a session: the transaction, and this process, where it is remembered. */
interface SessionEnd {
  write: Writer;
  authenticator: Authenticator;
}

/** Ends a session of the signed-in person, or any session for an owner of all pages. */
export async function endSession({ write, authenticator }: SessionEnd, caller: Caller, id: string): Promise<void> {
  if (caller.kind === 'anonymous') throw unauthenticated();
  await write.transaction(async unit => {
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
  authenticator.forgetSession(parseId(id));
}
