import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/access.js';
import { authenticate, hasKnownToken } from '../auth/authenticate.js';
import type { Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Database } from '../db/connection.js';
import type { Admission, Priority } from './admission.js';
import type { RateLimiter } from './rate-limit.js';

interface IdentificationDependencies {
  database: Database;
  settings: Settings;
  rateLimiter: RateLimiter;
  admission: Admission;
  /** Called when it is known who calls. */
  onIdentified?(request: IncomingMessage, caller: Caller): void;
}

export type IdentifyCaller = (request: IncomingMessage, priority: Priority) => Promise<Caller>;

/**
 * Creates what finds out who calls. A token that was never valid in this process is counted for the rate limit before
 * it is looked up, so that guesses do not reach the database.
 */
export function createCallerIdentification({
  database,
  settings,
  rateLimiter,
  admission,
  onIdentified = () => {},
}: IdentificationDependencies): IdentifyCaller {
  /** By header: the first requests of a client arrive at once, and are one guess. */
  const lookups = new Map<string, Promise<Caller>>();

  async function lookUp(request: IncomingMessage, authorization: string, priority: Priority): Promise<Caller> {
    const takeBack = await rateLimiter.throttleUnknownToken(request);
    try {
      const caller = await admission.run(priority, () => authenticate(database, settings, authorization));
      await takeBack();
      return caller;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'UNAUTHENTICATED')) await takeBack();
      throw error;
    }
  }

  const identify: IdentifyCaller = (request, priority) => {
    const { authorization } = request.headers;
    if (authorization === undefined || hasKnownToken(database, settings, authorization))
      return admission.run(priority, () => authenticate(database, settings, authorization));
    let lookup = lookups.get(authorization);
    if (!lookup) {
      lookup = lookUp(request, authorization, priority).finally(() => lookups.delete(authorization));
      lookups.set(authorization, lookup);
    }
    return lookup;
  };
  return async (request, priority) => {
    const caller = await identify(request, priority);
    onIdentified(request, caller);
    return caller;
  };
}
