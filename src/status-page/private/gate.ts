import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../../auth/authenticator.js';
import { cacheLinkKeys } from '../../auth/link-key.service.js';
import { cacheSigningKey } from '../../auth/signing-key.service.js';
import type { Database } from '../../db/database.js';
import type { PageGate, VisitorCheck } from '../server/page-gate.js';
import type { UncachedRequest, UncachedResponse } from '../server/uncached-response.js';
import { holdsSignedLink } from '../subscribe/signed-path.js';
import { signAccessToken } from './access-token.js';
import {
  createGateContext,
  parseDestination,
  plainText,
  redirectTo,
  renderFeedAddresses,
  renderGate,
} from './gate-page.js';
import { type GateRequest, type PrivatePageOptions, Proofs } from './proofs.js';
import { createMembershipCache, identifyVisitor, toVisit, type Visit, type VisitorDependencies } from './visitor.js';

/** Where visitors prove that they may see a page, and where those who may find their keys. */
const accessPath = 'access';
const unavailable = plainText(503, 'This page is temporarily unavailable.\n', { 'Retry-After': '30' });

/** What the gate has once the database is open. */
interface Opened {
  database: Database;
  authenticator: Authenticator;
  loadKey(): Promise<Buffer>;
  loadLinkKey(pageId: string): Promise<Buffer>;
}

/** Keeps private pages to those who may see them. */
export class PrivatePageGate implements PageGate {
  private readonly memberships = createMembershipCache();
  private readonly proofs: Proofs;
  private opened: Opened | null = null;

  constructor(private readonly options: PrivatePageOptions) {
    this.proofs = new Proofs(options, request => this.refuse(request, accessPath));
  }

  open(database: Database, authenticator: Authenticator): void {
    const loadKey = cacheSigningKey(database);
    this.opened = { database, authenticator, loadKey, loadLinkKey: cacheLinkKeys(database) };
  }

  /** Waits until queued codes are sent. */
  close(): Promise<void> {
    return this.proofs.close();
  }

  async check(message: IncomingMessage, target: UncachedRequest): Promise<UncachedResponse | null> {
    const access = target.generation.snapshot.page.access!;
    // People are known to the database alone; the signature of a token is not.
    if (!this.opened || (target.isDatabaseUnavailable && access.by === 'members')) return unavailable;
    const { database, authenticator, loadKey, loadLinkKey } = this.opened;
    const { rateLimiter } = this.options;
    const deps = await this.createDependencies(database, loadKey, async secret => {
      if (!authenticator.isKnownSession(secret)) await rateLimiter.throttleAddress(message);
      return authenticator.authenticateSession(secret);
    });
    deps.memberships = this.memberships;
    const visitor = await identifyVisitor(toVisit(message, target), deps);
    if (visitor !== null && target.path !== accessPath) return null;
    if (target.isDatabaseUnavailable) return unavailable;
    const request: GateRequest = { message, target, access, context: createGateContext(target), deps };
    const { id } = target.generation;
    if (target.path !== accessPath && holdsSignedLink(await loadLinkKey(id), target.path, id)) return null;
    // None of what follows is cached.
    await rateLimiter.throttleAddress(message);
    if (visitor !== null && message.method !== 'POST') return this.showAccess(request, visitor);
    return target.path === accessPath ? this.proofs.check(request) : this.refuse(request, target.path);
  }

  /** Access that is not of members ends with a change of the page. */
  watch(message: IncomingMessage, target: UncachedRequest): VisitorCheck | undefined {
    const visit = toVisit(message, target);
    return visit.page.access.by === 'members' ? this.isStillAllowed.bind(this, visit) : undefined;
  }

  /** Asks the database each time: a stream must end within a second. */
  private async isStillAllowed(visit: Visit): Promise<boolean> {
    if (!this.opened) return true;
    const { database, authenticator, loadKey } = this.opened;
    const deps = await this.createDependencies(database, loadKey, secret => authenticator.checkSession(secret));
    return (await identifyVisitor(visit, deps)) !== null;
  }

  private async createDependencies(
    database: Database,
    loadKey: () => Promise<Buffer>,
    findCaller: VisitorDependencies['findCaller'],
  ): Promise<VisitorDependencies> {
    const signingKey = await loadKey();
    return { database, signingKey, isSecure: this.options.consoleUrl.scheme === 'https', findCaller };
  }

  private refuse({ message, target, access, context }: GateRequest, path: string): UncachedResponse {
    const isRead = message.method === 'GET' || message.method === 'HEAD';
    if (!isRead || !message.headers.accept?.includes('text/html')) return plainText(403, 'This page is private.\n');
    const search = target.parameters.toString();
    const destination = parseDestination(path === accessPath ? '' : `${path}${search && `?${search}`}`);
    return renderGate(context, access, { destination, signInUrl: this.signInUrl(target, destination) });
  }

  /** People sign in at the host of the console, which sends them back to that of the page. */
  private signInUrl({ generation, mountType, parameters }: UncachedRequest, destination: string): string {
    const { origin } = this.options.consoleUrl;
    const path = `/status/${generation.id}/`;
    const enter = `${path}${accessPath}?enter=1`;
    if (mountType === 'host') return `${origin}${enter}`;
    const to = parameters.has('enter') ? enter : `${path}${destination}`;
    return `${origin}/sign-in?${new URLSearchParams({ to })}`;
  }

  /** The keys of a visitor; or the way to the host of the page, for a person who has signed in at the service's. */
  private showAccess({ target, access, context, deps }: GateRequest, visitor: string): UncachedResponse {
    const page = { id: target.generation.id, version: access.version };
    const now = Date.now() / 1_000;
    if (!target.parameters.has('enter') || target.mountType !== 'path')
      return renderFeedAddresses(context, signAccessToken(deps.signingKey, 'feed', page, visitor, now));
    // A code that counts once differs from that of the same second.
    const code = signAccessToken(deps.signingKey, 'enter', page, `${randomBytes(6).toString('hex')} ${visitor}`, now);
    return redirectTo(`${context.view.mount.canonical}${accessPath}?code=${code}`);
  }
}
