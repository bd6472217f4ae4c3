import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseEmailAddress } from '../../core/address.js';
import type { PublicUrl, Settings } from '../../core/config.js';
import { createCredential } from '../../core/ids.js';
import { isSameHash, keyedHash } from '../../core/keyed-hash.js';
import type { Logger } from '../../core/logger.js';
import { customerPrefix, toClientNetwork } from '../../http/client-address.js';
import type { RateLimiter } from '../../http/rate-limit.js';
import { createCookie, isFromOtherOrigin, readCookie } from '../../http/session-cookie.js';
import { composeAccessMail, type VisitorRequest } from '../../notifications/messages/visitor-messages.js';
import {
  type AddressReader,
  countTry,
  issueAccessCode,
  type PasswordCheck,
  redeemAccessCode,
  spendAccessToken,
  uncountTry,
} from '../../pages/page-access.service.js';
import type { Database } from '../../db/database.js';
import type { ConfirmationSender } from '../../subscribers/confirmation-sender.js';
import { countRequest, limitResetSeconds, uncountRequest } from '../../subscribers/subscription-request.service.js';
import type { RenderContext } from '../html/render-context.js';
import type { UncachedRequest, UncachedResponse } from '../server/uncached-response.js';
import { BackgroundSender } from '../subscribe/background-sender.js';
import { readFormBody } from '../subscribe/form-body.js';
import type { FieldError } from '../subscribe/form-fields.js';
import { toVisitorRequest } from '../subscribe/visitor-request.js';
import type { PageAccess } from '../view/snapshot.js';
import { lifetimeSeconds, signAccessToken, verifyAccessToken } from './access-token.js';
import { parseDestination, plainText, redirectTo, renderAccessCode, renderGate } from './gate-page.js';
import { isSecureHost, pageCookieName, subjectOfAddress, type VisitorDependencies } from './visitor.js';

export interface PrivatePageOptions {
  sender: ConfirmationSender;
  rateLimiter: Pick<RateLimiter, 'clientAddress' | 'throttleAddress'>;
  checkPassword: PasswordCheck;
  settings: Pick<Settings, 'smsCodesPerDay'>;
  consoleUrl: PublicUrl;
  log: Logger;
}

/** A request for a private page. */
export interface GateRequest {
  message: IncomingMessage;
  target: UncachedRequest;
  access: PageAccess;
  context: RenderContext;
  deps: VisitorDependencies;
}

/** The cookie that binds a code to the browser that requested it. It outlasts the code. */
const codeCookie = { name: (pageId: string) => `page-code-${pageId}`, seconds: 1_200 };

/**
 * The cookie of browsers that have seen the page by a code to an address. What others request for the address, or for
 * others of its domain, does not keep a code from them.
 */
const readerCookie = { name: (pageId: string) => `page-reader-${pageId}`, seconds: 180 * 86_400 };

const createReaderSecret = (key: Buffer, pageId: string, address: string) =>
  keyedHash(key, 'page reader', pageId, address);

const isSecureRequest = ({ message, target, deps }: GateRequest): boolean =>
  isSecureHost(message, target.generation.snapshot.page, deps);

/** The secret that the browser has, since a code that was sent to it may still be on its way; or a new one. */
const codeSecret = (request: GateRequest): string =>
  readCookie(request.message, codeCookie.name(request.target.generation.id), isSecureRequest(request)) ??
  createCredential();

function isReader(request: GateRequest, secret: string): boolean {
  const given = readCookie(request.message, readerCookie.name(request.target.generation.id), isSecureRequest(request));
  return given !== undefined && isSameHash(given, secret);
}

interface CodeMail {
  /** Whether the address may see the page. */
  isReader: boolean;
  reader: AddressReader;
  visitor: VisitorRequest;
  requestId: number;
}

/** Keeps nothing of the request while it waits. */
async function sendCodeTo(
  database: Database,
  signingKey: Buffer,
  sender: ConfirmationSender,
  { isReader, reader, visitor, requestId }: CodeMail,
): Promise<void> {
  if (!isReader) return uncountRequest(database, requestId);
  const code = await issueAccessCode(database, signingKey, reader);
  await sender.sendMail(composeAccessMail(visitor, code));
}

/** Forms of a page at a time. Each takes connections of the database, and a password a tenth of a second. */
const maxFormsInProgress = 20;

type Proof = (request: GateRequest, form: URLSearchParams, destination: string) => Promise<UncachedResponse>;

/** Checks what visitors send to prove that they may see a private page: one table says what each visibility takes. */
export class Proofs {
  private readonly backgroundSender: BackgroundSender;
  /** By the id of the page. */
  private readonly formsInProgress = new Map<string, number>();

  constructor(
    private readonly options: PrivatePageOptions,
    private readonly refuse: (request: GateRequest) => UncachedResponse,
  ) {
    this.backgroundSender = new BackgroundSender(options.log);
  }

  /** Waits until queued codes are sent. */
  close(): Promise<void> {
    return this.backgroundSender.drain();
  }

  async check(request: GateRequest): Promise<UncachedResponse> {
    const { message, target, access, deps } = request;
    if (message.method === 'GET' || message.method === 'HEAD') {
      const page = { id: target.generation.id, version: access.version };
      const code = target.parameters.get('code') ?? '';
      const subject = verifyAccessToken(deps.signingKey, 'enter', page, code, Date.now() / 1_000);
      // HEAD is what looks at a link, and not the browser that follows it.
      const isUsed = subject === null || message.method === 'HEAD' || !(await spendAccessToken(deps.database, code));
      return isUsed ? this.refuse(request) : this.grantAccess(request, subject.slice(subject.indexOf(' ') + 1), '');
    }
    if (message.method !== 'POST') return plainText(405, 'Use GET, HEAD or POST.\n', { Allow: 'GET, HEAD, POST' });
    if (isFromOtherOrigin(message)) return plainText(403, 'Open this page in a browser.\n');
    const body = await readFormBody(message);
    // Closes the connection, so that the rest of an oversized form is not read.
    if ('status' in body) return plainText(body.status, body.message, { Connection: 'close' });
    const { id } = target.generation;
    const inProgress = this.formsInProgress.get(id) ?? 0;
    // Before it is counted, so that the visitor can try again.
    if (inProgress >= maxFormsInProgress)
      return plainText(503, 'Too many forms are being processed. Try again in a moment.\n', { 'Retry-After': '1' });
    this.formsInProgress.set(id, inProgress + 1);
    try {
      return await this.checkForm(request, body.form);
    } finally {
      const others = this.formsInProgress.get(id)! - 1;
      if (others) this.formsInProgress.set(id, others);
      else this.formsInProgress.delete(id);
    }
  }

  private async checkForm(request: GateRequest, form: URLSearchParams): Promise<UncachedResponse> {
    const { message, target, access, deps } = request;
    const counted = [deps.database, deps.signingKey, target.generation.id, this.network(message)] as const;
    const refusedSeconds = await countTry(...counted);
    if (refusedSeconds)
      return plainText(429, 'Too many tries. Try again later.\n', { 'Retry-After': String(refusedSeconds) });
    const response = await this.byVisibility[access.by](request, form, parseDestination(form.get('to')));
    if (response.status !== 422) await uncountTry(...counted);
    return response;
  }

  private network(message: IncomingMessage): string {
    return toClientNetwork(this.options.rateLimiter.clientAddress(message), customerPrefix);
  }

  /** What visitors send to prove that they may see the page. */
  private readonly byVisibility: Record<PageAccess['by'], Proof> = {
    password: async (request, form, destination) => {
      const { target, access, context, deps } = request;
      const password = form.get('password') ?? '';
      const isRight = await this.options.checkPassword(deps.database, target.generation.id, access.version, password);
      if (isRight) return this.grantAccess(request, randomBytes(12).toString('base64url'), destination);
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
      // Looked up for every address: the time must not tell which domains see the page.
      const reader = { pageId: target.generation.id, address: email, browserSecret: codeSecret(request) };
      const isRight = await redeemAccessCode(deps.database, deps.signingKey, reader, code);
      const subject = subjectOfAddress(email, access);
      if (isRight && subject !== null) {
        const secret = createReaderSecret(deps.signingKey, target.generation.id, email);
        const { name, seconds } = readerCookie;
        const cookie = createCookie(name(target.generation.id), secret, isSecureRequest(request), seconds);
        return this.grantAccess(request, subject, destination, [cookie]);
      }
      return renderAccessCode(context, access, email, destination, [{ field: 'code', key: 'problem.code' }]);
    },
    members: async request => this.refuse(request),
  };

  /** Answers the same whether or not the address may see the page, and sends after that. */
  private async sendCode(request: GateRequest, email: string, destination: string): Promise<UncachedResponse> {
    const { message, target, access, context, deps } = request;
    const { sender, settings } = this.options;
    const { database, signingKey } = deps;
    const pageId = target.generation.id;
    const browserSecret = codeSecret(request);
    const readerSecret = createReaderSecret(signingKey, pageId, email);
    const isCallerProven = isReader(request, readerSecret);
    const verdict = await countRequest(database, signingKey, {
      pageId,
      method: 'email',
      recipient: email,
      caller: isCallerProven ? readerSecret : this.network(message),
      smsCodesPerDay: settings.smsCodesPerDay,
      isForCaller: true,
      isCallerProven,
    });
    if ('exceeded' in verdict)
      return plainText(429, 'Too many codes were asked for. Try again later.\n', {
        'Retry-After': String(limitResetSeconds),
      });
    if (verdict.send)
      this.backgroundSender.enqueue(
        sendCodeTo.bind(null, database, signingKey, sender, {
          isReader: subjectOfAddress(email, access) !== null,
          reader: { pageId, address: email, browserSecret },
          visitor: toVisitorRequest(context, email),
          requestId: verdict.id,
        }),
        uncountRequest.bind(null, database, verdict.id),
      );
    const response = renderAccessCode(context, access, email, destination);
    const cookie = createCookie(codeCookie.name(pageId), browserSecret, isSecureRequest(request), codeCookie.seconds);
    return { ...response, cookies: [cookie] };
  }

  /** Sets the cookie of the page, and leads to where the visitor wanted to go. */
  private grantAccess(
    request: GateRequest,
    subject: string,
    destination: string,
    cookies: string[] = [],
  ): UncachedResponse {
    const { target, access, context, deps } = request;
    const page = { id: target.generation.id, version: access.version };
    const token = signAccessToken(deps.signingKey, 'view', page, subject, Date.now() / 1_000);
    const cookie = createCookie(pageCookieName(page.id), token, isSecureRequest(request), lifetimeSeconds.view!);
    return redirectTo(`${context.view.mount.path}${destination}`, [cookie, ...cookies]);
  }
}
