import type { Caller } from '../auth/access.js';
import { hasRole, type Role } from '../auth/roles.js';
import type { Settings } from '../core/config.js';
import { notFound } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { query, queryInTransaction } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { findAdministeredPages } from './administered.js';
import { parseId, requireOwner, validatePages } from './page-rights.js';
import type { InvitePersonInput } from './person.inputs.js';
import { withRemainingOwner } from './last-owner.js';
import { parsePersonAddress } from './person-address.js';
import * as people from './person.service.js';
import { createSignInLink } from './sign-in-link.js';

const isDisabled = problems.invalid('is the address of a disabled person, whom only an OWNER of all pages can invite');

/**
 * Invites a person to pages of the caller. The link is for an owner of all pages alone, and for somebody who has never
 * signed in: anybody who opens it acts as that person, on other pages, too.
 */
export function invitePerson(
  write: Writer,
  caller: Caller,
  settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port'>,
  input: InvitePersonInput,
): Promise<{ id: number; link: string | null }> {
  return write.transaction(async unit => {
    const pageIds = input.pageIds ? [...new Set(input.pageIds)] : null;
    requireOwner(caller, pageIds);
    const email = parsePersonAddress(input.email);
    if (!email) unit.validation.addError('email', problems.invalid('must be an e-mail address'));
    await validatePages(unit, caller, pageIds);
    const isOwnerOfAll = caller.kind !== 'anonymous' && hasRole(caller.grants.everywhere, 'owner');
    const person = email === null ? undefined : await findPerson(unit, email);
    if (person?.isDisabled && !isOwnerOfAll) unit.validation.addError('email', isDisabled);
    unit.validation.throwIfInvalid();
    const id = await people.invitePerson(unit, email!, input.role, pageIds);
    const transaction = { query: queryInTransaction(unit.em) };
    const link = isOwnerOfAll && !person?.hasSignedIn ? await createSignInLink(transaction, settings, id) : null;
    return { id, link };
  });
}

async function findPerson({ em }: Unit, email: string) {
  const [person] = await query<{ isDisabled: boolean; hasSignedIn: boolean }>(
    em,
    `select disabled_at is not null as "isDisabled",
       exists (select 1 from session s where s.person_id = p.id) as "hasSignedIn"
     from person p where lower(email) = lower($1)`,
    [email],
  );
  return person;
}

export function updateMembership(write: Writer, caller: Caller, id: string, role: Role): Promise<number> {
  return write.transaction(async unit => {
    const membership = await changeMembership(unit, caller, id, membership =>
      query(unit.em, 'update membership set role = $2 where id = $1', [membership.id, role]),
    );
    unit.describeChange('Person', String(membership.personId), {}, membership.pageId);
    unit.describeChanges([people.describeRole(membership.id, membership.role, role)]);
    return membership.personId;
  });
}

export function deleteMembership(write: Writer, caller: Caller, id: string): Promise<number> {
  return write.transaction(async unit => {
    const membership = await changeMembership(unit, caller, id, membership =>
      query(unit.em, 'delete from membership where id = $1', [membership.id]),
    );
    unit.describeChange('Person', String(membership.personId), {}, membership.pageId);
    unit.describeChanges(people.describeLostRoles([membership]));
    return membership.id;
  });
}

interface FoundMembership {
  id: number;
  personId: number;
  pageId: string | null;
  role: Role;
}

const changeMembership = (
  unit: Unit,
  caller: Caller,
  id: string,
  change: (membership: FoundMembership) => Promise<unknown>,
): Promise<FoundMembership> =>
  withRemainingOwner(unit, async () => {
    const membership = await findMembership(unit, caller, id);
    await change(membership);
    return membership;
  });

async function findMembership({ em }: Unit, caller: Caller, id: string): Promise<FoundMembership> {
  const [membership] = await query<FoundMembership>(
    em,
    `select id, person_id as "personId", page_id as "pageId", role from membership
     where id = $1 and ($2::text[] is null or page_id = any($2)) for update`,
    [parseId(id), findAdministeredPages(caller)],
  );
  if (!membership) throw notFound('membership');
  return membership;
}

export function disablePerson(write: Writer, id: string): Promise<number> {
  const personId = parseId(id);
  return write.transaction(async unit => {
    if (!(await people.disablePerson(unit, personId))) throw notFound('person');
    return personId;
  });
}

/** Lets a person sign in again, without any role until the next invitation. */
export function enablePerson(write: Writer, id: string): Promise<number> {
  return write.transaction(async unit => {
    const [person] = await query<{ id: number; disabledAt: string | null }>(
      unit.em,
      `update person set disabled_at = null where id = $1
       returning id, (select p.disabled_at from person p where p.id = person.id) as "disabledAt"`,
      [parseId(id)],
    );
    if (!person) throw notFound('person');
    if (person.disabledAt) await people.forgetAccounts(unit, person.id);
    const before = person.disabledAt && new Date(person.disabledAt);
    unit.describeChange('Person', String(person.id), { disabledAt: { before } });
    return person.id;
  });
}
