import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { PublicUrl, Settings } from '../../core/config.js';
import type { Logger } from '../../core/logger.js';
import type { Database } from '../../db/connection.js';
import { toClientNetwork } from '../../http/client-address.js';
import type { RateLimiter } from '../../http/rate-limit.js';
import type { Authenticator } from '../../auth/authenticator.js';
import { createCookie } from '../../http/session-cookie.js';
import {
  isPagePassword,
  issueAccessCode,
  redeemAccessCode,
  spendAccessToken,
} from '../../pages/page-access.service.js';
import { parseEmailAddress } from '../../core/address.js';
import type { ConfirmationSender } from '../../subscribers/confirmation-sender.js';
import { cacheSigningKey } from '../../auth/signing-key.service.js';
import { countRequest, uncountRequest } from '../../subscribers/subscription-request.service.js';
import type { RenderContext } from '../html/render-context.js';
import type { PageGate } from '../server/page-gate.js';
import type { UncachedRequest, UncachedResponse } from '../server/uncached-response.js';
import { BackgroundSender } from '../subscribe/background-sender.js';
import { readFormBody } from '../subscribe/form-body.js';
import type { FieldError } from '../subscribe/form-fields.js';
import { holdsSignedLink } from '../subscribe/signed-path.js';
import type { PageAccess } from '../view/snapshot.js';
import { composeAccessMail } from '../../notifications/messages/visitor-messages.js';
import { toVisitorRequest } from '../subscribe/visitor-request.js';
import { lifetimeSeconds, signAccessToken, verifyAccessToken } from './access-token.js';
import {
  createGateContext,
  parseDestination,
  plainText,
  redirectTo,
  renderAccessCode,
  renderFeedAddresses,
  renderGate,
} from './gate-page.js';
import {
  createMembershipCache,
  identifyVisitor,
  isSecureHost,
  pageCookieName,
  subjectOfAddress,
  type VisitorDependencies,
} from './visitor.js';

/** Where visitors prove that they may see a page, and where those who may find their keys. */
const accessPath = 'access';
/** Wrong passwords and codes of a network, by page. */
const tries = { points: 10, duration: 600 };
const secondsToWait = 3_600;
const unavailable = plainText(503, 'This page is temporarily unavailable.\n', { 'Retry-After': '30' });

export interface PrivatePageOptions {
  sender: ConfirmationSender;
  rateLimiter: Pick<RateLimiter, 'clientAddress' | 'throttleAddress'>;
  settings: Pick<Settings, 'smsCodesPerDay'>;
  consoleUrl: PublicUrl;
  log: Logger;
}

/** A request for a private page. */
interface GateRequest {
  message: IncomingMessage;
  target: UncachedRequest;
  access: PageAccess;
  context: RenderContext;
  deps: VisitorDependencies;
}

type Proof = (request: GateRequest, form: URLSearchParams, destination: string) => Promise<UncachedResponse>;

/** Keeps private pages to those who may see them. One table says what each visibility takes as a proof. */
export class PrivatePageGate implements PageGate {
  private readonly memberships = createMembershipCache();
  private readonly tries = new RateLimiterMemory(tries);
  private readonly backgroundSender: BackgroundSender;
  private opened: { database: Database; authenticator: Authenticator; loadKey: () => Promise<Buffer> } | null = null;

  constructor(private readonly options: PrivatePageOptions) {
    this.backgroundSender = new BackgroundSender(options.log);
  }

  open(database: Database, authenticator: Authenticator): void {
    this.opened = { database, authenticator, loadKey: cacheSigningKey(database) };
  }

  /** Waits until queued codes are sent. */
  close(): Promise<void> {
    return this.backgroundSender.drain();
  }

  async check(message: IncomingMessage, target: UncachedRequest): Promise<UncachedResponse | null> {
    const access = target.revision.snapshot.page.access!;
    // People are known to the database alone; the signature of a token is not.
    if (!this.opened || (target.isDatabaseUnavailable && access.by === 'members')) return unavailable;
    const { database, authenticator, loadKey } = this.opened;
    const { rateLimiter } = this.options;
    const deps = await this.createDependencies(database, loadKey, async secret => {
      if (!authenticator.isKnownSession(secret)) await rateLimiter.throttleAddress(message);
      return authenticator.authenticateSession(secret);
    });
    deps.memberships = this.memberships;
    const visitor = await identifyVisitor(message, target, access, deps);
    if (visitor !== null && target.path !== accessPath) return null;
    if (target.isDatabaseUnavailable) return unavailable;
    const request: GateRequest = { message, target, access, context: createGateContext(target), deps };
    if (visitor !== null && message.method !== 'POST') return this.showAccess(request, visitor);
    if (target.path === accessPath) return this.takeProof(request);
    if (holdsSignedLink(deps.signingKey, target.path, target.revision.id)) return null;
    await rateLimiter.throttleAddress(message);
    return this.refuse(request, target.path);
  }

  /** Asks the database each time: a stream shall end within a second. Other access ends with a change of the page. */
  async isStillAllowed(message: IncomingMessage, target: UncachedRequest): Promise<boolean> {
    const access = target.revision.snapshot.page.access!;
    if (!this.opened || access.by !== 'members') return true;
    const { database, authenticator, loadKey } = this.opened;
    const deps = await this.createDependencies(database, loadKey, secret => authenticator.checkSession(secret));
    return (await identifyVisitor(message, target, access, deps)) !== null;
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
  private signInUrl({ revision, mountType, parameters }: UncachedRequest, destination: string): string {
    const { origin } = this.options.consoleUrl;
    const path = `/status/${revision.id}/`;
    const enter = `${path}${accessPath}?enter=1`;
    if (mountType === 'host') return `${origin}${enter}`;
    const to = parameters.has('enter') ? enter : `${path}${destination}`;
    return `${origin}/sign-in?${new URLSearchParams({ to })}`;
  }

  /**
   * The keys of a visitor; or the way to the host of the page, for a person who has signed in at that of the service.
   */
  private showAccess({ target, access, context, deps }: GateRequest, visitor: string): UncachedResponse {
    const page = { id: target.revision.id, version: access.version };
    const now = Date.now() / 1_000;
    if (!target.parameters.has('enter') || target.mountType !== 'path')
      return renderFeedAddresses(context, signAccessToken(deps.signingKey, 'feed', page, visitor, now));
    // A code that counts once differs from that of the same second.
    const code = signAccessToken(deps.signingKey, 'enter', page, `${randomBytes(6).toString('hex')} ${visitor}`, now);
    return redirectTo(`${context.view.mount.canonical}${accessPath}?code=${code}`);
  }

  private async takeProof(request: GateRequest): Promise<UncachedResponse> {
    const { message, target, access, deps } = request;
    if (message.method === 'GET' || message.method === 'HEAD') {
      const page = { id: target.revision.id, version: access.version };
      const code = target.parameters.get('code') ?? '';
      const subject = verifyAccessToken(deps.signingKey, 'enter', page, code, Date.now() / 1_000);
      // HEAD is what looks at a link, and not the browser that follows it.
      const isUsed = subject === null || message.method === 'HEAD' || !(await spendAccessToken(deps.database, code));
      return isUsed
        ? this.refuse(request, accessPath)
        : this.letIn(request, subject.slice(subject.indexOf(' ') + 1), '');
    }
    if (message.method !== 'POST') return plainText(405, 'Use GET, HEAD or POST.\n', { Allow: 'GET, HEAD, POST' });
    if (message.headers['sec-fetch-site'] === 'cross-site') return plainText(403, 'Open this page in a browser.\n');
    await this.options.rateLimiter.throttleAddress(message);
    const body = await readFormBody(message);
    // Closes the connection, so that the rest of an oversized form is not read.
    if ('status' in body) return plainText(body.status, body.message, { Connection: 'close' });
    const key = `${target.revision.id} ${this.network(message)}`;
    try {
      await this.tries.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return plainText(429, 'Too many tries. Try again later.\n', {
        'Retry-After': String(Math.ceil(error.msBeforeNext / 1_000)),
      });
    }
    const response = await this.proofs[access.by](request, body.form, parseDestination(body.form.get('to')));
    // An office shares an address: only what was wrong counts.
    if (response.status !== 422) await this.tries.reward(key);
    return response;
  }

  private network = (message: IncomingMessage): string =>
    toClientNetwork(this.options.rateLimiter.clientAddress(message));

  /** What visitors send to prove that they may see the page. */
  private readonly proofs: Record<PageAccess['by'], Proof> = {
    password: async (request, form, destination) => {
      const { target, access, context, deps } = request;
      const given = form.get('password') ?? '';
      const isRight =
        given.length <= 255 && (await isPagePassword(deps.database, target.revision.id, access.version, given));
      if (isRight) return this.letIn(request, randomBytes(12).toString('base64url'), destination);
      const errors: FieldError[] = [{ field: 'password', key: 'problem.password' }];
      return renderGate(context, access, { destination, errors, status: 422 });
    },
    email_domain: async (request, form, destination) => {
      const { target, access, context, deps } = request;
      const email = parseEmailAddress(form.get('email') ?? '')?.toLowerCase();
      if (!email) {
        const errors: FieldError[] = [{ field: 'email', key: 'problem.email' }];
        return renderGate(context, access, { destination, errors, status: 422 });
      }
      const code = form.get('code');
      if (code === null) return this.sendCode(request, email, destination);
      // Looked up for every address: the time shall not tell which domains see the page.
      const isRight = await redeemAccessCode(deps.database, deps.signingKey, target.revision.id, email, code);
      const subject = subjectOfAddress(email, access);
      if (isRight && subject !== null) return this.letIn(request, subject, destination);
      return renderAccessCode(context, access, email, destination, [{ field: 'code', key: 'problem.code' }]);
    },
    members: async request => this.refuse(request, accessPath),
  };

  /** Answers the same whether or not the address may see the page, and sends after that. */
  private async sendCode(
    { message, target, access, context, deps }: GateRequest,
    email: string,
    destination: string,
  ): Promise<UncachedResponse> {
    const { sender, settings } = this.options;
    const { database, signingKey } = deps;
    const pageId = target.revision.id;
    const verdict = await countRequest(database, signingKey, {
      ...{ pageId, method: 'email', recipient: email, caller: this.network(message) },
      smsCodesPerDay: settings.smsCodesPerDay,
    });
    if ('exceeded' in verdict)
      return plainText(429, 'Too many codes were asked for. Try again later.\n', {
        'Retry-After': String(secondsToWait),
      });
    if (verdict.send)
      this.backgroundSender.enqueue(
        async () => {
          if (subjectOfAddress(email, access) === null) return uncountRequest(database, verdict.id);
          const code = await issueAccessCode(database, signingKey, pageId, email);
          await sender.sendMail(composeAccessMail(toVisitorRequest(context, email), code));
        },
        () => uncountRequest(database, verdict.id),
      );
    return renderAccessCode(context, access, email, destination);
  }

  /** Sets the cookie of the page, and leads to where the visitor wanted to go. */
  private letIn({ message, target, access, context, deps }: GateRequest, subject: string, destination: string) {
    const page = { id: target.revision.id, version: access.version };
    const token = signAccessToken(deps.signingKey, 'view', page, subject, Date.now() / 1_000);
    const isSecure = isSecureHost(message, target.revision, deps);
    const cookie = createCookie(pageCookieName(page.id), token, isSecure, lifetimeSeconds.view!);
    return redirectTo(`${context.view.mount.path}${destination}`, { 'Set-Cookie': cookie });
  }
}
