import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../auth/access.js';
import type { Database } from '../../db/database.js';
import { toDnsName } from '../../core/dns-name.js';
import { parseHost } from '../../http/host-header.js';
import {
  isFromOtherOrigin,
  isLoadedByOtherOrigin,
  readCookieValue,
  readSessionCookie,
} from '../../http/session-cookie.js';
import { findMembership } from '../../pages/page-access.service.js';
import type { UncachedRequest } from '../server/uncached-response.js';
import type { MountType } from '../view/mount.js';
import type { PageAccess, SnapshotPage } from '../view/snapshot.js';
import { verifyAccessToken } from './access-token.js';

export interface VisitorDependencies {
  database: Database;
  signingKey: Buffer;
  /** Whether PUBLIC_URL is https. */
  isSecure: boolean;
  /** The person of a session; undefined if it has ended. */
  findCaller(sessionSecret: string): Promise<Caller | undefined>;
  /** Memberships by page, for a second. Without it they are looked up each time. */
  memberships?: MembershipCache;
}

/** By the id of a person or membership, and of a page: the membership; 0 if there is none. */
type MembershipCache = LRUCache<string, number>;
export const createMembershipCache = (): MembershipCache => new LRUCache({ max: 5_000, ttl: 1_000 });

/** The name of the cookie of a page. A page below `/status/` shares its host with others. */
export const pageCookieName = (pageId: string): string => `page-${pageId}`;

/** Whether browsers reach the host of a request over https: custom domains always, the others as PUBLIC_URL says. */
export const isSecureHost = (
  { headers }: IncomingMessage,
  { domain }: Pick<SnapshotPage, 'domain'>,
  { isSecure }: Pick<VisitorDependencies, 'isSecure'>,
): boolean => isSecure || parseHost(headers.host) === domain;

/** The subject of a visitor who has proved to read the mail of an address; null unless its domain sees the page. */
export function subjectOfAddress(address: string, { domainVersions }: PageAccess): string | null {
  const domain = toDnsName(address.slice(address.lastIndexOf('@') + 1));
  return domain !== null && Object.hasOwn(domainVersions, domain) ? `${address} ${domainVersions[domain]}` : null;
}

const membershipSubject = /^membership (\d{1,9})$/;

/** Whether the subject of a token may still see the page. What has ended once does not come back under its subject. */
const mayStillSee: Record<
  PageAccess['by'],
  (subject: string, access: PageAccess, pageId: string, deps: VisitorDependencies) => boolean | Promise<boolean>
> = {
  // The signature covers the version, which moves with the password.
  password: () => true,
  email_domain: (subject, access) => subjectOfAddress(subject.replace(/ \d*$/, ''), access) === subject,
  members: async (subject, _, pageId, deps) => {
    const id = membershipSubject.exec(subject)?.[1];
    return id !== undefined && (await lookUpMembership('membership', Number(id), pageId, deps)) !== 0;
  },
};

/** The id of a membership; 0 if there is none. */
async function lookUpMembership(
  by: 'person' | 'membership',
  id: number,
  pageId: string,
  { database, memberships }: VisitorDependencies,
): Promise<number> {
  const key = `${by} ${id} ${pageId}`;
  const cached = memberships?.get(key);
  if (cached !== undefined) return cached;
  const membership = (await findMembership(database, by, id, pageId)) ?? 0;
  memberships?.set(key, membership);
  return membership;
}

/** What tells who a visitor is. It is kept while a stream is open, so it has nothing of the texts of the page. */
export interface Visit {
  message: IncomingMessage;
  page: { id: string; domain: string | null; access: PageAccess };
  /** Of a feed. */
  key: string | null;
  mountType: MountType;
}

export function toVisit(message: IncomingMessage, { generation, parameters, mountType }: UncachedRequest): Visit {
  const { id, domain, access } = generation.snapshot.page;
  return { message, page: { id, domain, access: access! }, key: parameters.get('key'), mountType };
}

/**
 * Whom a visitor has proved to be, by the cookie of the page, the key of a feed or a session: an address with the
 * version of its domain, a membership, or a random text. Null: nobody who may see it.
 */
export async function identifyVisitor(
  { message: request, page: { id, domain, access }, key: feedKey, mountType }: Visit,
  deps: VisitorDependencies,
): Promise<string | null> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // It would subscribe its own address to the page of the visitor.
  if (!isRead && isFromOtherOrigin(request)) return null;
  const page = { id, version: access.version };
  const now = Date.now() / 1_000;
  const hasOwnCookies = !isLoadedByOtherOrigin(request);
  const cookie =
    hasOwnCookies && readCookieValue(request, pageCookieName(page.id), isSecureHost(request, { domain }, deps));
  const key = isRead ? feedKey : null;
  const tokens = [
    cookie ? verifyAccessToken(deps.signingKey, 'view', page, cookie, now) : null,
    key ? verifyAccessToken(deps.signingKey, 'feed', page, key, now) : null,
  ];
  for (const subject of tokens)
    if (subject !== null && (await mayStillSee[access.by](subject, access, page.id, deps))) return subject;
  return hasOwnCookies && access.by === 'members' && mountType === 'path' ? findMember(request, page.id, deps) : null;
}

/** Sessions are cookies of the host of PUBLIC_URL. What a page answers cannot be read from other sites. */
async function findMember(request: IncomingMessage, pageId: string, deps: VisitorDependencies): Promise<string | null> {
  const secret = readSessionCookie(request, deps.isSecure);
  const caller = secret ? await deps.findCaller(secret) : undefined;
  if (caller?.kind !== 'person') return null;
  const id = await lookUpMembership('person', caller.personId, pageId, deps);
  return id === 0 ? null : `membership ${id}`;
}
