import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseConsoleUrl, type Settings } from '../core/config.js';
import { customerPrefix, toClientNetwork } from './client-address.js';
import type { RateLimiter } from './rate-limit.js';
import { getRequestId } from './request-id.js';
import { createCookie, createSessionCookie, readCookie, readSessionCookie } from './session-cookie.js';

/** The browser that sent a request: what a sign-in reads of it, and the cookies that it sets there. */
export class Browser {
  private readonly isSecure: boolean;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port'>,
    private readonly rateLimiter: RateLimiter,
  ) {
    this.isSecure = parseConsoleUrl(settings).scheme === 'https';
  }

  get userAgent(): string {
    return this.request.headers['user-agent'] ?? '';
  }

  /** The client's IPv4 address, or the IPv6 network of the customer. */
  get network(): string {
    return toClientNetwork(this.rateLimiter.clientAddress(this.request), customerPrefix);
  }

  get requestId(): string {
    return getRequestId(this.request);
  }

  /** The secret of the session that it has. */
  get session(): string | undefined {
    return readSessionCookie(this.request, this.isSecure);
  }

  setSession(secret: string): void {
    this.setCookie(createSessionCookie(secret, this.isSecure));
  }

  removeSession(): void {
    this.setSecret('session', '', 0);
  }

  /** Another secret of 256 bits. */
  readSecret(name: string): string | undefined {
    return readCookie(this.request, name, this.isSecure);
  }

  setSecret(name: string, value: string, maxAgeSeconds: number): void {
    this.setCookie(createCookie(name, value, this.isSecure, maxAgeSeconds));
  }

  private setCookie(header: string): void {
    this.response.appendHeader('Set-Cookie', header);
  }
}
