import type { GraphQLField, GraphQLObjectType } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Settings } from '../core/config.js';
import { forbidden, notFound, Refusal, unauthenticated } from '../core/errors.js';
import { type Grants, hasRole, isGrantedAnywhere, type Role, roleOn } from './roles.js';

export type AnonymousReads = Settings['anonymousReads'];

/** The caller of a request. `key` identifies it for rate limits and idempotency keys: a token's id, or 'bootstrap'. */
export type Caller =
  | { kind: 'anonymous'; reads: AnonymousReads }
  | { kind: 'token'; key: string; grants: Grants }
  | { kind: 'person'; key: string; grants: Grants; personId: number; sessionId: number; hasSignedInRecently: boolean };

export type PersonCaller = Extract<Caller, { kind: 'person' }>;

export type IdentifiedCaller = Exclude<Caller, { kind: 'anonymous' }>;

/** What a field requires: a role on the page of its records, unless it is open without a token. */
interface Requirement {
  /** Null: no role, not even a token. */
  role: Role | null;
  /** The settings of ANONYMOUS_READS with which it is open without a token. */
  anonymous?: readonly AnonymousReads[];
  /** Whether the role must be for all pages. */
  isForAllPages?: boolean;
  /** Whether tokens of scope read, which are older than roles, may read it without the role. */
  isOpenToReadScope?: boolean;
  /** Whether a person must have signed in within the last 10 minutes to write. */
  requiresRecentSignIn?: boolean;
}

/**
 * What a GraphQL field can require of the caller. Each root field names one, and each field that leads to records that
 * its parent does not open. `@access` in schema.graphql is printed from the same declaration.
 */
export const accessLevels = {
  everyone: { role: null },
  page: { role: 'viewer', anonymous: ['page', 'public'] },
  public: { role: 'viewer', anonymous: ['public'] },
  viewer: { role: 'viewer' },
  drafter: { role: 'drafter' },
  publisher: { role: 'publisher' },
  /** Subscribers, and deliveries, which have their addresses. */
  recipients: { role: 'publisher', isOpenToReadScope: true },
  owner: { role: 'owner' },
  /** The settings of channels. */
  channels: { role: 'owner', isOpenToReadScope: true },
  /** Who has access to a page: tokens, people, the audit log. */
  administrator: { role: 'owner', requiresRecentSignIn: true },
  /** What cannot be undone, or gives a page to others. */
  guardedOwner: { role: 'owner', requiresRecentSignIn: true },
  ownerOfAllPages: { role: 'owner', isForAllPages: true },
  /** What concerns a person on all pages. */
  administratorOfAllPages: { role: 'owner', isForAllPages: true, requiresRecentSignIn: true },
} as const satisfies Record<string, Requirement>;
export type Access = keyof typeof accessLevels;

export const RequiresAccess = (access: Access) => Extensions({ access });

export const getRequirement = (access: Access): Requirement => accessLevels[access];

/** The access that a field declares; undefined for a field that is open where its parent is. */
export const findAccess = ({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): Access | undefined =>
  extensions.access as Access | undefined;

interface Target {
  /** The page that the operation names. Without it the role is required on any page, or for all pages. */
  pageId?: string | null;
  isWrite?: boolean;
  /** The selected field that requires it, which a refusal names. */
  field?: readonly string[];
}

/** The check of access, for both APIs. Without any role on a page it is not found; too low a role is FORBIDDEN. */
export function requireAccess(caller: Caller, access: Access, { pageId, isWrite = false, field }: Target = {}): void {
  const { role, anonymous, isForAllPages, isOpenToReadScope, requiresRecentSignIn } = getRequirement(access);
  if (role === null) return;
  if (caller.kind === 'anonymous') {
    if (!anonymous?.includes(caller.reads)) throw unauthenticated(field);
    return;
  }
  const { grants } = caller;
  if (pageId != null && roleOn(grants, pageId) === null) throw notFound('page');
  if (!isWrite && grants.hasReadScope && isOpenToReadScope) return;
  const isGranted = isForAllPages
    ? hasRole(grants.everywhere, role)
    : pageId == null
      ? isGrantedAnywhere(grants, role)
      : hasRole(roleOn(grants, pageId), role);
  if (!isGranted) throw forbidden(field);
  if (isWrite && requiresRecentSignIn && caller.kind === 'person') requireRecentSignIn(caller);
}

function requireRecentSignIn({ hasSignedInRecently }: PersonCaller): void {
  if (!hasSignedInRecently)
    throw new Refusal('FORBIDDEN', 'Sign in again to do this: it requires a sign-in within the last 10 minutes.');
}

/** For fields about the signed-in person, which need no role. */
export function requirePerson(caller: Caller, { isRecent = false } = {}): PersonCaller {
  if (caller.kind === 'anonymous') throw unauthenticated();
  if (caller.kind !== 'person') throw forbidden();
  if (isRecent) requireRecentSignIn(caller);
  return caller;
}

/** The pages that a read without a page is limited to: where the caller has all required roles. Null: no limit. */
export function findReadablePages(caller: Caller, required: Iterable<Access>): string[] | null {
  if (caller.kind === 'anonymous') return null;
  const { everywhere, pages, hasReadScope } = caller.grants;
  const roles = [...required].flatMap(access => {
    const { role, isOpenToReadScope } = getRequirement(access);
    return role === null || (hasReadScope && isOpenToReadScope) ? [] : role;
  });
  const hasAll = (held: Role | null) => held !== null && roles.every(role => hasRole(held, role));
  return hasAll(everywhere) ? null : Object.keys(pages).filter(id => hasAll(roleOn(caller.grants, id)));
}

/** Who sends without a role, such as a source of alerts. `pageId`: to which page, if it is one. */
export interface Sender {
  key: string;
  pageId?: string;
}

/**
 * Whose turn it is where callers take turns: of the page on which the caller was given a role first, since anybody may
 * be given one on a further page without their doing, and on it of the caller. Those without a token are one, and so is
 * one with a role on all pages.
 */
export function findTurn(caller: Caller | Sender): readonly [page: string, caller: string] {
  if (!('key' in caller)) return [caller.kind, caller.kind];
  const { key } = caller;
  if ('pageId' in caller && caller.pageId !== undefined) return [`page ${caller.pageId}`, key];
  const page = 'grants' in caller && !caller.grants.everywhere ? caller.grants.firstPage : null;
  return [page === null ? key : `page ${page}`, key];
}

/** Equal for callers who may see the same. */
export const describeRights = (caller: Caller): string =>
  caller.kind === 'anonymous' ? caller.kind : JSON.stringify(caller.grants);

/** Whether a caller may know that a page exists. */
export const hasRoleOn = (caller: Caller, pageId: string | undefined): boolean =>
  caller.kind === 'anonymous' || (pageId !== undefined && roleOn(caller.grants, pageId) !== null);

export const canWrite = (caller: Caller, role: Role = 'drafter'): boolean =>
  caller.kind !== 'anonymous' && isGrantedAnywhere(caller.grants, role);

/** Whether a caller has roles on some pages alone. */
export const isOfPages = (caller: Caller): boolean => caller.kind !== 'anonymous' && caller.grants.everywhere === null;

/** Who is trusted with everything but the machine. */
export const isOwnerOfAllPages = (caller: Caller): boolean =>
  caller.kind !== 'anonymous' && caller.grants.everywhere === 'owner';

/** Throws for a root field without a declaration, so that no operation is open by mistake. */
export function checkDeclarations(roots: readonly GraphQLObjectType[]): void {
  for (const root of roots)
    for (const field of Object.values(root.getFields()))
      if (!findAccess(field))
        throw new Error(
          `${root.name}.${field.name} declares no access: name the role that it requires, as in ` +
            "@WriteMutation(() => Payload, 'publisher', '...'), or with @RequiresAccess('publisher').",
        );
}
