import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { authenticateSession, isKnownSession } from '../../auth/session.service.js';
import { roleOn } from '../../auth/roles.js';
import type { Database } from '../../db/connection.js';
import { parseHost } from '../../http/host-header.js';
import type { RateLimiter } from '../../http/rate-limit.js';
import { readCookieValue, readSessionCookie } from '../../http/session-cookie.js';
import { isMember } from '../../pages/page-access.service.js';
import type { UncachedRequest } from '../server/uncached-response.js';
import type { PageAccess } from '../view/snapshot.js';
import { verifyAccessToken } from './access-token.js';

export interface VisitorDependencies {
  database: Database;
  signingKey: Buffer;
  rateLimiter: Pick<RateLimiter, 'throttleAddress'>;
  /** Whether PUBLIC_URL is https. */
  isSecure: boolean;
  /** Whether persons are members, for a second: by person and page. */
  members: LRUCache<string, boolean>;
}

export const createMemberCache = () => new LRUCache<string, boolean>({ max: 5_000, ttl: 1_000 });

/** The name of the cookie of a page. A page below `/status/` shares its host with others. */
export const pageCookieName = (pageId: string): string => `page-${pageId}`;

/** Whether browsers reach the host of a request over https: custom domains always, the others as PUBLIC_URL says. */
export const isSecureHost = (
  { headers }: IncomingMessage,
  { snapshot }: UncachedRequest['revision'],
  { isSecure }: Pick<VisitorDependencies, 'isSecure'>,
): boolean => isSecure || parseHost(headers.host) === snapshot.page.domain;

/** The domain of an address, as it is compared. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Whether somebody who has proved to be the subject of a token may still see the page. */
const mayStillSee: Record<
  PageAccess['by'],
  (subject: string, access: PageAccess, pageId: string, deps: VisitorDependencies) => boolean | Promise<boolean>
> = {
  // The signature covers the version, which moves with the password.
  password: () => true,
  email_domain: (address, { emailDomains }) => emailDomains.includes(domainOf(address)),
  members: async (personId, _, pageId, { database, members }) => {
    const key = `${personId} ${pageId}`;
    const known = members.get(key);
    if (known !== undefined) return known;
    const found = await isMember(database, Number(personId), pageId);
    members.set(key, found);
    return found;
  },
};

/** Whom a visitor has proved to be, by the cookie of the page, the key of a feed or a session. Null: nobody who may see it. */
export async function identifyVisitor(
  request: IncomingMessage,
  { revision, parameters, mountType }: UncachedRequest,
  access: PageAccess,
  deps: VisitorDependencies,
): Promise<string | null> {
  const page = { id: revision.id, version: access.version };
  const now = Date.now() / 1_000;
  const cookie = readCookieValue(request, pageCookieName(page.id), isSecureHost(request, revision, deps));
  const key = request.method === 'GET' || request.method === 'HEAD' ? parameters.get('key') : null;
  const subject =
    (cookie ? verifyAccessToken(deps.signingKey, 'view', page, cookie, now) : null) ??
    (key ? verifyAccessToken(deps.signingKey, 'feed', page, key, now) : null) ??
    (access.by === 'members' && mountType === 'path' ? await findPerson(request, page.id, deps) : null);
  return subject !== null && (await mayStillSee[access.by](subject, access, page.id, deps)) ? subject : null;
}

/** Sessions are cookies of the host of PUBLIC_URL. What a page answers cannot be read from other sites. */
async function findPerson(
  request: IncomingMessage,
  pageId: string,
  { database, rateLimiter, isSecure }: VisitorDependencies,
): Promise<string | null> {
  const secret = readSessionCookie(request, isSecure);
  if (!secret) return null;
  if (!isKnownSession(database, secret)) await rateLimiter.throttleAddress(request);
  const caller = await authenticateSession(database, secret);
  return caller?.kind === 'person' && roleOn(caller.grants, pageId) !== null ? String(caller.personId) : null;
}
