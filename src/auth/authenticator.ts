import { LRUCache } from 'lru-cache';
import type { Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Database } from '../db/database.js';
import type { Caller } from './access.js';
import { grantEverywhere } from './roles.js';
import { findSession, hashSessionSecret, recordRequest, type Session } from './session.service.js';
import { findToken, hashToken, isSameToken, markUsed, type Token } from './token.service.js';

/** For how long a process may accept what another process has ended, from the moment it asks for it. */
export const cacheTtlMs = 1_000;

type Cached<Value> = Value & { cachedUntil: number };
/** By hash. Only what was valid at its last lookup, so that guesses do not evict it. */
const createCache = <Value extends object>() => new LRUCache<string, Cached<Value>>({ max: 10_000 });

/** Finds out whose a token or a session is, and remembers it for a second. */
export class Authenticator {
  private readonly tokens = createCache<Token>();
  private readonly sessions = createCache<Session>();

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
    const token = await readThrough(this.tokens, hashToken(secret), isFresh, hash => this.lookUpToken(hash));
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
    const session = await this.findSession(secret);
    if (session?.isStale) {
      session.isStale = false;
      await recordRequest(this.database, session.id);
    }
    return session && toCaller(session);
  }

  /** The person of a session as it is now, for open streams: they do not prolong a session, and end with it. */
  async checkSession(secret: string): Promise<Caller | undefined> {
    const session = await this.findSession(secret, true);
    return session && toCaller(session);
  }

  /** Whether a session with this secret was live at its last lookup; it may have ended since. */
  isKnownSession(secret: string): boolean {
    return this.sessions.has(hashSessionSecret(secret));
  }

  /** Refuses a session that this process has ended at its next request, and not after the second. */
  forgetSession(id: number): void {
    for (const [hash, session] of this.sessions.entries()) if (session.id === id) this.sessions.delete(hash);
  }

  forget(): void {
    this.tokens.clear();
    this.sessions.clear();
  }

  private findSession(secret: string, isFresh = false): Promise<Session | undefined> {
    return readThrough(this.sessions, hashSessionSecret(secret), isFresh, hash => findSession(this.database, hash));
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

/** Not by the time to live of the cache: what has expired is still known, and its look-up is not a guess. */
async function readThrough<Value extends object>(
  cache: LRUCache<string, Cached<Value>>,
  hash: string,
  isFresh: boolean,
  lookUp: (hash: string) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const cached = cache.get(hash);
  const startedAt = performance.now();
  if (!isFresh && cached && cached.cachedUntil > startedAt) return cached;
  const value = await lookUp(hash);
  if (value) cache.set(hash, { ...value, cachedUntil: startedAt + cacheTtlMs });
  else cache.delete(hash);
  return value && cache.get(hash);
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
