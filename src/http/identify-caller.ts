import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/access.js';
import type { Authenticator } from '../auth/authenticator.js';
import { parseConsoleUrl, type Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Admission } from './admission/admission.js';
import type { Priority } from './admission/request-classes.js';
import { shareResultByKey } from '../core/share-result.js';
import type { RateLimiter } from './rate-limit.js';
import { isFromSameOrigin, readSessionCookie } from './session-cookie.js';

interface IdentificationDependencies {
  authenticator: Authenticator;
  settings: Settings;
  rateLimiter: RateLimiter;
  admission: Admission;
  /** Called when it is known who calls. */
  onIdentified?(request: IncomingMessage, caller: Caller): void;
}

/** `takesSession`: whether the cookie of a session counts, too. */
export type IdentifyCaller = (request: IncomingMessage, priority: Priority, takesSession?: boolean) => Promise<Caller>;

/**
 * Creates what finds out who calls. A token that was never valid in this process is counted for the rate limit before
 * it is looked up, so that guesses do not reach the database.
 */
export function createCallerIdentification({
  authenticator,
  settings,
  rateLimiter,
  admission,
  onIdentified = () => {},
}: IdentificationDependencies): IdentifyCaller {
  /** By header: the first requests of a client arrive at once, and are one guess. */
  const shareLookup = shareResultByKey<Caller>();

  async function lookUp(request: IncomingMessage, authorization: string, priority: Priority): Promise<Caller> {
    const takeBack = await rateLimiter.throttleUnknownToken(request);
    try {
      const caller = await admission.run(priority, () => authenticator.authenticate(authorization));
      await takeBack();
      return caller;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'UNAUTHENTICATED')) await takeBack();
      throw error;
    }
  }

  const { origin, scheme } = parseConsoleUrl(settings);

  /** The person of a session. What another site makes a browser send is anonymous, and so can do nothing. */
  async function findPerson(request: IncomingMessage, priority: Priority): Promise<Caller | undefined> {
    const secret = readSessionCookie(request, scheme === 'https');
    if (!secret || !isFromSameOrigin(request, origin)) return undefined;
    const authenticatePerson = () => admission.run(priority, () => authenticator.authenticateSession(secret));
    if (authenticator.isKnownSession(secret)) return authenticatePerson();
    // As for tokens: guesses do not reach the database.
    const takeBack = await rateLimiter.throttleUnknownToken(request);
    const person = await authenticatePerson();
    if (person) await takeBack();
    return person;
  }

  const identify: IdentifyCaller = async (request, priority, takesSession = false) => {
    const { authorization } = request.headers;
    const person = takesSession && authorization === undefined && (await findPerson(request, priority));
    if (person) return person;
    if (authorization === undefined || authenticator.hasKnownToken(authorization)) {
      // Not admitted yet: a request would wait for its turn twice. A known token is looked up once a second.
      admission.check(priority);
      return admission.whileAvailable(() => authenticator.authenticate(authorization));
    }
    return shareLookup(authorization, () => lookUp(request, authorization, priority));
  };
  return async (request, priority, takesSession) => {
    const caller = await identify(request, priority, takesSession);
    onIdentified(request, caller);
    return caller;
  };
}
