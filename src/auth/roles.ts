/** The roles that a caller can have on a page, or on all pages, each with the rights of those before it. */
export const roles = ['viewer', 'drafter', 'publisher', 'owner'] as const;
export type Role = (typeof roles)[number];

export interface Grants {
  /** On all present and future pages, and for records that belong to no page. Null: none. */
  everywhere: Role | null;
  /** On single pages, by id. */
  pages: Readonly<Record<string, Role>>;
  /** Of `pages`, the one of the role that was given first. Null: there is none. */
  firstPage: string | null;
  /** Whether reads need no more than VIEWER: tokens of scope read, which are older than roles. */
  hasReadScope: boolean;
}

export const grantEverywhere = (role: Role, hasReadScope = false): Grants => ({
  everywhere: role,
  pages: {},
  firstPage: null,
  hasReadScope,
});

export const hasRole = (held: Role | null, required: Role): boolean =>
  held !== null && roles.indexOf(held) >= roles.indexOf(required);

/** The higher of the role on the page and the role on all pages. */
export function roleOn({ everywhere, pages }: Grants, pageId: string): Role | null {
  const own = Object.hasOwn(pages, pageId) ? pages[pageId]! : null;
  return own && hasRole(own, everywhere ?? own) ? own : everywhere;
}

const lower = (one: Role | null, other: Role | null): Role | null =>
  one && other && (hasRole(one, other) ? other : one);

/** What both grant: the rights of a token that belongs to a person. */
export function intersectGrants(token: Grants, person: Grants): Grants {
  const ids = new Set([...Object.keys(token.pages), ...Object.keys(person.pages)]);
  const pages = [...ids].flatMap(id => {
    const role = lower(roleOn(token, id), roleOn(person, id));
    return role ? [[id, role] as const] : [];
  });
  const isGranted = (id: string | null) => id !== null && pages.some(([granted]) => granted === id);
  const ordered = [person.firstPage, token.firstPage, pages[0]?.[0] ?? null];
  return {
    everywhere: lower(token.everywhere, person.everywhere),
    pages: Object.fromEntries(pages),
    firstPage: ordered.find(isGranted) ?? null,
    hasReadScope: token.hasReadScope,
  };
}

/** A role on a page; on all of them where `pageId` is null. */
export interface HeldRole {
  pageId: string | null;
  role: Role;
}

/** `held`: in the order in which they were given. */
export function toGrants(held: readonly HeldRole[]): Grants {
  const pages: Record<string, Role> = {};
  let everywhere: Role | null = null;
  // A person may have two on one page: by invitation, and by a group of the identity provider.
  const higher = (role: Role, other: Role | null | undefined) => (other && hasRole(other, role) ? other : role);
  for (const { pageId, role } of held)
    if (pageId !== null) pages[pageId] = higher(role, pages[pageId]);
    else everywhere = higher(role, everywhere);
  const firstPage = held.find(({ pageId }) => pageId !== null)?.pageId ?? null;
  return { everywhere, pages, firstPage, hasReadScope: false };
}

export const isGrantedAnywhere = (grants: Grants, role: Role): boolean =>
  hasRole(grants.everywhere, role) || Object.values(grants.pages).some(held => hasRole(held, role));
