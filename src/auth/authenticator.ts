import type { Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Database } from '../db/database.js';
import type { Caller } from './access.js';
import { CredentialCache } from './credential-cache.js';
import { grantEverywhere } from './roles.js';
import { findSession, hashSessionSecret, recordRequest, type Session } from './session.service.js';
import { findToken, hashToken, isSameToken, markUsed, type Token } from './token.service.js';

/** Finds out whose a token or a session is, and remembers it for a second. */
export class Authenticator {
  private readonly tokens = new CredentialCache<Token>(hash => this.lookUpToken(hash));
  private readonly sessions = new CredentialCache<Session>(hash => findSession(this.database, hash));

  constructor(
    private readonly database: Database,
    private readonly settings: Pick<Settings, 'anonymousReads' | 'bootstrapToken'>,
  ) {}

  /**
   * Reads "Authorization: Bearer <ACCESS_TOKEN>"; the scheme in any case. A header without a valid token is refused
   * even where no token is required. `isFresh`: a token that was just revoked is refused, too.
   */
  async authenticate(authorization: string | undefined, isFresh = false): Promise<Caller> {
    if (authorization === undefined) return { kind: 'anonymous', reads: this.settings.anonymousReads };
    const secret = parseToken(authorization);
    if (!secret) throw wrongToken('The header must be');
    if (this.isBootstrapToken(secret)) return { kind: 'token', key: 'bootstrap', grants: grantEverywhere('owner') };
    const token = await this.tokens.find(hashToken(secret), isFresh);
    if (!token) throw wrongToken('The token is unknown, expired or revoked. Send it as');
    return { kind: 'token', key: String(token.id), grants: token.grants };
  }

  /** Whether a header has a token that was valid at its last lookup; it may have been revoked since. */
  hasKnownToken(authorization: string): boolean {
    const secret = parseToken(authorization);
    return secret !== undefined && (this.tokens.has(hashToken(secret)) || this.isBootstrapToken(secret));
  }

  /** The person of a session; undefined if it has ended. */
  async authenticateSession(secret: string): Promise<Caller | undefined> {
    const session = await this.sessions.find(hashSessionSecret(secret));
    if (session?.isStale) {
      session.isStale = false;
      await recordRequest(this.database, session.id);
    }
    return session && toCaller(session);
  }

  /** The person of a session as it is now, for open streams: they do not prolong a session, and end with it. */
  async checkSession(secret: string): Promise<Caller | undefined> {
    const session = await this.sessions.find(hashSessionSecret(secret), true);
    return session && toCaller(session);
  }

  /** Whether a session with this secret was live at its last lookup; it may have ended since. */
  isKnownSession(secret: string): boolean {
    return this.sessions.has(hashSessionSecret(secret));
  }

  /** Refuses a session that this process has ended at its next request, and not after the second. */
  forgetSession(id: number): void {
    this.sessions.delete(session => session.id === id);
  }

  forget(): void {
    this.tokens.delete(() => true);
    this.sessions.delete(() => true);
  }

  private async lookUpToken(hash: string): Promise<Token | undefined> {
    const token = await findToken(this.database, hash);
    if (token && !token.isUsed) await markUsed(this.database, token.id);
    return token;
  }

  private isBootstrapToken(secret: string): boolean {
    const { bootstrapToken } = this.settings;
    return bootstrapToken !== '' && isSameToken(secret, bootstrapToken);
  }
}

const toCaller = ({ id: sessionId, personId, grants, hasSignedInRecently }: Session): Caller => ({
  kind: 'person',
  key: `person ${personId}`,
  sessionId,
  personId,
  grants,
  hasSignedInRecently,
});

const wrongToken = (problem: string) => new Refusal('UNAUTHENTICATED', `${problem} \`Authorization: Bearer <token>\`.`);

const parseToken = (authorization: string): string | undefined =>
  /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization)?.[1];
