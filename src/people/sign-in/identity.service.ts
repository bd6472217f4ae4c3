import { hash } from 'node:crypto';
import { type Role, roles } from '../../auth/roles.js';
import { beginSession, type SignedIn, type SignInBrowser } from '../../auth/session.service.js';
import { createCredential } from '../../core/ids.js';
import type { AuditedChange } from '../../db/audit.js';
import type { Database, EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { inTransaction } from '../../db/transaction.js';
import { parseEmailAddress } from '../../core/address.js';
import type { ProviderIdentity, RequestChecks } from './identity-provider.js';

const toHash = (secret: string) => hash('sha256', secret);

interface PendingRequest extends RequestChecks {
  returnTo: string;
}

/** Stores a request for 10 minutes. Returns the secret of the browser that made it. */
export async function storeRequest(database: Database, pending: PendingRequest): Promise<string> {
  const secret = createCredential();
  const { state, nonce, codeVerifier, returnTo } = pending;
  await database.query(
    `insert into identity_request (hash, state, nonce, code_verifier, return_to, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + interval '10 minutes')`,
    [toHash(secret), state, nonce, codeVerifier, returnTo],
  );
  return secret;
}

/** Uses a request up, whatever the provider has answered. */
export async function takeRequest(database: Database, secret: string): Promise<PendingRequest | null> {
  const [taken] = await database.query<PendingRequest & { isValid: boolean }>(
    `delete from identity_request where hash = $1
     returning state, nonce, code_verifier as "codeVerifier", return_to as "returnTo",
       expires_at > clock_timestamp() as "isValid"`,
    [toHash(secret)],
  );
  return taken?.isValid ? taken : null;
}

/** A role that members of a group have: an item of OIDC_ROLES. */
interface MappedRole {
  group: string;
  role: Role;
  /** Null: all pages. */
  pageId: string | null;
}

/** Why nobody was signed in. */
export type IdentityRefusal = 'unverified' | 'unknown' | 'disabled' | 'otherSubject';

/**
 * Begins a session of the person whom the provider has authenticated: known by issuer and subject, or at the first time
 * by the verified address, with which somebody was invited or belongs to a group that has a role. The roles of groups
 * are replaced by those of now; roles by invitation stay.
 */
export function signInWithIdentity(
  database: Database,
  identity: ProviderIdentity,
  mapping: readonly MappedRole[],
  browser: SignInBrowser,
): Promise<SignedIn | IdentityRefusal> {
  const email = identity.email === null ? null : parseEmailAddress(identity.email);
  if (email === null) return Promise.resolve('unverified');
  const held = mapping.filter(({ group }) => identity.groups.includes(group));
  return inTransaction(database, async em => {
    const person = await findPerson(em, identity, email, held.length > 0);
    if (typeof person === 'string') return person;
    const changes = mapping.length ? await replaceRoles(em, person, held) : [];
    return (await beginSession(em, person, 'signInWithOpenIdConnect', browser, changes)) ?? 'disabled';
  });
}

async function findPerson(
  em: EntityManager,
  { issuer, subject }: ProviderIdentity,
  email: string,
  hasRoles: boolean,
): Promise<number | IdentityRefusal> {
  const [known] = await query<{ personId: number; isDisabled: boolean }>(
    em,
    `select p.id as "personId", p.disabled_at is not null as "isDisabled"
     from identity i join person p on p.id = i.person_id where i.issuer = $1 and i.subject = $2`,
    [issuer, subject],
  );
  if (known) return known.isDisabled ? 'disabled' : known.personId;
  const create = `insert into person (email, created_at) values ($1, clock_timestamp()) on conflict do nothing`;
  if (hasRoles) await query(em, create, [email]);
  // Of two sign-ins at once one waits for the other.
  const [invited] = await query<{ id: number; isDisabled: boolean }>(
    em,
    'select id, disabled_at is not null as "isDisabled" from person where lower(email) = lower($1) for update',
    [email],
  );
  if (!invited) return 'unknown';
  if (invited.isDisabled) return 'disabled';
  const linked = await query<{ subject: string }>(
    em,
    'select subject from identity where issuer = $1 and person_id = $2',
    [issuer, invited.id],
  );
  // The provider has given the address to somebody else.
  if (linked.length) return linked.some(one => one.subject === subject) ? invited.id : 'otherSubject';
  await query(
    em,
    'insert into identity (issuer, subject, person_id, created_at) values ($1, $2, $3, clock_timestamp())',
    [issuer, subject, invited.id],
  );
  return invited.id;
}

/**
 * Replaces the roles that a person has by groups. Those that stay keep their rows, to which access to private pages is
 * bound. Returns the changes for the audit log.
 */
async function replaceRoles(
  em: EntityManager,
  personId: number,
  held: readonly MappedRole[],
): Promise<AuditedChange[]> {
  const read = () =>
    query<{ pageId: string | null; role: Role }>(
      em,
      'select page_id as "pageId", role from membership where person_id = $1 and is_mapped',
      [personId],
    );
  const before = await read();
  await query(
    em,
    `delete from membership where person_id = $1 and is_mapped and coalesce(page_id, '') <> all($2::text[])`,
    [personId, held.map(({ pageId }) => pageId ?? '')],
  );
  await query(
    em,
    `insert into membership (person_id, page_id, role, is_mapped)
     select $1, page_id, (array['viewer', 'drafter', 'publisher', 'owner'])[max(rank)], true
     from unnest($2::text[], $3::int[]) given (page_id, rank)
     where page_id is null or exists (select 1 from page where id = page_id)
     group by page_id
     on conflict (person_id, (coalesce(page_id, '')), is_mapped) do update set role = excluded.role`,
    [personId, held.map(({ pageId }) => pageId), held.map(({ role }) => roles.indexOf(role) + 1)],
  );
  const after = await read();
  const byPage = (rows: typeof after) => new Map(rows.map(({ pageId, role }) => [pageId, role]));
  const old = byPage(before);
  const current = byPage(after);
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter(pageId => old.get(pageId) !== current.get(pageId))
    .map(pageId => ({
      record: 'Person',
      recordId: String(personId),
      field: `role of ${pageId ?? 'all pages'}`,
      before: old.get(pageId) ?? null,
      after: current.get(pageId) ?? null,
    }));
}
